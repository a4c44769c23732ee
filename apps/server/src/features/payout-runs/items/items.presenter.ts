import type { RunDigest, RunItem } from '@aval/contract'
import { GONE_REASONS, NOT_PAID_REASONS } from '@aval/contract'
import { formatAmount } from '@aval/money'
import { paymentId } from '../../../core/ids.ts'
import { percentOfRate } from '../payout-runs.rules.ts'
import type { Digest, FoundItem, SealedRun } from './items.queries.ts'

const amountOrNull = (amount: bigint | null) => (amount === null ? null : formatAmount(amount))

interface Shown {
  readonly run: SealedRun
  /** Whether the rows are payments, whose computation can be asked for. */
  readonly isPaid: boolean
  readonly prorata: { readonly available: bigint; readonly sum: bigint } | null
}

/** A row of GET operator/runs/{id}/items/. */
export function presentItem(row: FoundItem, { run, isPaid, prorata }: Shown): RunItem {
  const share = prorata === null || !isPaid ? row.shared : (row.amount * prorata.available) / prorata.sum
  return {
    member_id: Number(row.member_id),
    username: row.username,
    leg: row.leg,
    payment: isPaid && run.state !== 'cancelled' ? paymentId(run.id, row.leg) : null,
    kind: row.kind,
    level: row.level,
    amount: formatAmount(row.amount),
    share: amountOrNull(share),
    basis: amountOrNull(row.basis),
    percentage: row.kind === 'passive' ? percentOfRate(run.rate) : row.percentage,
    from_username: row.from_username,
    investment: row.investment_id === null ? null : Number(row.investment_id),
    left_points: amountOrNull(row.left_points),
    right_points: amountOrNull(row.right_points),
    flushed: amountOrNull(row.flushed),
    before: amountOrNull(row.before),
    reason: GONE_REASONS.find((reason) => reason === row.reason) ?? null,
  }
}

const counted = ([count, amount]: readonly [number, bigint]) => ({ count, amount: formatAmount(amount) })
const NONE = counted([0, 0n])
const EMPTY: RunDigest = {
  ready: false,
  ...{
    rules: [],
    missed: [],
    before: null,
    fresh: NONE,
    gone: NONE,
    gone_reasons: [],
    raised: 0,
    lowered: 0,
  },
}

function reasoned<Reason extends string>(
  rows: readonly (readonly [string, number, bigint])[],
  reasons: readonly Reason[],
): { reason: Reason; count: number; amount: string }[] {
  return rows.flatMap(([name, ...sum]) => {
    const reason = reasons.find((known) => known === name)
    return reason === undefined ? [] : [{ reason, ...counted(sum) }]
  })
}

/** GET operator/runs/{id}/digest/ */
export function presentDigest(digest: Digest | null): RunDigest {
  if (digest === null) return EMPTY
  const { figures, before } = digest
  return {
    ready: true,
    rules: figures.rules.map(([kind, level, count, amount, basis]) => ({
      kind,
      level,
      count,
      amount: formatAmount(amount),
      basis: formatAmount(basis),
    })),
    missed: reasoned(figures.missed, NOT_PAID_REASONS),
    before:
      before === undefined
        ? null
        : {
            id: Number(before.id),
            period: before.period,
            amount: formatAmount(before.item_sum),
            items: before.item_count,
          },
    fresh: counted(figures.fresh_sum),
    gone: counted(figures.gone_sum),
    gone_reasons: reasoned(figures.gone_reasons, GONE_REASONS),
    raised: figures.raised,
    lowered: figures.lowered,
  }
}
