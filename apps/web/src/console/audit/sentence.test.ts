import { AUDIT_ACTIONS } from '@aval/contract'
import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from './api.ts'
import en from './locales/en.json'
import es from './locales/es.json'
import { actionName, detailsOf, faultOf, placeOf, sentenceOf } from './sentence.ts'

beforeAll(async () => {
  await i18next.init({
    lng: 'en',
    ns: ['console/audit'],
    interpolation: { escapeValue: false },
    resources: { en: { 'console/audit': en }, es: { 'console/audit': es } },
  })
})
const sayIn = (language: 'en' | 'es') => i18next.getFixedT(language, 'console/audit')
const entry = (more: Partial<AuditEntry>): AuditEntry => ({
  id: 7,
  at: '2026-11-20T10:00:00Z',
  actor: { id: 2, username: 'olga' },
  action: 'withdrawal.decide',
  outcome: 'done',
  subject: { noun: 'withdrawal', id: '17', username: null },
  details: {},
  refusal: null,
  erased: false,
  from: null,
  ...more,
})

describe('an entry', () => {
  it.each([
    ['en', {}, 'olga decided on withdrawal 17.'],
    ['es', {}, 'olga decidió sobre el retiro 17.'],
    ['en', { outcome: 'refused' }, 'olga tried to decide on withdrawal 17 and was refused.'],
    [
      'es',
      { action: 'pool.fund', subject: { noun: 'pool', id: 'profit', username: null } },
      'olga aportó dinero para el fondo de ganancias.',
    ],
    [
      'en',
      { actor: null, action: 'operator.made', subject: { noun: 'member', id: '4', username: 'ana' } },
      'ana became an operator.',
    ],
    [
      'es',
      { actor: null, action: 'decision.apply', subject: { noun: 'decision', id: '4', username: null } },
      'Se aprobó la propuesta 4 y entró en vigor.',
    ],
  ] as const)('is a sentence in %s: %j', (language, more, sentence) => {
    expect(sentenceOf(sayIn(language), entry(more))).toBe(sentence)
  })

  it.each(['en', 'es'] as const)('of every action that the trail knows has words in %s', (language) => {
    const t = sayIn(language)
    const bare = AUDIT_ACTIONS.filter((action) => {
      const sentences = (['done', 'refused'] as const).map((outcome) =>
        sentenceOf(t, entry({ action, outcome })),
      )
      return actionName(t, action) === action || sentences.some((sentence) => sentence.includes(action))
    })
    expect(bare).toEqual([])
  })

  it('that nobody has words for is shown as it is written, never as the key of a text', () => {
    const unknown = entry({ action: 'ship.sail', subject: { noun: 'ship', id: '1', username: null } })
    expect(sentenceOf(sayIn('es'), unknown)).toBe('olga: ship.sail, ship:1')
    expect(sentenceOf(sayIn('en'), { ...unknown, outcome: 'refused' })).toBe(
      'olga was refused: ship.sail, ship:1',
    )
    expect(actionName(sayIn('en'), 'ship.sail')).toBe('ship.sail')
    expect(detailsOf(sayIn('es'), { ...unknown, details: { new_thing: 'x', reason: 'y' } })).toEqual([
      ['new thing', 'x'],
      ['Por qué', 'y'],
    ])
  })

  it('has before and after together, and its refusal as a sentence of its own', () => {
    const details = { before: 'support', after: 'admin', code: 'otp_invalid' }
    expect(detailsOf(sayIn('es'), entry({ details }))).toEqual([
      ['Antes → después', 'soporte → administración'],
    ])
  })

  it('leads to what it is about', () => {
    expect(placeOf({ noun: 'member', id: '4', username: null })).toBe('/operator/members/4')
    expect(placeOf({ noun: 'run', id: '12', username: null })).toBe('/operator/runs/12')
    expect(placeOf({ noun: 'ship', id: '1', username: null })).toBeNull()
  })
})

it('a fault says which row, and what was done to it', () => {
  expect(faultOf(sayIn('en'), 'audit_event 17: altered')).toBe('Entry 17 was altered.')
  expect(faultOf(sayIn('es'), 'audit_event 17: reordered: it was sealed as 3')).toBe(
    'La entrada 17 cambió de lugar.',
  )
  expect(faultOf(sayIn('es'), 'something else')).toBe('something else')
})
