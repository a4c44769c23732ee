/**
 * What the auditor knows of plans. It reads the stored document itself, and whatever of it could decide a payout has to be known by
 * name: a plan that says more than this was written for a later auditor, and is computed by nobody who guesses.
 */
import { z } from 'zod'
import { millionths } from './exact.rules.ts'

/** Raised with every change of what it knows or how it computes; kept with each verdict. */
export const VERSION = '1'

const decimal = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,6})?$/, 'no decimal of up to six places')
  .transform(millionths)

const schema = z.strictObject({
  timeZone: z.string(),
  passive: z.strictObject({
    percentPerPeriod: decimal,
    periodDays: z.int().positive().transform(BigInt),
    weekdaysOnly: z.boolean().default(false),
    capMultiple: decimal.nullable().default(null),
  }),
  direct: z.strictObject({
    levels: z.array(decimal).min(1),
    masterPercent: decimal,
    compression: z.boolean().default(false),
  }),
  binary: z
    .strictObject({ percent: decimal, dailyCap: decimal })
    .prefault({ percent: '10', dailyCap: '1000' }),
  // These decide no amount of a run.
  investment: z.unknown(),
  guards: z.unknown().optional(),
  withdrawals: z.unknown().optional(),
})

/** Percentages, multiples and amounts in millionths. */
export type Plan = z.output<typeof schema>

/** A plan, or the names of what is not known of it. */
export function readPlan(document: unknown): { readonly plan: Plan } | { readonly unknown: string } {
  const parsed = schema.safeParse(document)
  if (parsed.success) return { plan: parsed.data }
  const names = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => [...issue.path, key].join('.'))
      : [issue.path.join('.') || 'the document'],
  )
  return { unknown: [...new Set(names)].join(', ').slice(0, 250) }
}
