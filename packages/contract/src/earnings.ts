import { z } from 'zod'
import { amountText, instant, pageQuery, typedText } from './common.ts'

/** What a member can be paid for; `master` travels in the list of direct payments. */
export const PAYMENT_KINDS = ['passive', 'direct', 'master', 'binary'] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]

/**
 * Where a payment stands: `paid`; `posting` while its run is under way; `in_review` while an operator has to look at its run;
 * `awaiting_funding` while nothing but money in its pool is missing.
 */
export const PAYMENT_STATES = ['paid', 'posting', 'awaiting_funding', 'in_review'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

/**
 * What became of a payment: `pending` until it is credited, whatever its `state`; such a one is in no sum of what was paid.
 * `partly_reversed`, `reversed`: some or all of it was taken back, because an investment it was paid on was reversed.
 */
export const PAYMENT_STATUSES = ['paid', 'pending', 'partly_reversed', 'reversed'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** Why a payment is what it is: a sentence, and the figures it was computed from. */
export const explanation = z.object({
  sentence: z.string(),
  plan_version: z.int(),
  basis: amountText,
  percentage: z.string(),
  arithmetic: z.string(),
})

/** A row of GET payments/direct-payments/. */
export const directPayment = z.object({
  id: z.int(),
  date: instant,
  /** `master`: paid by master code, beyond the levels that pay by distance. */
  kind: z.enum(['direct', 'master']),
  user_username: z.string(),
  /** Whole for the caller's own referrals, else masked: `l•••@g•••.com`. */
  user_email: z.string(),
  investment_amount: amountText,
  level: z.int(),
  amount: amountText,
  state: z.enum(PAYMENT_STATES),
  status: z.enum(PAYMENT_STATUSES).exclude(['partly_reversed']),
  why: explanation,
})
export type DirectPayment = z.infer<typeof directPayment>

/** A row of GET payments/pasive-payments/. */
export const passivePayment = z.object({
  id: z.int(),
  date: instant,
  current_investment_amount: amountText,
  amount: amountText,
  state: z.enum(PAYMENT_STATES),
  status: z.enum(PAYMENT_STATUSES),
  taken_back: amountText,
  why: explanation,
})
export type PassivePayment = z.infer<typeof passivePayment>

/** A row of GET payments/binary-payments/: a day's match. Points carry 2 to 6 decimals, as amounts do. */
export const binaryPayment = z.object({
  id: z.int(),
  date: instant,
  /** What stood on each leg when the day was matched, what was carried into it included. */
  left_points: amountText,
  right_points: amountText,
  matched_points: amountText,
  percentage: z.string(),
  amount: amountText,
  /** Above the day's cap; not paid. */
  flushed: amountText,
  /** What each leg takes on to the next day. */
  carry_left: amountText,
  carry_right: amountText,
  state: z.enum(PAYMENT_STATES),
  /** A match that was paid stands. */
  status: z.enum(PAYMENT_STATUSES).extract(['paid', 'pending']),
  why: explanation,
})
export type BinaryPayment = z.infer<typeof binaryPayment>

/** A day of the calendar, in the plan's time zone. */
const day = z.iso
  .date('dates_invalid')
  .refine((text) => text.startsWith('2'), 'dates_invalid')
  .optional()

/** Which payments: of a kind, of days, the first and the last included, and caused by a person. */
export const paymentsFilter = z.object({
  kind: z.enum(PAYMENT_KINDS, 'payment_kind_invalid').optional(),
  from: day,
  to: day,
  /** The beginnings of the words of a name, or a username; of an own referral also the beginning of the e-mail. */
  q: typedText().min(2, 'input_invalid').max(64, 'input_invalid').optional(),
})
export type PaymentsFilter = z.output<typeof paymentsFilter>

/** The query of GET payments/all/. */
export const paymentsQuery = z.object({ ...pageQuery.shape, ...paymentsFilter.shape })

/** A row of GET payments/all/: a payment of any kind, dated as the statement dates it. */
export const payment = z.object({
  id: z.int(),
  date: instant,
  kind: z.enum(PAYMENT_KINDS),
  /** Whose investment caused it; null where no person did. */
  user_username: z.string().nullable(),
  /** Whole for the caller's own referrals, else masked: `l•••@g•••.com`. */
  user_email: z.string().nullable(),
  level: z.int().nullable(),
  /** What the percentage was taken of: an investment, or of a match its points. */
  basis: amountText,
  amount: amountText,
  state: z.enum(PAYMENT_STATES),
  status: z.enum(PAYMENT_STATUSES),
  taken_back: amountText,
  why: explanation,
})
export type Payment = z.infer<typeof payment>

/** GET payments/totals/: of what GET payments/all/ lists under the same filter. */
export const paymentTotals = z.object({
  count: z.int(),
  /** The sum of the rows' amounts. */
  amount: amountText,
  /** Of it, what has not arrived. */
  waiting: amountText,
  /** Of it, what reversals took back. */
  taken_back: amountText,
  /** What is left: arrived, and not taken back. */
  received: amountText,
})
export type PaymentTotals = z.infer<typeof paymentTotals>

/** A row of GET payments/binary-points-payments/: points that an investment below gave to one leg. */
export const binaryPoints = z.object({
  id: z.int(),
  date: instant,
  user_username: z.string(),
  /** Whole for the caller's own referrals, else masked: `l•••@g•••.com`. */
  user_email: z.string(),
  leg: z.enum(['L', 'R']),
  points: amountText,
  investment_amount: amountText,
  /** `open` until its day is matched; `reversed`: the investment was taken back, and its points with it. */
  state: z.enum(['open', 'counted', 'reversed']),
})
export type BinaryPoints = z.infer<typeof binaryPoints>

/** GET payments/binary-standing/: a member's legs as of the last day that was matched. */
export const binaryStanding = z.object({
  /** The last day matched, "2026-11-20"; null before the first. */
  as_of: z.string().nullable(),
  left_points: amountText,
  right_points: amountText,
  qualified: z.boolean(),
  /** What keeps the member from earning now; empty when qualified. */
  lacking: z.array(z.enum(['investment', 'active_left', 'active_right'])),
  percentage: z.string(),
  daily_cap: amountText,
})
export type BinaryStanding = z.infer<typeof binaryStanding>

/** Why something was not paid. `skipped`: compression passed it on to the next active sponsor. */
export const NOT_PAID_REASONS = [
  'inactive',
  'skipped',
  'flushed',
  'no_active_left',
  'no_active_right',
  'no_active_referrals',
  'capped',
  'pro_rata',
] as const
export type NotPaidReason = (typeof NOT_PAID_REASONS)[number]

/** A row of GET payments/not-paid/: what the member was not paid, and why. */
export const notPaid = z.object({
  id: z.string(),
  date: instant,
  kind: z.enum(PAYMENT_KINDS),
  reason: z.enum(NOT_PAID_REASONS),
  amount: amountText,
  level: z.int().nullable(),
  user_username: z.string().nullable(),
  sentence: z.string(),
})
export type NotPaid = z.infer<typeof notPaid>

/** GET payments/why/{id}/: everything behind one payment. `id` is a row's own. */
export const paymentWhy = z.object({
  id: z.int(),
  kind: z.enum(PAYMENT_KINDS),
  date: instant,
  amount: amountText,
  state: z.enum(PAYMENT_STATES),
  sentence: z.string(),
  plan_version: z.int(),
  /** The rule in one sentence. */
  rule: z.string(),
  /** The figures that went in, labelled in the request's language, written for people. */
  inputs: z.array(z.object({ name: z.string(), label: z.string(), value: z.string() })),
  /** Step by step, plain decimals: `1000.00 × 10 % ÷ 30 = 3.333333`. */
  arithmetic: z.array(z.string()),
  run: z.object({ id: z.int(), period: z.string(), input_hash: z.string(), items_hash: z.string() }),
})
export type PaymentWhy = z.infer<typeof paymentWhy>

/** A month of GET payments/earnings/{year}/, which answers twelve. */
export const monthEarnings = z.object({
  month: z.int().min(1).max(12),
  /** The daily percentages of the month added up, decimal text. */
  summed_percentage: z.string(),
  /** What was paid in the month less what reversals took back in it; the three parts add up to it. */
  amount: amountText,
  passive: amountText,
  direct: amountText,
  binary: amountText,
})
export type MonthEarnings = z.infer<typeof monthEarnings>

/** GET payments/statement/?from=&to=: CSV of the member's own ledger, days inclusive, in the plan's time zone. */
export const statementQuery = z.object({
  from: z.iso.date('dates_invalid').optional(),
  to: z.iso.date('dates_invalid').optional(),
})
