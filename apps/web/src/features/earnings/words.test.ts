import { NOT_PAID_REASONS, PAYMENT_KINDS, PAYMENT_STATES, type PaymentState } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import en from './locales/en.json'
import es from './locales/es.json'
import { POINTS_TONES, REMEDIES, WAITING_TONES, waitingState } from './words.ts'

describe.each([
  ['Spanish', es],
  ['English', en],
])('the words in %s', (_language, texts) => {
  it('name every kind of payment, and every state but the one that needs no word', () => {
    expect(Object.keys(texts.kind)).toEqual([...PAYMENT_KINDS])
    expect(Object.keys(texts.state).sort()).toEqual(Object.keys(WAITING_TONES).sort())
    expect(['paid', ...Object.keys(texts.state)].sort()).toEqual([...PAYMENT_STATES].sort())
    expect(Object.keys(texts.points.state)).toEqual(Object.keys(POINTS_TONES))
  })

  it('name every reason, and what to do about it', () => {
    expect(Object.keys(texts.reason).sort()).toEqual([...NOT_PAID_REASONS].sort())
    expect(Object.keys(REMEDIES).sort()).toEqual([...NOT_PAID_REASONS].sort())
    expect(Object.keys(texts.remedy).sort()).toEqual([...new Set(Object.values(REMEDIES))].sort())
  })

  it('call nothing guaranteed', () => {
    expect(JSON.stringify(texts)).not.toMatch(/garant|guarant/i)
  })
})

describe('waitingState', () => {
  it('is none for what arrived', () => {
    expect(waitingState('paid')).toBeNull()
  })

  it('is the state itself, and under way for one that only a newer server knows', () => {
    expect(waitingState('in_review')).toBe('in_review')
    expect(waitingState('paused' as PaymentState)).toBe('posting')
  })
})
