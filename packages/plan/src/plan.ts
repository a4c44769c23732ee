import { micro, parseMicro, percent } from '@aval/money'
import { z } from 'zod'

const percentage = z.string().refine((text) => {
  try {
    percent(text)
    return true
  } catch {
    return false
  }
}, 'not a percentage')

const amount = z
  .string()
  .refine((text) => parseMicro(text) !== null, 'not an amount')
  .transform((text) => parseMicro(text) ?? micro(0n))

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** A hundred percent, in the hundredth-millionths that `percent` compares by. */
const scaled = (text: string): bigint => {
  const share = percent(text)
  return (share.numerator * 100_000_000n) / share.denominator
}

const planSchema = z
  .strictObject({
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
    }),
    passive: z.strictObject({ percentPerPeriod: percentage, periodDays: z.int().min(1).max(366) }),
    direct: z.strictObject({ levels: z.array(percentage).min(1).max(10), masterPercent: percentage }),
  })
  .superRefine((plan, context) => {
    const { levels } = plan.direct
    if (levels.reduce((sum, level) => sum + scaled(level), 0n) > scaled('100')) {
      context.addIssue({
        code: 'custom',
        path: ['direct', 'levels'],
        message: 'the levels pay out more than 100 %',
      })
    }
    if (
      plan.investment.topUpMinimum > plan.investment.largest ||
      plan.investment.firstMinimum > plan.investment.largest
    ) {
      context.addIssue({
        code: 'custom',
        path: ['investment'],
        message: 'a minimum stands above the maximum',
      })
    }
    if (scaled(plan.passive.percentPerPeriod) > scaled('100')) {
      context.addIssue({
        code: 'custom',
        path: ['passive'],
        message: 'more than the whole principal in one period',
      })
    }
    if (plan.investment.topUpMinimum === 0n || plan.investment.firstMinimum === 0n) {
      context.addIssue({ code: 'custom', path: ['investment'], message: 'a minimum of nothing' })
    }
  })

/** A checked plan document: amounts in micro-USDT, percentages as decimal text. */
export type Plan = z.output<typeof planSchema>

/** What an operator writes, and the database stores: amounts as decimal text. */
export type PlanDocument = z.input<typeof planSchema>

/** @throws z.ZodError that names each contradiction. */
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
  },
  passive: { percentPerPeriod: '10', periodDays: 30 },
  direct: { levels: ['5', '2', '1'], masterPercent: '1' },
}
