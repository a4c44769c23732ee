import type { Db, Tx } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import { sql } from 'kysely'

const uncredited = sql<boolean>`NOT EXISTS (
  SELECT FROM deposit_credit c WHERE c.txid = t.txid AND c.position = t.position)`

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
  /** Whose address it came to: a member's or the company's of its own, or one of the company's wallets. */
  readonly role: 'deposit' | 'hot' | 'cold'
  /** The company's cold wallet sent it: its key is on no machine of this product, so no payment of ours tells of it. */
  readonly fromCold: boolean
}

/** A member's uncredited transfers up to and including `seq`, in the order of the chain. */
export async function selectUncreditedOf(db: Db, memberId: bigint, seq: bigint): Promise<Arrival[]> {
  const rows = await db
    .selectFrom('incoming_transfer as t')
    .select(['t.txid', 't.position', 't.value', 't.block_at', 't.role'])
    .select(
      sql<boolean>`EXISTS (SELECT FROM custody_address a WHERE a.address = t.from_address AND a.role = 'cold')`.as(
        'from_cold',
      ),
    )
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
    role: row.role as Arrival['role'],
    fromCold: row.from_cold,
  }))
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
