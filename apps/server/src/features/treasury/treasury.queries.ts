/** The company's own money. Nothing here grows with members: pools, wallets, sums that jobs keep, and pages of short lists. */
import type { Db } from '@aval/db'
import { addDays, type Day } from '@aval/plan'
import { sql } from 'kysely'
import { countOf, query, queryValue } from '../../core/query.sql.ts'
import { HOUSE } from '../../ledger/ledger.commands.ts'
import { daysSince, feesSince, summariesAsOf } from '../company-days/company-days.queries.ts'
import { readStock } from '../deposit-addresses/deposit-addresses.queries.ts'
import { depositAddressOf } from '../investments/investments.queries.ts'
import { houseAmounts, poolsCovered } from '../overview/cover.queries.ts'
import { findFailing } from '../overview/failures.queries.ts'
import { readStop, selectWallets } from '../reserves/reserves.queries.ts'

const MONTH = 30
const STOPS = 20

export const usernameOf = (db: Db, id: bigint) =>
  queryValue<string>(db)`SELECT username FROM member WHERE id = ${id}`

interface WalletRow {
  readonly account: string
  readonly amount: bigint
  readonly trx: bigint | null
  readonly read_at: Date | null
}

interface StopRow {
  readonly id: bigint
  readonly by: string
  readonly at: Date
  readonly reason: string
  readonly resumed_by: string | null
  readonly resumed_at: Date | null
  readonly resume_reason: string | null
}

interface ChainRow {
  readonly head: bigint | null
  readonly solid: bigint | null
  readonly scanned: bigint | null
  readonly read_at: Date | null
  readonly gateway: string
  readonly leads_until: Date | null
}

function selectWalletRows(db: Db) {
  return query<WalletRow>(db)`
    SELECT b.account, b.amount, r.trx, r.read_at FROM custody_balance b
      LEFT JOIN custody_address a ON b.account = 'custody:' || a.role LEFT JOIN custody_reading r USING (address)`
}

async function selectChain(db: Db): Promise<ChainRow | undefined> {
  const [row] = await query<ChainRow>(db)`
    SELECT c.head_block AS head, c.solid_block AS solid, c.scanned_block AS scanned, c.seen_at AS read_at, l.holder AS gateway,
      CASE WHEN isfinite(l.until) THEN l.until END AS leads_until
    FROM gateway_lease l LEFT JOIN chain_cursor c ON true LIMIT 1`
  return row
}

function selectStops(db: Db) {
  return query<StopRow>(db)`
    SELECT s.id, b.username AS by, s.stopped_at AS at, s.reason, e.username AS resumed_by, s.resumed_at, s.resume_reason
    FROM payments_stop s JOIN member b ON b.id = s.stopped_by LEFT JOIN member e ON e.id = s.resumed_by ORDER BY s.stopped_at DESC, s.id DESC LIMIT ${STOPS}`
}

/**
 * @param today the company's
 * @param now system time
 */
export async function readTreasury(db: Db, today: Day, now: Date) {
  const from = addDays(today, 1 - MONTH)
  const [house, address, asOf, pools, days, addresses, wallets, fees, chain, failing, stop, stops, stock] =
    await Promise.all([
      houseAmounts(db),
      depositAddressOf(db, HOUSE),
      summariesAsOf(db),
      poolsCovered(db, today),
      daysSince(db, from),
      selectWallets(db),
      selectWalletRows(db),
      feesSince(db, from),
      selectChain(db),
      findFailing(db, now),
      readStop(db),
      selectStops(db),
      readStock(db),
    ])
  return { house, address, asOf, pools, days, addresses, wallets, fees, chain, failing, stop, stops, stock }
}
export type Treasury = Awaited<ReturnType<typeof readTreasury>>

export interface FundingRow {
  readonly id: bigint
  readonly pool: 'profit' | 'commission'
  readonly amount: bigint
  readonly at: Date
  readonly by: string | null
  readonly reason: string
}

const FUNDINGS = sql`SELECT f.id, f.pool, f.amount, f.at, m.username AS by, f.reason
  FROM pool_funding f LEFT JOIN member m ON m.id = f.funded_by`

/** Newest first. A company funds its pools some times a month. */
export async function listFundings(db: Db, limit: number, offset: number) {
  const rows = await query<FundingRow>(
    db,
  )`${FUNDINGS} ORDER BY f.at DESC, f.id DESC LIMIT ${limit} OFFSET ${offset}`
  return { rows, count: await countFundings(db) }
}

export const countFundings = (db: Db) => countOf(db)`pool_funding`

/** The same from one on, for who reads all of it. @param after null for the first */
export const fundingsAfter = (db: Db, after: FundingRow | null, limit: number) =>
  query<FundingRow>(db)`${FUNDINGS}
    WHERE ${after === null ? sql`true` : sql`f.id < ${after.id}`} ORDER BY f.id DESC LIMIT ${limit}`
