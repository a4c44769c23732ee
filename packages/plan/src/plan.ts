import { applyRatio, micro, parseMicro, percent } from '@aval/money'
import { z } from 'zod'

function isPercentage(text: string): boolean {
  try {
    percent(text)
    return true
  } catch {
    return false
  }
}

// Both abort: the search for contradictions computes with them.
const percentage = z.string().refine(isPercentage, { error: 'not a percentage', abort: true })

const amount = z
  .string()
  .refine((text) => parseMicro(text) !== null, { error: 'not an amount', abort: true })
  .transform((text) => parseMicro(text) ?? micro(0n))

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** A percentage in hundred-millionths of the whole, so that two can be compared and added. */
const scaled = (text: string): bigint => {
  const share = percent(text)
  return (share.numerator * 100_000_000n) / share.denominator
}
const HUNDRED = scaled('100')
/** What a percentage may be at most where it is paid again and again, on the same money, by company money alone. */
const MOST_A_DAY = scaled('5')

// What a new plan says, and what an older document that does not say it means.
const BALANCE_A_DAY = 20
const BINARY = { percent: '10', dailyCap: '1000' }
const GUARDS = { changePercent: '50', changeFrom: '1000', memberMost: '100000', runMost: '100000000' }
const WITHDRAWALS = {
  minimum: '20',
  fee: '1',
  dailyLimit: '5000',
  approvals: [
    { from: '0', operators: 1 },
    { from: '1000', operators: 2 },
  ],
}

const planShape = z.strictObject({
  timeZone: z.string().refine(isTimeZone, 'unknown time zone'),
  investment: z.strictObject({
    firstMinimum: amount,
    topUpMinimum: amount,
    /** The most that one member may have invested in all; a guard against a slipped digit. */
    largest: amount,
    feePercent: percentage,
    lockDays: z.int().min(1).max(3650),
    invoiceMinutes: z.int().min(5).max(10_080),
    openInvoices: z.int().min(1).max(100),
    /** How often a member may invest the balance in one day of the company. */
    balanceADay: z.int().min(1).max(1000).default(BALANCE_A_DAY),
  }),
  passive: z.strictObject({
    percentPerPeriod: percentage,
    periodDays: z.int().min(1).max(366),
    weekdaysOnly: z.boolean().default(false),
    /** Passive profit ends at this multiple of principal; null for never. */
    capMultiple: percentage.nullable().default(null),
  }),
  direct: z.strictObject({
    levels: z.array(percentage).min(1).max(10),
    masterPercent: percentage,
    /** The inactive are walked past: levels count the active only. */
    compression: z.boolean().default(false),
  }),
  binary: z.strictObject({ percent: percentage, dailyCap: amount }).prefault(BINARY),
  /** What a run is checked for before anything is posted. */
  guards: z
    .strictObject({
      /** The most a run's sum may differ from that of the run before, in percent of it. */
      changePercent: percentage,
      /** Below this sum, in both runs, a change says nothing. */
      changeFrom: amount,
      /** The most that one run may pay to one member, and in all. */
      memberMost: amount,
      runMost: amount,
    })
    .prefault(GUARDS),
  withdrawals: z
    .strictObject({
      minimum: amount,
      /** Taken out of the amount. */
      fee: amount,
      /** The most that one member may ask for in one day. */
      dailyLimit: amount,
      /** How many operators have to approve, from an amount on; the first from nothing. */
      approvals: z
        .array(z.strictObject({ from: amount, operators: z.int().min(0).max(5) }))
        .min(1)
        .max(10),
    })
    .prefault(WITHDRAWALS),
})

type Shape = z.output<typeof planShape>

interface Contradiction {
  readonly path: readonly [keyof Shape, ...string[]]
  readonly is: (plan: Shape) => boolean
}

/** What a plan must not say, by stable names: its author reads each in their language. */
const CONTRADICTIONS = {
  levels_above_hundred: {
    path: ['direct', 'levels'],
    is: ({ direct }) => sum(direct.levels) > HUNDRED,
  },
  // More than what is invested: no pool could ever fund it.
  promises_above_invested: {
    path: ['direct', 'masterPercent'],
    is: ({ direct, binary }) => sum([...direct.levels, direct.masterPercent, binary.percent]) > HUNDRED,
  },
  minimum_above_maximum: {
    path: ['investment'],
    is: ({ investment }) =>
      investment.topUpMinimum > investment.largest || investment.firstMinimum > investment.largest,
  },
  minimum_of_nothing: {
    path: ['investment'],
    is: ({ investment }) => investment.topUpMinimum === 0n || investment.firstMinimum === 0n,
  },
  passive_above_principal: {
    path: ['passive', 'percentPerPeriod'],
    is: ({ passive }) => scaled(passive.percentPerPeriod) > HUNDRED,
  },
  passive_above_daily: {
    path: ['passive', 'percentPerPeriod'],
    is: ({ passive }) => scaled(passive.percentPerPeriod) > MOST_A_DAY * BigInt(passive.periodDays),
  },
  // Who wants that leaves the cap out, or pays no passive profit.
  cap_of_nothing: {
    path: ['passive', 'capMultiple'],
    is: ({ passive }) => passive.capMultiple !== null && scaled(passive.capMultiple) === 0n,
  },
  // Every capped match would be held.
  binary_cap_above_member: {
    path: ['binary', 'dailyCap'],
    is: ({ binary, guards }) => binary.dailyCap > guards.memberMost,
  },
  // Below what the smallest investment matched against its like would pay.
  binary_cap_below_smallest: {
    path: ['binary', 'dailyCap'],
    is: ({ binary, investment }) =>
      applyRatio(investment.firstMinimum, percent(binary.percent)) > binary.dailyCap,
  },
  member_below_first_level: {
    path: ['guards', 'memberMost'],
    is: ({ guards, direct, investment }) =>
      applyRatio(investment.firstMinimum, percent(direct.levels[0] ?? '0')) > guards.memberMost,
  },
  run_below_member: {
    path: ['guards', 'runMost'],
    is: ({ guards }) => guards.runMost < guards.memberMost,
  },
  // The smallest withdrawal would send nothing.
  withdrawal_fee_above_minimum: {
    path: ['withdrawals', 'fee'],
    is: ({ withdrawals }) => withdrawals.fee >= withdrawals.minimum,
  },
  withdrawal_minimum_above_daily: {
    path: ['withdrawals', 'dailyLimit'],
    is: ({ withdrawals }) => withdrawals.minimum > withdrawals.dailyLimit,
  },
  // Or some amount would have no answer, or two.
  withdrawal_approvals_unordered: {
    path: ['withdrawals', 'approvals'],
    is: ({ withdrawals }) =>
      withdrawals.approvals.some(({ from }, index, all) =>
        index === 0 ? from !== 0n : from <= (all[index - 1]?.from ?? 0n),
      ),
  },
} as const satisfies Record<string, Contradiction>

export type PlanContradiction = keyof typeof CONTRADICTIONS

/** Whether the message of an issue is the name of a contradiction. */
export function isPlanContradiction(message: string): message is PlanContradiction {
  return Object.hasOwn(CONTRADICTIONS, message)
}

const sum = (percentages: readonly string[]): bigint =>
  percentages.reduce((total, text) => total + scaled(text), 0n)

const planSchema = planShape.superRefine((plan, context) => {
  for (const [message, { path, is }] of Object.entries(CONTRADICTIONS)) {
    if (is(plan)) context.addIssue({ code: 'custom', path: [...path], message })
  }
})

/** A checked plan document: amounts in micro-USDT, percentages as decimal text. */
export type Plan = z.output<typeof planSchema>

/** What an operator writes, and the database stores: amounts as decimal text. */
export type PlanDocument = z.input<typeof planSchema>

/** @throws z.ZodError whose messages are the names of contradictions, where the shape is right. */
export function parsePlan(document: unknown): Plan {
  return planSchema.parse(document)
}

/** The plan a new installation starts under. */
export const DEFAULT_PLAN: PlanDocument = {
  timeZone: 'America/Bogota',
  investment: {
    firstMinimum: '500',
    topUpMinimum: '1',
    largest: '100000000',
    feePercent: '0.5',
    lockDays: 365,
    invoiceMinutes: 120,
    openInvoices: 10,
    balanceADay: BALANCE_A_DAY,
  },
  passive: { percentPerPeriod: '10', periodDays: 30, weekdaysOnly: false, capMultiple: null },
  direct: { levels: ['5', '2', '1'], masterPercent: '1', compression: false },
  binary: BINARY,
  guards: GUARDS,
  withdrawals: WITHDRAWALS,
}
