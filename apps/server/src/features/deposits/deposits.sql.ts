import type { Db, Tx } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import { sql } from 'kysely'
import { queryValue } from '../../core/query.sql.ts'

const uncredited = sql<boolean>`NOT EXISTS (
  SELECT FROM deposit_credit c WHERE c.member_id = t.member_id AND c.txid = t.txid AND c.position = t.position)`

/** Whose transfer it is, or undefined where the chain showed none that counts. */
export function selectOwner(db: Db, txid: string, position: number) {
  return db
    .selectFrom('incoming_transfer')
    .select(['member_id', 'seq'])
    .where('txid', '=', txid)
    .where('position', '=', position)
    .where('verdict', '=', 'credit')
    .executeTakeFirst()
}

export interface Arrival {
  readonly txid: string
  readonly position: number
  readonly memberId: bigint
  readonly value: Micro
  readonly arrivedAt: Date
}

/** A member's uncredited transfers up to and including `seq`, in the order of the chain. */
export async function selectUncreditedOf(db: Db, memberId: bigint, seq: bigint): Promise<Arrival[]> {
  const rows = await db
    .selectFrom('incoming_transfer as t')
    .select(['t.txid', 't.position', 't.value', 't.block_at'])
    .where('t.member_id', '=', memberId)
    .where('t.verdict', '=', 'credit')
    .where('t.seq', '<=', seq)
    .where(uncredited)
    .orderBy('t.seq')
    .execute()
  return rows.map((row) => ({
    txid: row.txid,
    position: row.position,
    memberId,
    value: micro(BigInt(row.value)),
    arrivedAt: row.block_at,
  }))
}

/** Credits a member's transfer; false where it was before. `part` of it pays an open invoice, which makes an investment when that completes it. */
export async function insertCredit(
  tx: Tx,
  { txid, position }: Arrival,
  at: Date,
  became: {
    readonly outcome: string
    /** The invoice that it pays, or, of what came late, the one that it was meant for. */
    readonly invoiceId: bigint | null
    readonly part: bigint
    readonly planVersion: number | null
  },
): Promise<boolean> {
  const { outcome, invoiceId, part, planVersion } = became
  return queryValue<boolean>(tx)`
    SELECT credit_transfer(${txid}, ${position}, ${at}, ${outcome}, ${invoiceId}, ${part}, ${planVersion})`
}

/** Credits a transfer of the company's own, likewise: as capital, or from its cold wallet to the hot one. */
export async function insertCompanyCredit(tx: Tx, { txid, position }: Arrival, at: Date): Promise<boolean> {
  return queryValue<boolean>(tx)`SELECT credit_transfer(${txid}, ${position}, ${at}, NULL, NULL, NULL, NULL)`
}

/** Transfers that count and wait for their credit, in the order of the chain: their job is to come, or was lost. */
export function selectUncredited(db: Db, after: bigint, limit: number) {
  return db
    .selectFrom('incoming_transfer as t')
    .select(['t.txid', 't.position', 't.seq'])
    .where('t.verdict', '=', 'credit')
    .where('t.seq', '>', after)
    .where(uncredited)
    .orderBy('t.seq')
    .limit(limit)
    .execute()
}

/** False where somebody was faster. */
export async function insertReview(
  tx: Tx,
  memberId: bigint,
  { txid, position, operatorId, note }: { txid: string; position: number; operatorId: bigint; note: string },
  at: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('transfer_review')
    .values({ member_id: memberId, txid, position, reviewed_by: operatorId, at, note })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
