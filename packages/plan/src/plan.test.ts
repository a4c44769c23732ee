import { applyRatio, type Micro, micro, parseMicro, percent } from '@aval/money'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  addDays,
  applyDeposit,
  completeFromBalance,
  DEFAULT_PLAN,
  dailyProfit,
  dayAt,
  dayStart,
  daysBetween,
  directCommissions,
  endOfTerm,
  feeOn,
  investmentRefusal,
  isDay,
  lockOf,
  type PlanContradiction,
  parseExtraPercent,
  parsePlan,
  toSend,
  type Upline,
} from './index.ts'

const plan = parsePlan(DEFAULT_PLAN)
const usdt = (text: string): Micro => parseMicro(text) ?? micro(-1n)
const at = (text: string): Date => new Date(text)

it('an older plan that says nothing of it lets the balance be invested 20 times a day', () => {
  const { balanceADay: _, ...investment } = DEFAULT_PLAN.investment
  expect(parsePlan({ ...DEFAULT_PLAN, investment }).investment.balanceADay).toBe(20)
  for (const balanceADay of [0, -1, 1.5, 1001, '20', null])
    expect(() =>
      parsePlan({ ...DEFAULT_PLAN, investment: { ...DEFAULT_PLAN.investment, balanceADay } }),
    ).toThrow()
})

describe('a plan document', () => {
  it.each([
    ['a time zone nobody knows', { ...DEFAULT_PLAN, timeZone: 'America/Macondo' }, /time zone/],
    ['a field that means nothing', { ...DEFAULT_PLAN, bonus: '5' }, /bonus/i],
    [
      'a percentage that is none',
      { ...DEFAULT_PLAN, direct: { levels: ['5%'], masterPercent: '1' } },
      /percentage/,
    ],
    [
      'an amount that is none',
      { ...DEFAULT_PLAN, investment: { ...DEFAULT_PLAN.investment, firstMinimum: '1e3' } },
      /not an amount/,
    ],
    ['a cap that no number is', { ...DEFAULT_PLAN, binary: { percent: '10', dailyCap: 5 } }, /dailyCap/],
    ['nothing in it', {}, /timeZone/],
  ])('with %s is refused, with the reason', (_what, document, reason) => {
    expect(() => parsePlan(document)).toThrow(z.ZodError)
    expect(() => parsePlan(document)).toThrow(reason)
  })

  const { investment, passive, binary, guards, withdrawals } = DEFAULT_PLAN
  it.each<[PlanContradiction, object]>([
    ['levels_above_hundred', { direct: { levels: ['60', '41'], masterPercent: '1' } }],
    ['promises_above_invested', { direct: { levels: ['50', '39'], masterPercent: '2' } }],
    ['minimum_above_maximum', { investment: { ...investment, largest: '499' } }],
    ['minimum_of_nothing', { investment: { ...investment, topUpMinimum: '0' } }],
    ['passive_above_principal', { passive: { percentPerPeriod: '100.000001', periodDays: 366 } }],
    ['passive_above_daily', { passive: { percentPerPeriod: '10', periodDays: 1 } }],
    ['cap_of_nothing', { passive: { ...passive, capMultiple: '0.000000' } }],
    ['binary_cap_above_member', { binary: { ...binary, dailyCap: '100000.000001' } }],
    ['binary_cap_below_smallest', { binary: { ...binary, dailyCap: '49.999999' } }],
    ['member_below_first_level', { guards: { ...guards, memberMost: '24.999999' } }],
    ['run_below_member', { guards: { ...guards, runMost: '99999.999999' } }],
    ['withdrawal_fee_above_minimum', { withdrawals: { ...withdrawals, fee: '20' } }],
    ['withdrawal_minimum_above_daily', { withdrawals: { ...withdrawals, dailyLimit: '19.999999' } }],
    [
      'withdrawal_approvals_unordered',
      { withdrawals: { ...withdrawals, approvals: [{ from: '1', operators: 1 }] } },
    ],
    [
      'withdrawal_approvals_unordered',
      {
        withdrawals: {
          ...withdrawals,
          approvals: ['0', '500', '500'].map((from) => ({ from, operators: 1 })),
        },
      },
    ],
  ])('that contradicts itself is told so by name: %s', (code, change) => {
    const parsed = () => parsePlan({ ...DEFAULT_PLAN, ...change })
    expect(parsed).toThrow(z.ZodError)
    expect(parsed).toThrow(`"message": "${code}"`)
  })

  it('at the very edge of each is accepted', () => {
    const edge = {
      ...DEFAULT_PLAN,
      passive: { percentPerPeriod: '100', periodDays: 20, capMultiple: '0.000001' },
      direct: { levels: ['50', '39'], masterPercent: '1' },
      guards: { ...guards, memberMost: '1000', runMost: '1000' },
    }
    expect(parsePlan(edge).direct.levels).toEqual(['50', '39'])
  })
})

describe('passive profit', () => {
  it.each([
    ['1000', 3_333_333n],
    ['500', 1_666_666n],
    ['0.000001', 0n],
    ['10000', 33_333_333n],
  ])('of %s USD is %s micro a day', (principal, expected) => {
    expect(dailyProfit(plan, usdt(principal))).toBe(expected)
  })

  it('of thirty days never exceeds ten percent', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 14n), (principal) => {
        const month = dailyProfit(plan, micro(principal)) * 30n
        expect(month <= principal / 10n).toBe(true)
        expect(principal / 10n - month < 31n).toBe(true)
      }),
    )
  })
})

const up = (memberId: bigint, overrides: Partial<Upline> = {}): Omit<Upline, 'level'> => ({
  memberId,
  active: true,
  extraPercent: '0',
  masterLink: false,
  ...overrides,
})

/** A chain without gaps, nearest first. */
const numbered = (steps: readonly Omit<Upline, 'level'>[]): Upline[] =>
  steps.map((step, index) => ({ level: index + 1, ...step }))

describe('direct payments on 1,000 USD', () => {
  const paid = (steps: readonly Omit<Upline, 'level'>[]) =>
    directCommissions(plan, usdt('1000'), numbered(steps)).payables.map((p) => [
      p.memberId,
      p.kind,
      p.level,
      p.amount,
    ])

  it('are 5, 2 and 1 % up three levels, and nothing beyond', () => {
    expect(paid([up(4n), up(3n), up(2n), up(1n)])).toEqual([
      [4n, 'direct', 1, 50_000_000n],
      [3n, 'direct', 2, 20_000_000n],
      [2n, 'direct', 3, 10_000_000n],
    ])
  })

  it('carry a sponsor’s extra points at the first level alone', () => {
    expect(paid([up(2n, { extraPercent: '2.5' }), up(1n, { extraPercent: '2.5' })])).toEqual([
      [2n, 'direct', 1, 75_000_000n],
      [1n, 'direct', 2, 20_000_000n],
    ])
  })

  it('may carry 0 to 20 extra points with two decimals at most, and nothing else', () => {
    const asStored = {
      '0': '0',
      '0.00': '0',
      '1.5': '1.5',
      '2.50': '2.5',
      '0.05': '0.05',
      '20': '20',
      '20.00': '20',
    }
    for (const [written, stored] of Object.entries(asStored)) expect(parseExtraPercent(written)).toBe(stored)
    const wrong = '-1 +1 20.01 21 100 1.234 01 1. .5 1,5 1e1 NaN'.split(' ')
    for (const text of [...wrong, '', ' 1']) expect(parseExtraPercent(text)).toBeNull()
  })

  it('go on beyond the third level where the link is a master one', () => {
    const chain = [up(6n), up(5n), up(4n), up(3n), up(2n, { masterLink: true }), up(1n)]
    expect(paid(chain).slice(3)).toEqual([[2n, 'master', 5, 10_000_000n]])
  })

  it('keep their level where the steps that cannot pay are left out', () => {
    const far = up(1n, { masterLink: true, level: 40 })
    expect(paid([up(3n), up(2n), far])).toContainEqual([1n, 'master', 40, 10_000_000n])
  })

  it('pay a master link within the three levels by its level, once', () => {
    expect(paid([up(1n, { masterLink: true })])).toEqual([[1n, 'direct', 1, 50_000_000n]])
  })

  it('leave an inactive sponsor’s share in the pool, and name it', () => {
    const result = directCommissions(plan, usdt('1000'), numbered([up(2n, { active: false }), up(1n)]))
    expect(result.payables.map((p) => p.memberId)).toEqual([1n])
    expect(result.missed).toMatchObject([{ memberId: 2n, level: 1, amount: usdt('50'), reason: 'inactive' }])
  })
})

describe('an investment', () => {
  it.each([
    ['499.999999', '0', 'first_investment_too_small'],
    ['500', '0', null],
    ['0.999999', '500', 'top_up_too_small'],
    ['1', '500', null],
    ['99999999', '1', null],
    ['100000000', '1', 'amount_too_large'],
  ])('of %s on top of %s: %s', (amount, principal, code) => {
    expect(investmentRefusal(plan, usdt(amount), usdt(principal))?.code ?? null).toBe(code)
  })

  it.each([
    ['1000', '5', '1005'],
    ['33', '0.17', '33.17'],
    ['1', '0.01', '1.01'],
    ['33.333333', '0.166667', '33.5'],
    ['0.000001', '0.009999', '0.01'],
  ])('of %s costs %s on top: %s are sent, half a percent more up to the cent', (amount, fee, sent) => {
    expect(feeOn(plan, usdt(amount))).toBe(usdt(fee))
    expect(usdt(amount) + usdt(fee)).toBe(usdt(sent))
  })

  it('asks for whole cents, for less than a cent more than the percentage, whatever the amount and the plan', () => {
    const anyPercent = fc.constantFrom('0', '0.5', '0.333333', '1.25', '99.999999')
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 14n).map(micro), anyPercent, (amount, feePercent) => {
        const { investment } = plan
        const fee = feeOn({ ...plan, investment: { ...investment, feePercent } }, amount)
        expect((amount + fee) % 10_000n).toBe(0n)
        const more = fee - applyRatio(amount, percent(feePercent))
        expect(more >= 0n && more < 10_000n).toBe(true)
      }),
    )
  })

  it('is sent in whole cents after a part that was none; an older one keeps what it asks', () => {
    expect(toSend(usdt('33.17'), usdt('20.824322'))).toBe(usdt('20.83'))
    expect(toSend(usdt('33.17'), usdt('33.17'))).toBe(usdt('33.17'))
    expect(toSend(usdt('33.165'), usdt('33.165'))).toBe(usdt('33.165'))
  })
})

describe('the lock', () => {
  const JANUARY = at('2026-01-01T00:00:00Z')
  const part = (amount: string, investedAt: Date, days = 365) => ({
    amount: usdt(amount),
    investedAt,
    unlocksAt: new Date(investedAt.getTime() + days * 86_400_000),
  })

  it('of one investment is its 365 days, and how much of them is over', () => {
    const one = part('900', JANUARY)
    expect(endOfTerm(plan, JANUARY)).toEqual(at('2027-01-01T00:00:00Z'))
    // Whole days: the percentage and the number of days are shown together.
    const seen = (now: string) => lockOf([one], at(now))
    expect(seen('2026-02-07T23:59:59Z')).toMatchObject({ progress: 10.13, elapsedDays: 37, termDays: 365 })
    expect(seen('2025-01-01T00:00:00Z')).toMatchObject({ progress: 0, elapsedDays: 0 })
    expect(seen('2026-12-31T23:59:59.999Z')).toMatchObject({ lockedAmount: usdt('900'), unlocked: 0n })
    const over = { lockedAmount: 0n, unlocked: usdt('900'), unlocksAt: one.unlocksAt, progress: 100 }
    expect(seen('2027-01-01T00:00:00Z')).toMatchObject(over)
  })

  it('of several is each one’s own: a top-up locks itself, and counts for what it is', () => {
    const [first, topUp] = [part('10000', JANUARY), part('1', at('2026-01-26T00:00:00Z'))]
    expect(lockOf([first, topUp], at('2026-01-26T00:00:00Z'))).toMatchObject({
      lockedAmount: usdt('10001'),
      unlocksAt: first.unlocksAt,
      // 25 of 365 days of 10,000 of 10,001.
      progress: 6.84,
    })
    expect(lockOf([first, topUp], first.unlocksAt)).toMatchObject({
      lockedAmount: usdt('1'),
      unlocked: usdt('10000'),
      unlocksAt: topUp.unlocksAt,
    })
  })

  it('of a shorter term ends alone, and frees nothing else', () => {
    const [year, month] = [part('10000', JANUARY), part('760102', JANUARY, 30)]
    expect(lockOf([month, year], month.unlocksAt)).toMatchObject({
      locked: [year],
      unlocked: usdt('760102'),
      unlocksAt: year.unlocksAt,
    })
  })

  it('has nothing to say of what was withdrawn whole, or where nothing is invested', () => {
    const gone = part('0', JANUARY)
    const nothing = { unlocksAt: null, progress: 0, unlocked: 0n, lockedAmount: 0n, termDays: 0 }
    for (const parts of [[], [gone]]) expect(lockOf(parts, at('2028-01-01T00:00:00Z'))).toMatchObject(nothing)
  })
})

describe('money that arrives for an invoice', () => {
  const invoice = (received: string) => ({
    id: 1n,
    amount: usdt('700'),
    fee: usdt('3.5'),
    received: usdt(received),
  })

  it.each([
    ['exactly what is due pays it', '0', '703.5', 'paid', '703.5', '0'],
    ['more pays it, and the surplus goes to the balance', '0', '710', 'overpaid', '703.5', '6.5'],
    ['less is a part of it', '0', '703.499999', 'part', '703.499999', '0'],
    ['another part adds up', '300', '403.499999', 'part', '403.499999', '0'],
    ['the missing part pays it', '300', '403.5', 'paid', '403.5', '0'],
    ['a last part that is too much pays it', '703.499999', '1', 'overpaid', '0.000001', '0.999999'],
  ])('%s', (_sentence, received, arrived, outcome, part, toBalance) => {
    expect(applyDeposit(usdt(arrived), invoice(received))).toEqual({
      outcome,
      part: usdt(part),
      toBalance: usdt(toBalance),
    })
  })

  it('is never lost: what counts and what goes to the balance add up to it, and no invoice gets more than is due', () => {
    const anyInvoice = fc
      .record({ amount: fc.bigInt(1n, 10n ** 9n).map(micro), fee: fc.bigInt(0n, 10n ** 6n).map(micro) })
      .chain(({ amount, fee }) =>
        fc.record({
          id: fc.constant(1n),
          amount: fc.constant(amount),
          fee: fc.constant(fee),
          received: fc.bigInt(0n, amount + fee - 1n).map(micro),
        }),
      )
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 9n).map(micro), anyInvoice, (arrived, invoice) => {
        const { outcome, part, toBalance } = applyDeposit(arrived, invoice)
        expect(part + toBalance).toBe(arrived)
        const received = invoice.received + part
        expect(received === invoice.amount + invoice.fee).toBe(outcome !== 'part')
        expect(toBalance > 0n).toBe(outcome === 'overpaid')
        const completed = completeFromBalance(invoice)
        expect(completed.fee + completed.fromPending).toBe(invoice.received)
        expect(completed.fromPending + completed.fromBalance).toBe(invoice.amount)
        expect(completed.fromBalance >= 0n && completed.fee >= 0n && completed.fee <= invoice.fee).toBe(true)
      }),
    )
  })
})

describe('an invoice that the balance completes', () => {
  it.each([
    ['pays the fee on what came by chain, and none on the rest', '351.75', '1.75', '350', '350'],
    ['to the micro-USDT, in the member’s favour', '300', '1.492537', '298.507463', '401.492537'],
    ['is free where nothing came', '0', '0', '0', '700'],
    ['takes nothing where the last micro-USDT of the fee is missing', '703.499999', '3.499999', '700', '0'],
  ])('%s', (_sentence, received, fee, fromPending, fromBalance) => {
    const invoice = { amount: usdt('700'), fee: usdt('3.5'), received: usdt(received) }
    expect(completeFromBalance(invoice)).toEqual({
      fee: usdt(fee),
      fromPending: usdt(fromPending),
      fromBalance: usdt(fromBalance),
    })
  })
})

describe('the plan’s calendar', () => {
  it('turns a day at midnight in its own time zone', () => {
    expect(dayAt(at('2026-11-20T04:59:59Z'), 'America/Bogota')).toBe('2026-11-19')
    expect(dayAt(at('2026-11-20T05:00:00Z'), 'America/Bogota')).toBe('2026-11-20')
    const day = dayAt(at('2026-11-20T12:00:00Z'), 'America/Bogota')
    expect(dayStart(day, 'America/Bogota')).toEqual(at('2026-11-20T05:00:00Z'))
  })

  it('knows leap years, clock changes and what is no day', () => {
    const day = dayAt(at('2028-02-28T12:00:00Z'), 'UTC')
    expect(addDays(day, 1)).toBe('2028-02-29')
    expect(daysBetween(day, addDays(day, 366))).toBe(366)
    const skipped = dayAt(at('2026-09-06T12:00:00Z'), 'America/Santiago')
    expect(dayStart(skipped, 'America/Santiago')).toEqual(at('2026-09-06T04:00:00Z'))
    expect(['2026-02-30', '2026-2-3', 'today', ''].some(isDay)).toBe(false)
  })
})
