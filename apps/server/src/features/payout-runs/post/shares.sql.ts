import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'

const numbers = (array: string): BigInt64Array =>
  array === '{}' ? new BigInt64Array(0) : BigInt64Array.from(array.slice(1, -1).split(','), BigInt)

export async function selectPageAmounts(
  db: Db,
  runId: bigint,
): Promise<{ block: number; amounts: BigInt64Array }[]> {
  const { rows } = await sql<{ block: number; amounts: string }>`
    SELECT block, amounts::text AS amounts FROM payout_page WHERE run_id = ${runId} ORDER BY block`.execute(
    db,
  )
  return rows.map(({ block, amounts }) => ({ block, amounts: numbers(amounts) }))
}

export async function selectAmounts(
  db: Db,
  runId: bigint,
): Promise<{ memberId: bigint; leg: number; amount: bigint }[]> {
  const { rows } = await sql<{ member_id: bigint; leg: number; amount: bigint }>`
    SELECT member_id, leg, amount FROM payout_item WHERE run_id = ${runId} ORDER BY member_id, leg`.execute(
    db,
  )
  return rows.map((row) => ({ memberId: row.member_id, leg: row.leg, amount: row.amount }))
}

const PAGES_A_STATEMENT = 64

export async function insertPageShares(
  tx: Tx,
  runId: bigint,
  shares: readonly { block: number; amounts: BigInt64Array }[],
): Promise<void> {
  for (let from = 0; from < shares.length; from += PAGES_A_STATEMENT) {
    const values = shares
      .slice(from, from + PAGES_A_STATEMENT)
      .map(({ block, amounts }) => sql`(${block}::int, ${`{${amounts.join()}}`}::bigint[])`)
    await sql`INSERT INTO payout_page_share (run_id, block, amounts)
      SELECT ${runId}, s.* FROM (VALUES ${sql.join(values)}) AS s`.execute(tx)
  }
}

export async function insertShares(
  tx: Tx,
  runId: bigint,
  shares: readonly { memberId: bigint; leg: number; amount: bigint }[],
): Promise<void> {
  await sql`INSERT INTO payout_share (run_id, member_id, leg, amount)
    SELECT ${runId}, s.* FROM unnest(${`{${shares.map(({ memberId }) => memberId).join()}}`}::bigint[],
      ${`{${shares.map(({ leg }) => leg).join()}}`}::int[], ${`{${shares.map(({ amount }) => amount).join()}}`}::bigint[]) AS s`.execute(
    tx,
  )
}
