/** What reversals took back of a member's passive profit, day by day. It is posted in one sum, which these add up to. */
import type { Db } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import { type PaidDay, passiveShare } from '@aval/plan'
import { query } from '../../core/query.sql.ts'

/** A reversal of one of the member's own investments. */
export interface OwnReversal {
  readonly at: Date
  readonly invested: bigint
  readonly invested_at: Date
  /** All the passive profit that it took back. */
  readonly profit: bigint
}

/** What a reversal took back of one day. */
export interface TakenBack {
  readonly reversal: OwnReversal
  readonly amount: Micro
}

/** In the order in which they were made; few members have any. */
export async function reversalsOf(db: Db, memberId: bigint): Promise<OwnReversal[]> {
  return query<OwnReversal>(db)`
    SELECT v.at, v.amount AS invested, n.credited_at AS invested_at, coalesce((SELECT sum(p.amount) FROM reversal_part p
      WHERE p.member_id = v.member_id AND p.reversal_id = v.id AND p.pool = 'profit'), 0)::bigint AS profit
    FROM reversal v JOIN investment n ON n.member_id = v.member_id AND n.id = v.investment_id
    WHERE v.member_id = ${memberId} ORDER BY v.id`
}

/** What reversals took back of a day: of those whose investment the day was paid on, each after the ones before it. */
export function takenBackOf(
  day: Omit<PaidDay, 'reversedBefore'>,
  cutoffAt: Date,
  reversals: readonly OwnReversal[],
): TakenBack[] {
  const taken: TakenBack[] = []
  let reversedBefore = 0n
  for (const reversal of reversals) {
    if (reversal.invested_at >= cutoffAt || reversal.at < cutoffAt) continue
    const share = passiveShare({ ...day, reversedBefore: micro(reversedBefore) }, micro(reversal.invested))
    reversedBefore += reversal.invested
    if (share > 0n) taken.push({ reversal, amount: share })
  }
  return taken
}

/** Of the whole payment, what was taken back. */
export const sumTakenBack = (taken: readonly TakenBack[]): Micro =>
  micro(taken.reduce((sum, { amount }) => sum + amount, 0n))
