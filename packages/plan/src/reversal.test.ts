import { type Micro, micro, parseMicro, ratio } from '@aval/money'
import { describe, expect, it } from 'vitest'
import { passiveShare } from './index.ts'

const usdt = (text: string): Micro => parseMicro(text) ?? micro(-1n)

/** A day that paid a tenth of a percent on a basis. */
const day = (basis: string, reversedBefore = '0') => ({
  terms: { rate: ratio(1n, 1000n), source: 'plan', capMultiple: null } as const,
  basis: usdt(basis),
  earnedBefore: micro(0n),
  paid: micro(usdt(basis) / 1000n),
  reversedBefore: usdt(reversedBefore),
})

describe('what a day paid on an investment', () => {
  it('is the part that rested on it', () => {
    expect(passiveShare(day('1500'), usdt('1000'))).toBe(usdt('1'))
    expect(passiveShare(day('1500', '1000'), usdt('500'))).toBe(usdt('0.5'))
  })

  it('is all of it, and no more, where part of the basis was held for a withdrawal that day', () => {
    // Of 1,000 and 500 invested, 900 were held.
    expect(passiveShare(day('600'), usdt('1000'))).toBe(usdt('0.6'))
    expect(passiveShare(day('600', '1000'), usdt('500'))).toBe(0n)
  })
})
