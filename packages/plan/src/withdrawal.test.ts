import { type Micro, micro, parseMicro } from '@aval/money'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  approvalsNeeded,
  DEFAULT_PLAN,
  isLargeShare,
  parsePlan,
  spendableOf,
  splitWithdrawal,
  withdrawalRefusal,
} from './index.ts'

const plan = parsePlan(DEFAULT_PLAN)
const usdt = (text: string): Micro => parseMicro(text) ?? micro(-1n)

describe('a withdrawal', () => {
  it.each([
    ['20', 1],
    ['999.999999', 1],
    ['1000', 2],
    ['5000', 2],
  ])('of %s USD is approved by %s operators', (amount, operators) => {
    expect(approvalsNeeded(plan, usdt(amount))).toBe(operators)
  })

  it('follows the thresholds of its plan, none included', () => {
    const approvals = [
      { from: '0', operators: 0 },
      { from: '100', operators: 1 },
      { from: '2500.5', operators: 3 },
    ]
    const generous = parsePlan({
      ...DEFAULT_PLAN,
      withdrawals: { minimum: '20', fee: '1', dailyLimit: '5000', approvals },
    })
    const needed = ['99.999999', '100', '2500.499999', '2500.5'].map((amount) =>
      approvalsNeeded(generous, usdt(amount)),
    )
    expect(needed).toEqual([0, 1, 1, 3])
  })

  it.each([
    ['30', '50', '0', '30', '0'],
    ['50', '50', '100', '50', '0'],
    ['80', '50', '30', '50', '30'],
    ['80', '0', '80', '0', '80'],
  ])(
    'of %s takes from a balance of %s and %s unlocked: %s and %s',
    (amount, balance, unlocked, first, rest) => {
      expect(splitWithdrawal(usdt(amount), usdt(balance), usdt(unlocked))).toEqual({
        fromBalance: usdt(first),
        fromPrincipal: usdt(rest),
      })
    },
  )

  it('that both do not cover is split in no way', () => {
    expect(splitWithdrawal(usdt('80.000001'), usdt('50'), usdt('30'))).toBeNull()
  })

  it('takes exactly its amount, never more than there is, and principal only after the balance', () => {
    const some = fc.bigInt(0n, 10n ** 12n).map(micro)
    fc.assert(
      fc.property(some, some, some, (amount, balance, unlocked) => {
        const parts = splitWithdrawal(amount, balance, unlocked)
        if (parts === null) {
          expect(amount > balance + unlocked).toBe(true)
          return
        }
        expect(parts.fromBalance + parts.fromPrincipal).toBe(amount)
        expect(parts.fromBalance <= balance && parts.fromPrincipal <= unlocked).toBe(true)
        if (parts.fromPrincipal > 0n) expect(parts.fromBalance).toBe(balance)
      }),
    )
  })

  const standing = { balance: usdt('6000'), unlocked: usdt('0'), askedToday: usdt('0') }
  it.each([
    ['19.999999', standing, { code: 'withdrawal_too_small', params: { limit: usdt('20') } }],
    ['20', standing, null],
    ['5000', standing, null],
    [
      '5000.000001',
      standing,
      { code: 'withdrawal_daily_limit', params: { limit: usdt('5000'), left: usdt('5000') } },
    ],
    [
      '21',
      { ...standing, askedToday: usdt('4980') },
      { code: 'withdrawal_daily_limit', params: { limit: usdt('5000'), left: usdt('20') } },
    ],
    [
      '20',
      { ...standing, askedToday: usdt('6000') },
      { code: 'withdrawal_daily_limit', params: { limit: usdt('5000'), left: 0n } },
    ],
    [
      '40.000001',
      { ...standing, balance: usdt('30'), unlocked: usdt('10') },
      { code: 'balance_too_small', params: { available: usdt('40') } },
    ],
    ['40', { ...standing, balance: usdt('30'), unlocked: usdt('10') }, null],
  ])('of %s where %o is answered %o', (amount, present, refusal) => {
    expect(withdrawalRefusal(plan, usdt(amount), present)).toEqual(refusal)
  })

  it('of four fifths of everything is a large share', () => {
    expect(isLargeShare(usdt('80'), usdt('100'))).toBe(true)
    expect(isLargeShare(usdt('79.999999'), usdt('100'))).toBe(false)
  })
})

describe('a balance', () => {
  it.each([
    ['490', '490', '0'],
    ['500', '490', '10'],
    ['100', '490', '0'],
    ['100', '0', '100'],
  ])('of %s of which %s is owed can spend %s', (balance, owed, spendable) => {
    expect(spendableOf(usdt(balance), usdt(owed))).toBe(usdt(spendable))
  })
})

describe('a plan', () => {
  it('from before there were withdrawals has the terms of a new one', () => {
    const { withdrawals: _, ...older } = DEFAULT_PLAN
    expect(parsePlan(older)).toEqual(plan)
  })

  it.each([6, -1, 1.5])('cannot ask for %s operators', (operators) => {
    const asking = { ...DEFAULT_PLAN.withdrawals, approvals: [{ from: '0', operators }] }
    expect(() => parsePlan({ ...DEFAULT_PLAN, withdrawals: asking })).toThrow(/operators/)
  })

  it('may send as little as a micro-USDT, and ask nobody', () => {
    const narrow = {
      minimum: '2',
      fee: '1.999999',
      dailyLimit: '2',
      approvals: [{ from: '0', operators: 0 }],
    }
    expect(parsePlan({ ...DEFAULT_PLAN, withdrawals: narrow }).withdrawals.fee).toBe(1_999_999n)
  })
})
