import { z } from 'zod'
import { amountText, instant, otpField, typedMark, typedText } from './common.ts'
import { openDecision } from './decisions.ts'
import { POOLS } from './overview.ts'

export const RUN_KINDS = ['passive', 'direct', 'binary'] as const
/** `held` waits for money or for an operator; `cancelled` was discarded and is computed again by another run. */
export const RUN_STATES = ['computing', 'sealed', 'held', 'released', 'posting', 'done', 'cancelled'] as const

/** What a run is checked for before anything is posted. */
export const RUN_CHECKS = [
  'rate_above_plan',
  'change_too_large',
  'direct_rate_changed',
  'member_above_cap',
  'run_above_cap',
  'computed_otherwise',
  'not_computed_twice',
  'not_computable',
  'pool_short',
] as const
export type RunCheckName = (typeof RUN_CHECKS)[number]

export const AUDIT_VERDICTS = ['matches', 'differs', 'unable'] as const

/** Where two computations of a run differ. Null where one side has nothing of the kind. */
export const runDifference = z.object({
  member: z.int().nullable(),
  of: z.string(),
  field: z.string(),
  sealed: z.string().nullable(),
  recomputed: z.string().nullable(),
})

/** A row of GET operator/runs/. */
export const payoutRun = z.object({
  id: z.int(),
  kind: z.enum(RUN_KINDS),
  /** A day, "2026-11-20"; of a direct run the numbers of its first and last investment, "208-211". */
  period: z.string(),
  /** Whose investment a direct run pays the commissions of; null when there are several. */
  investor: z.string().nullable(),
  state: z.enum(RUN_STATES),
  /** Why a held run waits, one sentence each, in the request's language. */
  reasons: z.array(z.object({ check: z.enum(RUN_CHECKS), sentence: z.string() })),
  /** How far the present stage is: members computed, or items posted. `per_second` since it began; 0 when unknown. */
  progress: z.object({ done: z.int(), total: z.int(), per_second: z.int() }),
  items: z.int(),
  posted: z.int(),
  total: amountText,
  /** What is really paid: less than the total after a pro rata release. */
  payable: amountText,
  missing: amountText,
  /** What nobody qualified for, or was flushed; it stays in the pool. */
  not_paid: amountText,
  plan_version: z.int(),
  /** Percent of principal this day pays, decimal text; null but for passive runs. */
  rate: z.string().nullable(),
  input_hash: z.string(),
  items_hash: z.string(),
  /** What the second computation came to; null until there is one. `unable`: the auditor does not know something of the plan. */
  audit: z
    .object({
      verdict: z.enum(AUDIT_VERDICTS),
      at: instant,
      /** Of the auditor. */
      version: z.string(),
      /** The first ten. */
      differences: z.array(runDifference),
    })
    .nullable(),
  /** Username of the operator who released it in spite of its checks, or pro rata. */
  released_by: z.string().nullable(),
  /** To release it, whole or pro rata: proposed, and not approved by enough operators yet. */
  decision: openDecision.nullable(),
  created_at: instant,
  finished_at: instant.nullable(),
})
export type PayoutRun = z.infer<typeof payoutRun>

/** POST operator/runs/{id}/release/: proposes it in spite of its checks; never past an empty pool. Also prorate/ and cancel/. */
export const runDecisionBody = z.object({ note: z.string().trim().max(200).optional(), otp: otpField })

/**
 * Decimal percent of principal a day, "0.25"; at most the plan's own. `was`: what is declared for the day as the operator saw it, null for
 * nothing; refused where it is something else by now. `reason`: what members read of a day that pays less than the plan, which needs one.
 */
export const declareRateBody = z.object({
  day: z.iso.date('dates_invalid'),
  percentage: z
    .union([typedMark().max(16), z.number()])
    .transform(String)
    .refine((text) => /^(0|[1-9]\d{0,2})(\.\d{1,6})?$/.test(text), 'rate_invalid'),
  was: z.string().max(16).nullable().optional(),
  reason: z.string().trim().max(300).optional(),
  otp: otpField,
})

/** A row of GET operator/rates/: what passive profit pays on a day. */
export const declaredRate = z.object({
  day: z.string(),
  percentage: z.string(),
  /** The plan's own rate of that day. */
  target: z.string(),
  /** What members read; null of the plan's own rate, and of rates of before there was one. */
  reason: z.string().nullable(),
  declared_by: z.string(),
  declared_at: instant,
})
export type DeclaredRate = z.infer<typeof declaredRate>

/** GET operator/plans/: every version, newest first; the document is as its schema wants it. */
export const planVersion = z.object({
  version: z.int(),
  starts_at: instant,
  current: z.boolean(),
  document: z.record(z.string(), z.unknown()),
})
export type PlanVersion = z.infer<typeof planVersion>

/** POST operator/plans/: proposes a plan from a day on. */
export const newPlanBody = z.object({
  starts_on: z.iso.date('dates_invalid'),
  document: z.record(z.string(), z.unknown()),
  otp: otpField,
})

/** GET operator/runs/: of those that are neither done nor cancelled alone. */
export const runsFilter = z.object({ state: z.enum(['open']).optional() })
/** GET operator/investments/: of members whose username or e-mail begins so; an address has at most 254 characters. */
export const investmentsFilter = z.object({ member: typedText().max(254).optional() })

/** A row of GET operator/investments/?member=<username or e-mail>. */
export const operatorInvestment = z.object({
  id: z.int(),
  member: z.string(),
  member_id: z.int(),
  amount: amountText,
  date: instant,
  from_balance: z.boolean(),
  /** `open`: its commissions are not settled yet, and it cannot be reversed. */
  state: z.enum(['open', 'settled', 'reversed']),
})
export type OperatorInvestment = z.infer<typeof operatorInvestment>

/** What a reversal takes back from one member. */
export const reversalPart = z.object({
  member: z.string(),
  pool: z.enum(POOLS),
  amount: amountText,
  /** Taken from the balance at once; the rest is owed. */
  from_balance: amountText,
  owed: amountText,
})

/** GET operator/investments/{id}/reversal/: what reversing would do; POST proposes it and answers the same. */
export const reversal = z.object({
  investment: operatorInvestment,
  parts: z.array(reversalPart),
  message: z.string(),
})
export type Reversal = z.infer<typeof reversal>
export const reverseBody = z.object({
  reason: z.string().trim().min(3, 'field_required').max(200),
  otp: otpField,
})

/** POST operator/elevation/: a code that then stands for calls which take none of their own, in this session, for 15 minutes. */
export const elevationBody = z.object({ otp: otpField })

/** POST operator/members/{member}/end-sessions/ */
export const endSessionsBody = z.object({
  reason: z.string().trim().min(3, 'field_required').max(200),
  otp: otpField,
})
