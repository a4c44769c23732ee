import type { Db } from '@aval/db'
import { sql } from 'kysely'
import type { Role } from './reserves.rules.ts'

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
