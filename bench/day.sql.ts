/** The payout day as its tables show it. */
import type pg from 'pg'

/**
 * Marks what came before the measured day as paid, so that the day pays for itself alone: direct runs cover every investment
 * before today's, the midnight before has its two runs, and the books are closed up to it. They are runs of nothing, because
 * the loaded history has no payments.
 */
export async function markHistoryPaid(
  client: pg.ClientBase,
  paid: { readonly day: string; readonly matched: string; readonly cutoff: Date },
  lastInvestment: number,
): Promise<void> {
  await client.query('SELECT close_period($1)', [paid.cutoff])
  await client.query(
    `INSERT INTO payout_run (kind, period, cutoff_at, plan_version, state, at, finished_at, first_investment, last_investment, as_of)
     SELECT kind, period, $1, 1, 'done', $1, $1, first, last, last FROM (VALUES
       ('direct', '1-' || $4::bigint, 1, $4::bigint), ('passive', $2, NULL, NULL), ('binary', $3, NULL, NULL)
     ) run (kind, period, first, last) WHERE last IS NULL OR last > 0`,
    [paid.cutoff, paid.day, paid.matched, lastInvestment],
  )
  await client.query('UPDATE payout_run SET items_hash = seal_payout_run(id)')
}

export interface PaidSoFar {
  readonly postings: number
  readonly items: number
  readonly lastJournal: string
  readonly unfinished: number
}

/** Items of commissions are rows, those of passive profit are kept by pages. */
export async function selectPaidSoFar(client: pg.ClientBase): Promise<PaidSoFar> {
  const { rows } = await client.query<PaidSoFar>(
    `SELECT (SELECT count(*)::int FROM posting WHERE member_id <> 0) AS postings,
       ((SELECT count(*) FROM payout_item) + (SELECT coalesce(sum(item_count), 0) FROM payout_page))::int AS items,
       (SELECT coalesce(max(id), 0)::text FROM journal) AS "lastJournal",
       (SELECT count(*)::int FROM payout_run WHERE state <> 'done') AS unfinished`,
  )
  if (rows[0] === undefined) throw new Error('the counts answered nothing')
  return rows[0]
}
