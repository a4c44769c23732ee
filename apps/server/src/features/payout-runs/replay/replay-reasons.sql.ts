/** What was written beside the inputs of a run, and tells which of them is another now. The first few of each. */
import type { Db } from '@aval/db'
import { sql } from 'kysely'
import { carriedInto } from '../calculate/network.sql.ts'

const FEW = 20

export interface ChangedInvestment {
  readonly id: bigint
  readonly member_id: bigint
  readonly basis: bigint
  /** Null where there is none any more. */
  readonly amount: bigint | null
}

/** Investments that a direct run's items tell otherwise than they stand there now. */
export async function selectChangedInvestments(db: Db, runId: bigint): Promise<ChangedInvestment[]> {
  const { rows } = await sql<ChangedInvestment>`
    SELECT DISTINCT i.investment_id AS id, i.from_member_id AS member_id, i.basis, n.amount
    FROM payout_item i LEFT JOIN investment n ON n.id = i.investment_id AND n.member_id = i.from_member_id
    WHERE i.run_id = ${runId} AND n.amount IS DISTINCT FROM i.basis ORDER BY 1 LIMIT ${FEW}`.execute(db)
  return rows
}

export interface OtherSponsor {
  readonly member_id: bigint
  readonly sponsor_id: bigint | null
  readonly paid_id: bigint
}

/** Members whose first level was once counted to somebody else than their sponsor is now. */
export async function selectOtherSponsors(db: Db): Promise<OtherSponsor[]> {
  const { rows } = await sql<OtherSponsor>`
    SELECT DISTINCT s.member_id, s.sponsor_id, c.member_id AS paid_id
    FROM (SELECT run_id, from_member_id, member_id FROM payout_item WHERE kind = 'direct' AND level = 1
        UNION SELECT run_id, from_member_id, member_id FROM payout_missed WHERE kind = 'direct' AND level = 1) c
      JOIN payout_run r ON r.id = c.run_id JOIN plan_version v ON v.version = r.plan_version
      JOIN sponsorship s ON s.member_id = c.from_member_id
    WHERE s.sponsor_id IS DISTINCT FROM c.member_id AND NOT coalesce((v.document->'direct'->>'compression')::boolean, false)
    ORDER BY 1 LIMIT ${FEW}`.execute(db)
  return rows
}

/** Members whose place does not go with the chains that were written with it. */
export async function selectUnchained(db: Db): Promise<bigint[]> {
  const { rows } = await sql<{ member_id: bigint }>`
    SELECT p.member_id FROM placement p LEFT JOIN placement up ON up.member_id = p.parent_id
    WHERE p.parent_id IS NOT NULL AND CASE p.leg
      WHEN 'L' THEN p.left_chain IS DISTINCT FROM up.left_chain OR p.right_chain <> p.member_id
      ELSE p.right_chain IS DISTINCT FROM up.right_chain OR p.left_chain <> p.member_id END
    ORDER BY p.member_id LIMIT ${FEW}`.execute(db)
  return rows.map((row) => row.member_id)
}

export interface Miscounted {
  readonly member_id: bigint
  readonly counted: string
  readonly there: string
}

/** Sponsors who counted other referrals at registration than they have. */
export async function selectMiscounted(db: Db): Promise<Miscounted[]> {
  const { rows } = await sql<Miscounted>`
    SELECT p.member_id, p.left_referrals || ' and ' || p.right_referrals AS counted,
      coalesce(n.lefts, 0) || ' and ' || coalesce(n.rights, 0) AS there
    FROM placement p LEFT JOIN (SELECT s.sponsor_id, count(*) FILTER (WHERE c.leg = 'L') AS lefts, count(*) FILTER (WHERE c.leg = 'R') AS rights
      FROM sponsorship s JOIN placement c ON c.member_id = s.member_id GROUP BY s.sponsor_id) n ON n.sponsor_id = p.member_id
    WHERE (p.left_referrals, p.right_referrals) <> (coalesce(n.lefts, 0), coalesce(n.rights, 0))
    ORDER BY p.member_id LIMIT ${FEW}`.execute(db)
  return rows
}

/** The passive run that looked at everybody's principal at the same moment. */
export async function selectDayAt(db: Db, cutoff: Date): Promise<{ id: bigint; blocks: number } | undefined> {
  const { rows } = await sql<{ id: bigint; blocks: number }>`
    SELECT id, (SELECT coalesce(max(block) + 1, 0) FROM payout_page WHERE run_id = id) AS blocks
    FROM payout_run WHERE kind = 'passive' AND cutoff_at = ${cutoff} AND state NOT IN ('computing', 'cancelled')`.execute(
    db,
  )
  return rows[0]
}

/** Runs whose carry a day begins with, and whose rows are not what they sealed. */
export async function selectBrokenCarries(db: Db, period: string): Promise<{ id: bigint; period: string }[]> {
  const { rows } = await sql<{ id: bigint; period: string }>`
    SELECT r.id, r.period FROM payout_run r WHERE r.items_hash IS DISTINCT FROM seal_payout_run(r.id) AND r.id IN (
      SELECT c.run_id FROM generate_series(0, (SELECT max(block) FROM binary_carry)) AS b (block)
        CROSS JOIN LATERAL (${carriedInto(period)}) c)
    ORDER BY r.period LIMIT ${FEW}`.execute(db)
  return rows
}

export interface Moved {
  readonly id: bigint
  readonly amount: bigint
}

/** What a member invested in a span of time, and, below zero, what was taken back. */
export async function selectMovedBy(db: Db, memberId: bigint, from: Date, until: Date): Promise<Moved[]> {
  const { rows } = await sql<Moved>`
    SELECT id, amount FROM investment WHERE member_id = ${memberId} AND credited_at >= ${from} AND credited_at < ${until}
    UNION ALL
    SELECT investment_id, -amount FROM reversal WHERE member_id = ${memberId} AND at >= ${from} AND at < ${until}
    ORDER BY id LIMIT ${FEW}`.execute(db)
  return rows
}
