import type { Locale, PayoutRun } from '@aval/contract'
import { formatMicro, micro } from '@aval/money'
import { say } from '../../core/messages.ts'
import type { StoredRun } from './payout-runs.queries.ts'
import { missingOf, percentOfRate, progressOf, releasedBy, waitingFor } from './payout-runs.rules.ts'

const text = (amount: bigint): string => formatMicro(micro(amount))

/** A row of GET operator/runs/. */
export function presentRun(run: StoredRun, locale: Locale): PayoutRun {
  return {
    id: Number(run.id),
    kind: run.kind,
    period: run.period,
    investor: run.investor,
    state: run.state,
    reasons: waitingFor(run).map(({ check, params }) => ({
      check,
      sentence: say(locale, `objection_${check}`, params),
    })),
    progress: progressOf(run),
    items: run.item_count,
    posted: run.posted_count,
    total: text(run.item_sum),
    payable: text(run.payable),
    missing: text(missingOf(run)),
    not_paid: text(run.not_paid),
    plan_version: run.plan_version,
    rate: percentOfRate(run.rate),
    input_hash: run.input_hash ?? '',
    items_hash: run.items_hash ?? '',
    released_by: releasedBy(run),
    created_at: run.at.toISOString(),
    finished_at: run.finished_at?.toISOString() ?? null,
  }
}
