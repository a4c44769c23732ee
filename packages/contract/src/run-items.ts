/** A run's sealed items as operators read them, its calendar, the cost of a lower rate, and runs computed again by a press. */
import { z } from 'zod'
import { amountText, instant, typedMark, typedText } from './common.ts'
import { NOT_PAID_REASONS } from './earnings.ts'
import { RUN_KINDS, RUN_STATES, runDifference } from './operator.ts'
import { POOLS } from './overview.ts'

/**
 * `items` in the order of members; `largest` the thousand largest; `changes`, `fresh` and `gone` beside the run before of the same kind, a
 * hundred each; `missed` what was not paid.
 */
export const RUN_ITEM_VIEWS = ['items', 'largest', 'changes', 'fresh', 'gone', 'missed'] as const
export type RunItemView = (typeof RUN_ITEM_VIEWS)[number]

/** Why a member of the run before is not in this one, besides what was written down as not paid. */
export const GONE_REASONS = [...NOT_PAID_REASONS, 'rate_zero', 'no_principal', 'nothing_due'] as const

/** GET operator/runs/{id}/items/?view=&member=&after= */
export const runItemsFilter = z.object({
  view: z.enum(RUN_ITEM_VIEWS).optional(),
  /** Username, e-mail or number. */
  member: typedText().max(254).optional(),
})
export const runItemsQuery = runItemsFilter.extend({
  /** `next` of the answer before. */
  after: z
    .string()
    .regex(/^\d{1,18}(-\d{1,9})?$/)
    .optional(),
})

export const runItem = z.object({
  member_id: z.int(),
  username: z.string(),
  /** Numbers a member's items within the run. */
  leg: z.int(),
  /** Of the member's payments, as GET operator/members/{id}/why/{payment}/ takes it; null for what is no payment. */
  payment: z.int().nullable(),
  kind: z.enum(['passive', 'direct', 'master', 'binary']),
  level: z.int().nullable(),
  /** As sealed; of `gone` what the run before paid, of `missed` what was not paid. */
  amount: amountText,
  /** After a pro rata release; before one, what it would pay with what the pool has now. Null where the whole amount is paid. */
  share: amountText.nullable(),
  basis: amountText.nullable(),
  percentage: z.string().nullable(),
  from_username: z.string().nullable(),
  investment: z.int().nullable(),
  left_points: amountText.nullable(),
  right_points: amountText.nullable(),
  flushed: amountText.nullable(),
  /** Of the run before; null where that paid this member nothing, or there is none. */
  before: amountText.nullable(),
  reason: z.enum(GONE_REASONS).nullable(),
})
export type RunItem = z.infer<typeof runItem>

export const runItems = z.object({
  /** False while what it is read from is not made yet. */
  ready: z.boolean(),
  results: z.array(runItem),
  /** For `after`; null on the last page. */
  next: z.string().nullable(),
})
export type RunItems = z.infer<typeof runItems>

const counted = z.object({ count: z.int(), amount: amountText })

/** GET operator/runs/{id}/digest/: a sealed run in figures. */
export const runDigest = z.object({
  ready: z.boolean(),
  rules: z.array(
    counted.extend({
      kind: z.enum(['passive', 'direct', 'master', 'binary']),
      level: z.int().nullable(),
      basis: amountText,
    }),
  ),
  missed: z.array(counted.extend({ reason: z.enum(NOT_PAID_REASONS) })),
  /** The run before of the same kind; null where there is none, and of direct runs. */
  before: z.object({ id: z.int(), period: z.string(), amount: amountText, items: z.int() }).nullable(),
  fresh: counted,
  gone: counted,
  gone_reasons: z.array(counted.extend({ reason: z.enum(GONE_REASONS) })),
  raised: z.int(),
  lowered: z.int(),
})
export type RunDigest = z.infer<typeof runDigest>

/** GET operator/runs/calendar/?month=2026-05 */
export const calendarQuery = z.object({
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'dates_invalid')
    .optional(),
})
const dayRun = z.object({ id: z.int(), state: z.enum(RUN_STATES), total: amountText, payable: amountText })
export const runCalendar = z.object({
  month: z.string(),
  today: z.string(),
  days: z.array(
    z.object({
      day: z.string(),
      passive: dayRun.nullable(),
      binary: dayRun.nullable(),
      /** Where there are `more`, count and total are of the first 2,000. */
      direct: z.object({ count: z.int(), more: z.boolean(), total: amountText, held: z.int() }),
      /** Kinds whose run should be there and is not. */
      missing: z.array(z.enum(RUN_KINDS)),
    }),
  ),
})
export type RunCalendar = z.infer<typeof runCalendar>

/** GET operator/rates/cost/?day=&percentage= */
export const rateCostQuery = z.object({
  day: z.iso.date('dates_invalid'),
  percentage: typedMark()
    .max(16)
    .refine((text) => /^(0|[1-9]\d{0,2})(\.\d{1,6})?$/.test(text), 'rate_invalid'),
})
const cost = z.object({
  members: z.int(),
  principal: amountText,
  at_plan: amountText,
  at_declared: amountText,
  /** What members get less. */
  less: amountText,
})
export const rateCost = cost.extend({
  day: z.string(),
  percentage: z.string(),
  target: z.string(),
  /** The run whose principal it is computed from: that of the day where there is one, else the last. Null where nothing was paid yet. */
  run: z.object({ id: z.int(), period: z.string(), state: z.enum(RUN_STATES) }).nullable(),
  pool: amountText,
  /** By principal: from an amount on. */
  classes: z.array(cost.extend({ from: amountText })),
})
export type RateCost = z.infer<typeof rateCost>

export const REPLAY_STATES = ['waiting', 'computing', 'matches', 'differs', 'unsealed'] as const
/** A row of GET operator/runs/{id}/replays/: the run computed again. */
export const runReplay = z.object({
  id: z.int(),
  asked_by: z.string(),
  asked_at: instant,
  state: z.enum(REPLAY_STATES),
  progress: z.object({ done: z.int(), total: z.int() }),
  finished_at: instant.nullable(),
  /** As recomputed; null until it is finished. */
  result: z
    .object({
      count: z.int(),
      sum: amountText,
      items_only: z.boolean(),
      inputs: z.array(z.string()),
      differences: z.array(runDifference),
      more: z.int(),
    })
    .nullable(),
})
export type RunReplay = z.infer<typeof runReplay>

export const PREVIEW_RULES = ['passive', 'direct', 'binary'] as const
const previewSide = z.object({ sum: amountText, members: z.int() })
/** POST operator/plan-previews/ {document}; GET operator/plan-previews/{number or SHA-256}/: what a plan would have paid. */
export const planPreview = z.object({
  id: z.int(),
  sha256: z.string(),
  asked_by: z.string(),
  asked_at: instant,
  state: z.enum(['waiting', 'computing', 'done', 'failed']),
  progress: z.object({ done: z.int(), total: z.int() }),
  finished_at: instant.nullable(),
  /** Null until it is finished. */
  result: z
    .object({
      version: z.int(),
      rules: z.array(
        z.object({
          rule: z.enum(PREVIEW_RULES),
          /** A day; of direct the first and last day of thirty; empty where nothing was paid yet. */
          from: z.string(),
          to: z.string(),
          present: previewSide,
          proposed: previewSide,
          gain: z.int(),
          lose: z.int(),
          /** The biggest changes, in either direction. */
          biggest: z.array(
            z.object({
              member_id: z.int(),
              username: z.string(),
              present: amountText,
              proposed: amountText,
            }),
          ),
        }),
      ),
      /** For how many days a pool pays what one day pays; null where it pays nothing. */
      cover: z.array(
        z.object({
          pool: z.enum(POOLS),
          amount: amountText,
          present: z.int().nullable(),
          proposed: z.int().nullable(),
        }),
      ),
    })
    .nullable(),
})
export type PlanPreview = z.infer<typeof planPreview>
export type PlanPreviewResult = NonNullable<PlanPreview['result']>

export const planPreviewBody = z.object({ document: z.record(z.string(), z.unknown()) })
