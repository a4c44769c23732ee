import type { Db, Tx } from '@aval/db'
import { type Micro, micro } from '@aval/money'

/** A solidified transfer to one of our addresses that counts, or undefined. */
export async function selectCreditable(db: Db, txid: string, position: number) {
  const row = await db
    .selectFrom('chain_transfer')
    .select(['member_id', 'value', 'block_at'])
    .where('txid', '=', txid)
    .where('position', '=', position)
    .where('verdict', '=', 'credit')
    .executeTakeFirst()
  return row && { memberId: row.member_id, value: micro(BigInt(row.value)), arrivedAt: row.block_at }
}

export function selectCredit(db: Db, txid: string, position: number) {
  return db
    .selectFrom('deposit_credit')
    .select('journal_id')
    .where('txid', '=', txid)
    .where('position', '=', position)
    .executeTakeFirst()
}

export async function insertCredit(
  tx: Tx,
  credit: {
    txid: string
    position: number
    member_id: bigint
    journal_id: bigint
    amount: Micro
    outcome: string
    invoice_id: bigint | null
    credited_at: Date
  },
): Promise<void> {
  await tx.insertInto('deposit_credit').values(credit).execute()
}

/** Transfers that count and wait for their credit; only after a job was lost, which should never be. */
export function selectUncredited(db: Db, limit: number) {
  return db
    .selectFrom('chain_transfer as t')
    .select(['t.txid', 't.position'])
    .where('t.verdict', '=', 'credit')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deposit_credit as c')
            .select('c.txid')
            .whereRef('c.txid', '=', 't.txid')
            .whereRef('c.position', '=', 't.position'),
        ),
      ),
    )
    .orderBy('t.block')
    .limit(limit)
    .execute()
}
