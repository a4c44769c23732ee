/** What a payout run tells an operator, from what is stored of it. */
import { AUDIT_VERDICTS, type PayoutRun, type RunCheckName, runDifference } from '@aval/contract'
import { type Micro, micro, ratio, ratioToPercentText } from '@aval/money'
import { z } from 'zod'

const amount = z
  .string()
  .regex(/^-?\d{1,18}$/)
  .transform((text) => micro(BigInt(text)))

const percentage = z.string().transform((decimal) => ({ decimal }))

/** Objections as a run's seal writes them down. */
const objections = z.array(
  z.discriminatedUnion('check', [
    z.object({ check: z.literal('rate_above_plan'), rate: percentage }),
    z.object({ check: z.literal('change_too_large'), now: amount, before: amount }),
    z.object({ check: z.literal('direct_rate_changed'), now: percentage, before: percentage }),
    z.object({ check: z.literal('member_above_cap'), largest: amount, limit: amount }),
    z.object({ check: z.literal('run_above_cap'), limit: amount }),
    z.object({ check: z.literal('computed_otherwise') }),
  ]),
)

/** Why a run waits, with what its sentence mentions. */
export interface Waiting {
  readonly check: RunCheckName
  readonly params: Readonly<Record<string, Micro | { decimal: string } | string>>
}

export interface StoredChecks {
  readonly state: string
  readonly objections: unknown
  readonly overruled: boolean
  /** As it is stored. */
  readonly audit: unknown
  readonly missing: bigint
  readonly item_sum: bigint
}

const storedAudit = z
  .object({
    verdict: z.enum(AUDIT_VERDICTS),
    at: z.string(),
    version: z.string(),
    reason: z.string().nullable(),
    differences: z.array(runDifference),
  })
  .nullable()

/** What the second computation of a run came to. */
export function auditOf({ audit }: Pick<StoredChecks, 'audit'>): PayoutRun['audit'] {
  const said = storedAudit.parse(audit)
  return said === null ? null : { ...said, differences: said.differences }
}

/** What a run waits for before anything else: that it is computed a second time. */
function awaitedAudit({ audit }: Pick<StoredChecks, 'audit'>): Waiting[] {
  const said = storedAudit.parse(audit)
  if (said === null) return [{ check: 'not_computed_twice', params: {} }]
  return said.verdict === 'unable' ? [{ check: 'not_computable', params: { reason: said.reason ?? '' } }] : []
}

/**
 * What still speaks against a run: that nobody computed it again, objections until somebody overrules them, and money until its pool has it.
 */
export function waitingFor(run: StoredChecks): Waiting[] {
  if (run.state !== 'sealed' && run.state !== 'held') return []
  const found = run.overruled ? [] : objections.parse(run.objections)
  const waiting = found.map(
    ({ check, ...params }): Waiting => ({
      check,
      params: { ...params, sum: micro(run.item_sum) },
    }),
  )
  waiting.unshift(...awaitedAudit(run))
  if (missingOf(run) > 0n) waiting.push({ check: 'pool_short', params: { missing: missingOf(run) } })
  return waiting
}

/** What the pool lacks; nothing unless the run waits for it. */
export function missingOf(run: Pick<StoredChecks, 'state' | 'missing'>): Micro {
  return micro(run.state === 'held' ? run.missing : 0n)
}

/** A stored rate, "10/3000" of principal, as percent; null where there is none. */
export function percentOfRate(rate: string | null): string | null {
  const [, numerator, denominator] = /^(\d+)\/([1-9]\d*)$/.exec(rate ?? '') ?? []
  if (numerator === undefined || denominator === undefined) return null
  return ratioToPercentText(ratio(BigInt(numerator), BigInt(denominator)), 6)
}

export interface StoredProgress {
  readonly state: string
  readonly item_count: number
  readonly posted_count: number
  readonly computed_count: number
  readonly member_count: number
  /** Since the present stage began. */
  readonly seconds: number
}

/** In less than this nothing has a speed. */
const SHORTEST_SECONDS = 1

/** How far the present stage is, and how fast. */
export function progressOf(run: StoredProgress): { done: number; total: number; per_second: number } {
  const { state, seconds, item_count: items } = run
  const isComputing = state === 'computing'
  const isPosting = state === 'released' || state === 'posting'
  if (!isComputing && !isPosting) return { done: items, total: items, per_second: 0 }
  const [done, total] = isComputing ? [run.computed_count, run.member_count] : [run.posted_count, items]
  return { done, total, per_second: seconds < SHORTEST_SECONDS ? 0 : Math.floor(done / seconds) }
}

/** Who released a run. The operator who cancels one is noted in the same place, and released nothing. */
export function releasedBy(run: {
  readonly state: string
  readonly decided_by: string | null
}): string | null {
  return run.state === 'cancelled' ? null : run.decided_by
}
