/** What payout runs left in a database, a fingerprint for each table: equal in two databases exactly when every row is. */
import type pg from 'pg'

/** Ids of runs and journals may differ where an attempt was killed; kind and period may not. */
const RUN = "r.kind || ' ' || r.period"

const FINGERPRINTS = {
  runs: `SELECT concat_ws('|', ${RUN}, r.state, r.plan_version, r.rate, r.item_count, r.item_sum, r.item_largest, r.payable, r.not_paid,
      r.posted_count, r.input_hash, r.items_hash, r.inputs, r.at) AS line FROM payout_run r`,
  seals: `SELECT ${RUN} || seal_payout_run(r.id) AS line FROM payout_run r`,
  items: `SELECT concat_ws('|', ${RUN}, i.member_id, i.leg, i.kind, i.amount, i.basis, i.level, i.investment_id) AS line
    FROM payout_item i JOIN payout_run r ON r.id = i.run_id`,
  pages: `SELECT concat_ws('|', ${RUN}, p.block, p.members, p.bases, p.amounts) AS line FROM payout_page p JOIN payout_run r ON r.id = p.run_id`,
  postings: `SELECT concat_ws('|', p.member_id, p.leg, p.kind, p.source, p.destination, p.amount, p.at, coalesce(${RUN}, j.kind)) AS line
    FROM posting p JOIN journal j ON j.id = p.journal_id LEFT JOIN payout_run r ON r.journal_id = j.id`,
  balances: `SELECT b::text AS line FROM member_balance b`,
  house: `SELECT h::text AS line FROM house_balance h`,
} as const

export type Fingerprints = Readonly<Record<keyof typeof FINGERPRINTS, string>>

export async function fingerprintsOf(client: pg.ClientBase): Promise<Fingerprints> {
  const found: [string, string][] = []
  for (const [name, query] of Object.entries(FINGERPRINTS)) {
    const { rows } = await client.query<{ print: string }>(
      `SELECT count(*) || ':' || coalesce(md5(string_agg(md5(line), '' ORDER BY md5(line))), '') AS print FROM (${query}) lines`,
    )
    found.push([name, rows[0]?.print ?? ''])
  }
  return Object.fromEntries(found) as Fingerprints
}
