/** Outgoing transfers as the gateway recorded them, and their bookings. */
import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'

/** A transfer that the gateway closed or not; undefined where there is none. */
export function selectTransfer(db: Db, txid: string) {
  return db
    .selectFrom('outgoing_transfer')
    .select([
      'txid',
      'purpose',
      'member_id',
      'withdrawal_id',
      'amount',
      'state',
      'result',
      'arrived',
      'block',
    ])
    .where('txid', '=', txid)
    .executeTakeFirst()
}

export type OutgoingTransfer = NonNullable<Awaited<ReturnType<typeof selectTransfer>>>

export async function selectIsBooked(db: Db, txid: string): Promise<boolean> {
  const row = await db
    .selectFrom('outgoing_transfer_booking')
    .select('txid')
    .where('txid', '=', txid)
    .executeTakeFirst()
  return row !== undefined
}

/** @param journalId null where nothing moved */
export async function insertBooking(
  tx: Tx,
  booking: { txid: string; journalId: bigint | null; at: Date },
): Promise<void> {
  await tx
    .insertInto('outgoing_transfer_booking')
    .values({ txid: booking.txid, journal_id: booking.journalId, at: booking.at })
    .execute()
}

/** At most so many a catch-up; the rest waits for the next. */
const MOST = 5000

/** Closed transfers that wait for their booking, in the order of the chain. A TRX top-up moves no USDT and is not booked. */
export async function selectUnbooked(db: Db): Promise<string[]> {
  const { rows } = await sql<{ txid: string }>`
    SELECT p.txid FROM outgoing_transfer p WHERE p.state IN ('settled', 'failed') AND p.purpose <> 'trx_topup'
      AND NOT EXISTS (SELECT FROM outgoing_transfer_booking b WHERE b.txid = p.txid)
    ORDER BY p.block, p.closed_at, p.txid LIMIT ${MOST}`.execute(db)
  return rows.map(({ txid }) => txid)
}

/** One of the company's wallets, and what it held when it was registered. */
export function selectCustody(db: Db, address: string) {
  return db
    .selectFrom('custody_address')
    .select(['address', 'role', 'opening'])
    .where('address', '=', address)
    .executeTakeFirst()
}

/** Wallets whose opening was never booked. */
export async function selectUnopened(db: Db): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    SELECT address FROM custody_address WHERE opening > 0
      AND NOT EXISTS (SELECT FROM journal WHERE key = 'opening:' || address) ORDER BY role`.execute(db)
  return rows.map(({ address }) => address)
}
