/** What a replay reads of a sealed run. */
import type { Db } from '@aval/db'
import { query, queryColumn, queryOne } from '../../../core/query.sql.ts'
import type { Item, Missed } from '../runs/runs.rules.ts'
import type { CarryItem, PassiveItem } from './replay.rules.ts'

/** The numbers of all runs above `after`, in order. */
export async function selectRunIds(db: Db, after: bigint, limit: number): Promise<bigint[]> {
  return queryColumn<bigint>(db)`SELECT id FROM payout_run WHERE id > ${after} ORDER BY id LIMIT ${limit}`
}

export interface Stored {
  /** Of the rows as they stand there now. */
  readonly seal: string
  /** One more than the last block that has a page. */
  readonly blocks: number
}

export async function selectStored(db: Db, runId: bigint): Promise<Stored> {
  return queryOne<Stored>(db)`
    SELECT seal_payout_run(id) AS seal, (SELECT coalesce(max(block) + 1, 0) FROM payout_page WHERE run_id = id) AS blocks
    FROM payout_run WHERE id = ${runId}`
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
  return query<PageHead>(db)`
    SELECT block, item_count, item_sum, hash, encode(sha256(convert_to(
      members::text || bases::text || amounts::text || coalesce(earned::text, ''), 'UTF8')), 'hex') AS real
    FROM payout_page WHERE run_id = ${runId} AND block >= ${from} AND block < ${to} ORDER BY block`
}

export async function selectPageItems(db: Db, runId: bigint, block: number): Promise<PassiveItem[]> {
  return query<PassiveItem>(db)`
    SELECT i.* FROM payout_page p, unnest(p.members, p.bases, p.amounts, p.earned) AS i ("memberId", basis, amount, earned)
    WHERE p.run_id = ${runId} AND p.block = ${block} ORDER BY 1`
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

export function eachItems(db: Db, runId: bigint): AsyncGenerator<readonly Item[]> {
  return inParts(async (after) => {
    return query<Item>(db)`
      SELECT member_id AS "memberId", leg, kind, amount, basis, percentage, level, investment_id AS "investmentId",
        from_member_id AS "fromMemberId", left_points AS "leftPoints", right_points AS "rightPoints", flushed
      FROM payout_item WHERE run_id = ${runId} AND (member_id, leg) > (${after.memberId}, ${after.leg})
      ORDER BY run_id, member_id, leg LIMIT ${PART}`
  })
}

/** Of members from one number up to, and without, another. */
export function eachMissed(
  db: Db,
  runId: bigint,
  { from, to }: { from: number; to: number } = { from: 0, to: 2_000_000_000 },
): AsyncGenerator<readonly Missed[]> {
  return inParts(async (after) => {
    return query<Missed>(db)`
      SELECT member_id AS "memberId", leg, kind, reason, amount, level, investment_id AS "investmentId",
        from_member_id AS "fromMemberId"
      FROM payout_missed WHERE run_id = ${runId} AND (member_id, leg) > (${after.memberId}, ${after.leg})
        AND member_id >= ${from} AND member_id < ${to}
      ORDER BY run_id, member_id, leg LIMIT ${PART}`
  })
}

/** The blocks of carry that a run wrote. */
export async function selectCarryBlocks(db: Db, runId: bigint): Promise<number[]> {
  return queryColumn<number>(db)`SELECT block FROM binary_carry WHERE run_id = ${runId} ORDER BY block`
}

export async function selectCarryItems(db: Db, runId: bigint, block: number): Promise<CarryItem[]> {
  return query<CarryItem>(db)`
    SELECT c.block::bigint * 1024 + i.place - 1 AS "memberId", i.l AS "left", i.r AS "right", i.n AS events
    FROM binary_carry c, unnest(c.lefts, c.rights, c.events) WITH ORDINALITY AS i (l, r, n, place)
    WHERE c.run_id = ${runId} AND c.block = ${block} ORDER BY i.place`
}
