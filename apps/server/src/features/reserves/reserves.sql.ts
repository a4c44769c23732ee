import type { Locale } from '@aval/contract'
import type { DB, Db, Tx } from '@aval/db'
import type { Insertable, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Role, StopReason } from './reserves.rules.ts'

/** One comparison at a time, and none while a difference is being explained. */
export async function lockReserves(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(7206)`.execute(tx)
}

export async function insertCheck(tx: Tx, check: Insertable<DB['reserve_check']>): Promise<bigint> {
  const { id } = await tx.insertInto('reserve_check').values(check).returning('id').executeTakeFirstOrThrow()
  return id
}

export type Check = Selectable<DB['reserve_check']>

/** The latest comparisons, newest first. */
export async function selectChecks(db: Db, limit: number): Promise<Check[]> {
  return db.selectFrom('reserve_check').selectAll().orderBy('id', 'desc').limit(limit).execute()
}

/** Drops what is older than a month but for one comparison an hour. */
export async function deleteOldChecks(db: Db): Promise<void> {
  await sql`SELECT purge_reserve_checks()`.execute(db)
}

export async function selectOperators(db: Db): Promise<{ id: bigint; email: string; locale: Locale }[]> {
  const rows = await db
    .selectFrom('member')
    .select(['id', 'email', 'locale'])
    .where('is_operator', '=', true)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, locale: row.locale as Locale }))
}

/** The company's own wallets, by role; null where none is registered yet. */
export async function selectWallets(db: Db): Promise<{ hot: string | null; cold: string | null }> {
  const rows = await db.selectFrom('custody_address').select(['address', 'role']).execute()
  const of = (role: string) => rows.find((row) => row.role === role)?.address ?? null
  return { hot: of('hot'), cold: of('cold') }
}

export interface Stop {
  readonly stopped: boolean
  readonly since: Date | null
  readonly reason: string | null
}

export async function selectStop(db: Db): Promise<Stop> {
  return db.selectFrom('payout_stop').select(['stopped', 'since', 'reason']).executeTakeFirstOrThrow()
}

/** Stops for a comparison that did not match; while it is stopped, names what the latest one found. */
export async function stopPayouts(tx: Tx, checkId: bigint, reason: StopReason): Promise<void> {
  await sql`SELECT stop_payouts(${checkId}, ${reason})`.execute(tx)
}

/** Lifts the stop for the latest comparison, which matched. */
export async function liftStop(tx: Tx, checkId: bigint): Promise<void> {
  await sql`SELECT lift_payout_stop(${checkId})`.execute(tx)
}

/** One adjustment, for the journal that books it; the address's holding follows by a trigger. */
export async function recordAdjustment(
  tx: Tx,
  adjustment: { address: string; amount: bigint; reason: string; journalId: bigint; operatorId: bigint },
): Promise<void> {
  const { address, amount, reason, journalId, operatorId } = adjustment
  await sql`SELECT record_custody_adjustment(${address}, ${amount}, ${reason}, ${journalId}, ${operatorId})`.execute(
    tx,
  )
}

export interface AddressRow {
  readonly address: string
  readonly role: Role
  readonly usdt: string
  readonly trx: bigint
  readonly read_at: Date
}

/** The company's wallets, these addresses, and the deposit addresses that hold most, as they were read last. */
export async function selectAddresses(
  db: Db,
  also: readonly string[],
  largest: number,
): Promise<AddressRow[]> {
  const { rows } = await sql<AddressRow>`
    SELECT r.address, h.role, r.usdt::text AS usdt, r.trx, r.read_at FROM custody_reading r JOIN custody_holding h USING (address)
    WHERE r.address IN (SELECT address FROM custody_address UNION SELECT unnest(${[...also]}::text[])
      UNION (SELECT address FROM custody_holding WHERE role = 'deposit' AND amount > 0 ORDER BY amount DESC LIMIT ${largest}))
    ORDER BY array_position(ARRAY['hot', 'cold', 'deposit'], h.role), h.amount DESC, r.address`.execute(db)
  return rows
}

export interface OutflowRow {
  readonly txid: string
  readonly block_at: Date
  readonly from_address: string
  readonly to_address: string
  readonly value: string
}

/** Transfers out of our addresses that none of ours explains, newest first. */
export async function selectOutflows(db: Db, limit: number): Promise<OutflowRow[]> {
  return db
    .selectFrom('unexplained_outflow')
    .select(['txid', 'block_at', 'from_address', 'to_address', 'value'])
    .orderBy('block', 'desc')
    .orderBy('txid')
    .orderBy('position')
    .limit(limit)
    .execute()
}

export interface CostRow {
  readonly purpose: 'withdrawal' | 'sweep' | 'trx_topup' | 'surplus'
  readonly transfers: number
  readonly sun: bigint
}

/** What the transfers that the chain took cost. Reads them all: for operators. */
export async function selectCosts(db: Db): Promise<CostRow[]> {
  const { rows } = await sql<CostRow>`
    SELECT purpose, count(*)::int AS transfers, coalesce(sum(fee_sun), 0)::bigint AS sun FROM outgoing_transfer
    WHERE state IN ('settled', 'failed') GROUP BY purpose ORDER BY purpose`.execute(db)
  return rows
}

export interface Gauges {
  readonly open: readonly { readonly state: string; readonly count: number }[]
  readonly hotTrx: bigint | null
  readonly lag: bigint | null
}

/** What is watched besides the reserves: open withdrawals, fuel of the hot wallet, blocks still to be read. */
export async function selectGauges(db: Db): Promise<Gauges> {
  const { rows } = await sql<{ open: Gauges['open']; trx: bigint | null; lag: bigint | null }>`
    SELECT (SELECT jsonb_agg(jsonb_build_object('state', s, 'count', (SELECT count(*) FROM withdrawal w
        WHERE w.state = s AND w.state IN ('requested', 'approved')))) FROM unnest(ARRAY['requested', 'approved']) s) AS open,
      (SELECT trx FROM custody_reading JOIN custody_address USING (address) WHERE role = 'hot') AS trx,
      (SELECT max(solid_block - scanned_block) FROM chain_cursor) AS lag`.execute(db)
  return { open: rows[0]?.open ?? [], hotTrx: rows[0]?.trx ?? null, lag: rows[0]?.lag ?? null }
}
