/** What runs read of closed history: principal, investments, chains, as of a moment that never changes again. */
import type { Db, Tx } from '@aval/db'
import type { Upline } from '@aval/plan'
import { sql } from 'kysely'
import { type Moment, since } from '../../../core/network.sql.ts'
import { query, queryColumn, queryFirst, queryValue } from '../../../core/query.sql.ts'
import { BLOCK, type Carried } from '../runs/runs.rules.ts'
import type { Invested, MatchInputs } from './engine.rules.ts'

export interface Principals {
  readonly members: bigint[]
  readonly principals: bigint[]
}

/**
 * Members with principal at the moment, ids `from` to `to`, in order. Once the period is closed the answer never changes
 * again.
 */
export async function selectPrincipals(
  db: Db,
  moment: Moment,
  from: number,
  to: number,
): Promise<Principals> {
  const packed = await queryValue<Buffer | null>(db)`
    WITH later AS MATERIALIZED (SELECT member_id, sum(amount)::bigint AS amount FROM (${since(moment)}) changes
      WHERE member_id BETWEEN ${from} AND ${to} GROUP BY member_id)
    SELECT string_agg(int8send(member_id) || int8send(principal), ''::bytea) FROM (
      SELECT b.member_id, b.principal - coalesce(l.amount, 0) AS principal
      FROM member_balance b LEFT JOIN later l ON l.member_id = b.member_id
      WHERE b.member_id BETWEEN ${from} AND ${to} ORDER BY b.member_id) standing
    WHERE principal <> 0`
  const members: bigint[] = []
  const principals: bigint[] = []
  if (packed !== null) {
    const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
    for (let at = 0; at < packed.byteLength; at += 16) {
      members.push(view.getBigInt64(at))
      principals.push(view.getBigInt64(at + 8))
    }
  }
  return { members, principals }
}

/**
 * What members had earned of passive profit before a day, net of reversals: what stands now, less what runs of this day and
 * later posted, plus what reversals since took back.
 */
export async function selectPassiveEarned(
  db: Db,
  run: { period: string; cutoff: Date },
  members: readonly bigint[],
): Promise<bigint[]> {
  const rows = await query<{ member_id: bigint; earned: bigint }>(db)`
    SELECT b.member_id, (b.earned_passive
      - coalesce((SELECT sum(p.amount) FROM payout_run r JOIN posting p ON p.member_id = b.member_id AND p.journal_id = r.journal_id
          WHERE r.kind = 'passive' AND r.period >= ${run.period}), 0)
      - coalesce((SELECT sum(a.amounts[array_position(a.members, (b.member_id % 1024)::smallint)]) FROM payout_run r
          JOIN archived_payout a ON a.block = b.member_id / 1024 AND a.journal_id = r.journal_id AND a.kind = 'passive'
          WHERE r.kind = 'passive' AND r.period >= ${run.period}), 0)
      + coalesce((SELECT sum(t.amount) FROM reversal_part t
          WHERE t.member_id = b.member_id AND t.pool = 'profit' AND t.at >= ${run.cutoff}), 0))::bigint AS earned
    FROM member_balance b WHERE b.member_id = ANY(${members.map(String)}::bigint[]) ORDER BY b.member_id`
  const earned = new Map(rows.map((row) => [row.member_id, row.earned]))
  return members.map((id) => earned.get(id) ?? 0n)
}

/** Investments of a batch, in the order in which they were made. */
export async function selectBatch(db: Db, first: bigint, last: bigint): Promise<Invested[]> {
  return query<Invested>(db)`
    SELECT id, member_id AS "memberId", amount FROM investment WHERE id BETWEEN ${first} AND ${last} ORDER BY id`
}

/** What was invested from `from` up to `until`, and, below zero, what was taken back. A withdrawal takes no points back. */
export async function selectMovements(db: Db, from: Date, until: Date): Promise<MatchInputs['movements']> {
  return query<MatchInputs['movements'][number]>(db)`
    SELECT member_id AS "memberId", amount FROM (
      SELECT id, member_id, amount FROM investment WHERE credited_at >= ${from} AND credited_at < ${until}
      UNION ALL SELECT id, member_id, -amount FROM reversal WHERE at >= ${from} AND at < ${until}) moved
    ORDER BY id`
}

/** Extra percentage points at the first level, by sponsor, as of a number of history. */
export async function selectExtraPercents(db: Db, asOf: bigint): Promise<Map<number, string>> {
  const rows = await query<{ sponsor_id: bigint; percent: string }>(db)`
    SELECT DISTINCT ON (sponsor_id) sponsor_id, percent FROM extra_percent WHERE id < ${asOf} ORDER BY sponsor_id, id DESC`
  return new Map(rows.map((row) => [Number(row.sponsor_id), row.percent]))
}

/**
 * The sponsor chain above a member, nearest first, as of a number of history: the levels that pay by distance and every
 * master link up to the root, or the whole chain when `levels` is null. It recurses over the narrow sponsor table alone; who
 * was active is read after it.
 */
export async function selectUplines(
  db: Db,
  memberId: bigint,
  levels: number | null,
  asOf: bigint,
): Promise<Upline[]> {
  const rows = await query<Omit<Upline, 'active'>>(db)`
    WITH RECURSIVE up (member_id, below, level) AS (
      SELECT sponsor_id, member_id, 1 FROM sponsorship WHERE member_id = ${memberId} AND sponsor_id IS NOT NULL
      UNION ALL
      SELECT s.sponsor_id, s.member_id, up.level + 1 FROM up JOIN sponsorship s ON s.member_id = up.member_id
      WHERE s.sponsor_id IS NOT NULL
    )
    SELECT up.member_id AS "memberId", up.level, m.member_id IS NOT NULL AS "masterLink",
      coalesce((SELECT percent FROM extra_percent e WHERE e.sponsor_id = up.member_id AND e.id < ${asOf}
        ORDER BY e.id DESC LIMIT 1), '0') AS "extraPercent"
    FROM up LEFT JOIN master_code m ON m.member_id = up.below AND m.id < ${asOf}
    WHERE up.level <= coalesce(${levels}::int, up.level) OR m.member_id IS NOT NULL ORDER BY up.level`
  const payees = rows.map(({ memberId }) => memberId)
  const active = await selectActive(db, payees, asOf)
  return rows.map((row) => ({ ...row, active: active.has(row.memberId) }))
}

/** Which of these had principal as of a number of history. */
export async function selectActive(db: Db, ids: readonly bigint[], asOf: bigint): Promise<Set<bigint>> {
  const active = await queryColumn<bigint>(db)`
    SELECT b.member_id FROM member_balance b WHERE b.member_id = ANY(${ids.map(String)}::bigint[]) AND b.principal
      - coalesce((SELECT sum(amount) FROM investment i WHERE i.member_id = b.member_id AND i.id > ${asOf}), 0)
      + coalesce((SELECT sum(amount) FROM reversal v WHERE v.member_id = b.member_id AND v.id > ${asOf}), 0)
      - coalesce((SELECT sum(amount) FROM principal_movement w WHERE w.member_id = b.member_id AND w.id > ${asOf}), 0) > 0`
  return new Set(active)
}

/** What the day carries into the block `b.block`: what the latest earlier run that changed it carried out. Reads that row alone. */
export const carriedInto = (period: string) => sql`
  SELECT c.run_id, c.lefts, c.rights, c.events FROM binary_carry c JOIN payout_run e ON e.id = c.run_id AND e.state <> 'cancelled'
  WHERE c.block = b.block AND c.period < ${period} ORDER BY c.period DESC LIMIT 1`

/** What a day carries in. */
export async function readCarry(db: Db, size: number, period: string): Promise<Carried> {
  // Room for the last block whole.
  const room = Math.ceil(size / BLOCK) * BLOCK
  const carry = {
    left: new BigInt64Array(room),
    right: new BigInt64Array(room),
    events: new Int32Array(room),
  }
  for (let after = -1; after * BLOCK < size; after += 256) {
    const rows = await query<{ block: number; lefts: string; rights: string; events: string }>(db)`
      SELECT b.block, c.lefts::text AS lefts, c.rights::text AS rights, c.events::text AS events
      FROM generate_series(${after + 1}::int, ${after + 256}::int) AS b (block) CROSS JOIN LATERAL (${carriedInto(period)}) c`
    for (const row of rows) {
      const at = row.block * BLOCK
      fill(row.lefts, (index, text) => {
        carry.left[at + index] = BigInt(text)
      })
      fill(row.rights, (index, text) => {
        carry.right[at + index] = BigInt(text)
      })
      fill(row.events, (index, text) => {
        carry.events[at + index] = Number.parseInt(text, 10)
      })
    }
  }
  return carry
}

function fill(array: string, put: (index: number, text: string) => void): void {
  for (const [index, text] of array.slice(1, -1).split(',').entries())
    if (text !== '0' && text !== '') put(index, text)
}

/** The rate declared for a day; the last one counts. */
export async function selectDeclared(db: Db, day: string) {
  return queryFirst<{ id: bigint; percentage: string }>(db)`
    SELECT id, percentage FROM declared_rate WHERE day = ${day} ORDER BY id DESC LIMIT 1`
}

export async function selectDeclaredById(db: Db, id: bigint): Promise<string | null> {
  const rows = await query<{ percentage: string }>(db)`SELECT percentage FROM declared_rate WHERE id = ${id}`
  return rows[0]?.percentage ?? null
}

/** Until the transaction ends, nobody else who says what was declared for the day declares another rate. */
export async function lockDay(tx: Tx, day: string): Promise<void> {
  await query(tx)`SELECT pg_advisory_xact_lock(hashtextextended(${`rate.declare ${day}`}, 0))`
}

export async function insertDeclared(
  tx: Tx,
  declared: { day: string; percentage: string; reason: string | null; operatorId: bigint; now: Date },
): Promise<void> {
  const { day, percentage, reason, operatorId, now } = declared
  await query(tx)`SELECT declare_rate(${day}, ${percentage}, ${reason}, ${operatorId}, ${now})`
}
