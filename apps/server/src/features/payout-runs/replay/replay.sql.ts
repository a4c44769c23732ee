/** What a replay reads of a sealed run. It changes nothing, and may take longer than a call. */
import type { Db } from '@aval/db'
import { micro } from '@aval/money'
import { sql } from 'kysely'
import type { Item, Missed } from '../seal/seal.rules.ts'
import type { CarryItem, PassiveItem } from './replay.rules.ts'

export async function takeTime(db: Db): Promise<void> {
  await sql`SET LOCAL statement_timeout = 0`.execute(db)
  await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(db)
}

/** The numbers of all runs above `after`, in order. */
export async function selectRunIds(db: Db, after: bigint, limit: number): Promise<bigint[]> {
  const rows = await db
    .selectFrom('payout_run')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export interface Stored {
  /** Of the rows as they stand there now. */
  readonly seal: string
  readonly not_paid: bigint
  /** One more than the last block that has a page. */
  readonly blocks: number
}

export async function selectStored(db: Db, runId: bigint): Promise<Stored> {
  const { rows } = await sql<Stored>`
    SELECT seal_payout_run(id) AS seal, not_paid, (SELECT coalesce(max(block) + 1, 0) FROM payout_page WHERE run_id = id) AS blocks
    FROM payout_run WHERE id = ${runId}`.execute(db)
  if (rows[0] === undefined) throw new Error(`run ${runId} is gone`)
  return rows[0]
}

export interface PageHead {
  readonly block: number
  readonly item_count: number
  readonly item_sum: bigint
  readonly hash: string
  /** Of the page as it stands there now. */
  readonly real: string
}

export async function selectPageHeads(db: Db, runId: bigint, from: number, to: number): Promise<PageHead[]> {
  const { rows } = await sql<PageHead>`
    SELECT block, item_count, item_sum, hash, encode(sha256(convert_to(
      members::text || bases::text || amounts::text || coalesce(earned::text, ''), 'UTF8')), 'hex') AS real
    FROM payout_page WHERE run_id = ${runId} AND block >= ${from} AND block < ${to} ORDER BY block`.execute(
    db,
  )
  return rows
}

export async function selectPageItems(db: Db, runId: bigint, block: number): Promise<PassiveItem[]> {
  const { rows } = await sql<{ member_id: bigint; basis: bigint; amount: bigint; earned: bigint | null }>`
    SELECT i.* FROM payout_page p, unnest(p.members, p.bases, p.amounts, p.earned) AS i (member_id, basis, amount, earned)
    WHERE p.run_id = ${runId} AND p.block = ${block} ORDER BY i.member_id`.execute(db)
  return rows.map(({ member_id, ...row }) => ({ memberId: member_id, ...row }))
}

const PART = 10_000

/** Rows of a run in the order of members and legs, a part in memory at a time. */
async function* inParts<Row extends { readonly memberId: bigint; readonly leg: number }>(
  read: (after: { memberId: bigint; leg: number }) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after = { memberId: -1n, leg: 0 }
  for (;;) {
    const rows = await read(after)
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < PART) return
    after = { memberId: last.memberId, leg: last.leg }
  }
}

interface ItemRow {
  readonly member_id: bigint
  readonly leg: number
  readonly kind: Item['kind']
  readonly amount: bigint
  readonly basis: bigint
  readonly percentage: string
  readonly level: number | null
  readonly investment_id: bigint | null
  readonly from_member_id: bigint | null
  readonly left_points: bigint | null
  readonly right_points: bigint | null
  readonly flushed: bigint
}

export function eachItems(db: Db, runId: bigint): AsyncGenerator<readonly Item[]> {
  return inParts(async (after) => {
    const { rows } = await sql<ItemRow>`
      SELECT member_id, leg, kind, amount, basis, percentage, level, investment_id, from_member_id, left_points, right_points, flushed
      FROM payout_item WHERE run_id = ${runId} AND (member_id, leg) > (${after.memberId}, ${after.leg})
      ORDER BY run_id, member_id, leg LIMIT ${PART}`.execute(db)
    return rows.map((row) => ({
      memberId: row.member_id,
      leg: row.leg,
      kind: row.kind,
      amount: micro(row.amount),
      basis: micro(row.basis),
      percentage: row.percentage,
      level: row.level,
      investmentId: row.investment_id,
      fromMemberId: row.from_member_id,
      leftPoints: row.left_points,
      rightPoints: row.right_points,
      flushed: micro(row.flushed),
    }))
  })
}

interface MissedRow {
  readonly member_id: bigint
  readonly leg: number
  readonly kind: Missed['kind']
  readonly reason: Missed['reason']
  readonly amount: bigint
  readonly level: number | null
  readonly investment_id: bigint | null
  readonly from_member_id: bigint | null
}

/** Of members from one number up to, and without, another. */
export function eachMissed(
  db: Db,
  runId: bigint,
  { from, to }: { from: number; to: number } = { from: 0, to: 2_000_000_000 },
): AsyncGenerator<readonly Missed[]> {
  return inParts(async (after) => {
    const { rows } = await sql<MissedRow>`
      SELECT member_id, leg, kind, reason, amount, level, investment_id, from_member_id
      FROM payout_missed WHERE run_id = ${runId} AND (member_id, leg) > (${after.memberId}, ${after.leg})
        AND member_id >= ${from} AND member_id < ${to}
      ORDER BY run_id, member_id, leg LIMIT ${PART}`.execute(db)
    return rows.map((row) => ({
      memberId: row.member_id,
      leg: row.leg,
      kind: row.kind,
      reason: row.reason,
      amount: micro(row.amount),
      level: row.level,
      investmentId: row.investment_id,
      fromMemberId: row.from_member_id,
    }))
  })
}

/** The blocks of carry that a run wrote. */
export async function selectCarryBlocks(db: Db, runId: bigint): Promise<number[]> {
  const rows = await db
    .selectFrom('binary_carry')
    .select('block')
    .where('run_id', '=', runId)
    .orderBy('block')
    .execute()
  return rows.map(({ block }) => block)
}

export async function selectCarryItems(db: Db, runId: bigint, block: number): Promise<CarryItem[]> {
  const { rows } = await sql<{ member_id: bigint; l: bigint; r: bigint; n: number }>`
    SELECT c.block::bigint * 1024 + i.place - 1 AS member_id, i.l, i.r, i.n
    FROM binary_carry c, unnest(c.lefts, c.rights, c.events) WITH ORDINALITY AS i (l, r, n, place)
    WHERE c.run_id = ${runId} AND c.block = ${block} ORDER BY i.place`.execute(db)
  return rows.map((row) => ({ memberId: row.member_id, left: row.l, right: row.r, events: row.n }))
}
