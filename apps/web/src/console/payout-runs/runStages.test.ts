import type { PayoutRun } from '@aval/contract'
import { formatMicro } from '@aval/money'
import i18next from 'i18next'
import { describe, expect, it } from 'vitest'
import { formatsFor } from '../../ui/format.ts'
import en from './locales/en.json'
import es from './locales/es.json'
import {
  decisionsFor,
  investmentsOf,
  isUnderWay,
  progressOf,
  progressWords,
  prorataOf,
  stageOf,
} from './runStages.ts'

const short = { check: 'pool_short' as const, sentence: 'The pool lacks 10.00.' }
const change = { check: 'change_too_large' as const, sentence: 'It comes to twice the run before.' }
const run = (reasons: PayoutRun['reasons'], more: Partial<PayoutRun> = {}) => ({
  state: 'held' as const,
  released_by: null,
  decision: null,
  reasons,
  ...more,
})

const proposed = {
  id: 3,
  kind: 'run_release' as const,
  proposed_by: 'olga',
  proposed_at: '2026-11-20T05:00:00Z',
}
const overruled = run([change, short], { released_by: 'olga' })

describe('a held run', () => {
  it.each([
    ['waits for money when only money is missing', run([short]), 'awaiting', ['prorate', 'cancel']],
    ['waits for a decision when a check objects', run([change]), 'held', ['release', 'cancel']],
    ['has its checks decided first when both do', run([change, short]), 'held', ['release', 'cancel']],
    ['waits for money once its checks were overruled', overruled, 'awaiting', ['prorate', 'cancel']],
    [
      'can only be cancelled while its release waits for approval',
      run([change], { decision: proposed }),
      'held',
      ['cancel'],
    ],
    [
      'is released by nobody while its second computation differs',
      run([change, { check: 'computed_otherwise', sentence: '' }]),
      'held',
      ['cancel'],
    ],
    ['can be cancelled when it says nothing', run([]), 'held', ['cancel']],
  ] as const)('%s', (_name, held, stage, decisions) => {
    expect(stageOf(held)).toBe(stage)
    expect(decisionsFor(held)).toEqual(decisions)
  })

  it('is the only one that anything is decided about', () => {
    for (const state of ['computing', 'sealed', 'released', 'posting', 'done', 'cancelled'] as const)
      expect(decisionsFor(run([short], { state }))).toEqual([])
  })
})

describe('a run under way', () => {
  it('is every one that moves on by itself', () => {
    const states = ['computing', 'sealed', 'held', 'released', 'posting', 'done', 'cancelled'] as const
    const moving = states.filter((state) => isUnderWay({ state }))
    expect(moving).toEqual(['computing', 'sealed', 'released', 'posting'])
  })
})

describe('progress', () => {
  const at = (done: number, total: number, per_second: number, state: PayoutRun['state'] = 'posting') =>
    progressOf({ state, progress: { done, total, per_second } })

  it.each([
    [412_000, 1_000_000, 85_000, { unit: 'seconds', count: 7 }],
    [0, 89, 1, { unit: 'seconds', count: 89 }],
    [0, 90, 1, { unit: 'minutes', count: 2 }],
    [0, 5340, 1, { unit: 'minutes', count: 89 }],
    [0, 5341, 1, { unit: 'hours', count: 2 }],
    [10, 10, 5, null],
    [0, 10, 0, null],
  ])('at %i of %i by %i a second', (done, total, perSecond, left) => {
    expect(at(done, total, perSecond)).toMatchObject({ done, total, share: done / total, left })
  })

  it('is not known before there is a total, nor in the stages that count nothing', () => {
    expect(at(0, 0, 0, 'computing')).toBeNull()
    expect(at(5, 10, 1, 'held')).toBeNull()
    expect(at(10, 10, 0, 'sealed')).toBeNull()
    expect(at(0, 10, 0, 'released')).toMatchObject({ done: 0, total: 10 })
  })

  it('never passes its total', () => {
    expect(at(12, 10, 1)).toMatchObject({ done: 10, share: 1, left: null })
  })
})

describe('a pro rata release', () => {
  it('pays what the pool holds, and shows each share truncated', () => {
    const share = prorataOf({ payable: '48210.551234', missing: '8210.551234' })
    expect(share && formatMicro(share.paid)).toBe('40000.00')
    expect(share && formatMicro(share.rest)).toBe('8210.551234')
    expect(share?.percent).toBe('82.96')
  })

  it('has nothing to share out of an empty pool', () => {
    expect(prorataOf({ payable: '10.00', missing: '10.00' })).toMatchObject({ paid: 0n, percent: '0' })
  })

  it.each([
    ['0.00', '0.00'],
    ['1.00', '2.00'],
    ['junk', '0.00'],
  ])('of %s with %s missing cannot be told', (payable, missing) => {
    expect(prorataOf({ payable, missing })).toBeNull()
  })
})

describe('the period of a run', () => {
  it('names the investments of a direct run', () => {
    expect(investmentsOf('208-211')).toEqual({ first: '208', last: '211' })
    expect(investmentsOf('208')).toEqual({ first: '208', last: '208' })
  })

  it('is a day otherwise', () => {
    expect(investmentsOf('2026-11-20')).toBeNull()
  })
})

async function wordsIn(lng: 'en' | 'es', progress: { done: number; total: number; per_second: number }) {
  const texts = i18next.createInstance()
  await texts.init({
    lng,
    resources: { en: { 'console/payout-runs': en }, es: { 'console/payout-runs': es } },
    interpolation: { escapeValue: false },
  })
  const known = progressOf({ state: 'posting', progress })
  return known && progressWords(known, texts.getFixedT(lng, 'console/payout-runs'), formatsFor(lng))
}

const progress = { done: 412_000, total: 1_000_000, per_second: 85_000 }

describe('progress in words', () => {
  it('shows how much, how fast and how long', async () => {
    expect(await wordsIn('en', progress)).toBe('412,000 of 1,000,000 · 85,000/s · about 7 s left')
    expect(await wordsIn('es', progress)).toBe('412.000 de 1.000.000 · 85.000/s · faltan unos 7 s')
  })

  it('leaves out what nobody knows', async () => {
    expect(await wordsIn('en', { ...progress, per_second: 0 })).toBe('412,000 of 1,000,000')
    expect(await wordsIn('en', { ...progress, done: 1_000_000 })).toBe('1,000,000 of 1,000,000 · 85,000/s')
  })

  it('counts long waits in minutes and hours', async () => {
    expect(await wordsIn('en', { ...progress, per_second: 900 })).toContain('about 11 min left')
    expect(await wordsIn('es', { ...progress, per_second: 30 })).toContain('faltan unas 6 h')
  })
})
