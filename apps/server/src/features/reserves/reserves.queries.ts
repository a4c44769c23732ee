/** The reserves as members, operators and Prometheus see them. */
import type { Db } from '@aval/db'
import { micro } from '@aval/money'
import { sql } from 'kysely'
import { query, queryOne } from '../../core/query.sql.ts'
import { readStock } from '../deposit-addresses/deposit-addresses.queries.ts'
import { readIntegrity } from '../integrity/integrity.queries.ts'
import { selectFigures } from './figures.sql.ts'
import { type Figures, type Judgement, judge, type Role, WALLETS, type Wallet } from './reserves.rules.ts'
import { selectChecks, selectStop } from './reserves.sql.ts'

const SHOWN = 50
const LARGEST = 20
/** So many of what does not match: beyond, it is all of them. */
const MOST_ADDRESSES = 100

/** What is not among the suspects plainly matches; null while the blocks that the reading is of are still to be read. */
function judgementOf(figures: Figures, { address, usdt }: AddressRow): Judgement | null {
  const suspect = figures.suspects.find((each) => each.address === address)
  if (suspect === undefined) return { expected: micro(BigInt(usdt)), difference: micro(0n) }
  return judge(suspect, suspect, figures.scanned ?? -1n)
}

function walletView({ holdings, books, pending }: Figures, wallet: Wallet) {
  return {
    wallet,
    holding: micro(holdings[wallet]),
    book: micro(books[wallet]),
    pending: micro(pending[wallet]),
    remainder: micro(holdings[wallet] - books[wallet] - pending[wallet]),
  }
}

/** Everything an operator is shown of the reserves. Nothing of it is kept. */
export async function readOverview(db: Db) {
  const figures = await selectFigures(db)
  const suspects = figures.suspects.slice(0, MOST_ADDRESSES).map(({ address }) => address)
  const [addresses, stop, integrity, outflows, checks, costs] = await Promise.all([
    selectAddresses(db, suspects, LARGEST),
    selectStop(db),
    readIntegrity(db),
    selectOutflows(db, SHOWN),
    selectChecks(db, SHOWN),
    selectCosts(db),
  ])
  return {
    stop,
    integrity,
    addresses: addresses.map((row) => ({ ...row, judgement: judgementOf(figures, row) })),
    books: WALLETS.map((wallet) => walletView(figures, wallet)),
    outflows,
    checks,
    costs,
  }
}

/** What machines watch. */
export async function readWatched(db: Db) {
  const [gauges, { byReserves }, integrity, [check], { unclaimed }] = await Promise.all([
    selectGauges(db),
    selectStop(db),
    readIntegrity(db),
    selectChecks(db, 1),
    readStock(db),
  ])
  return { ...gauges, unclaimed, stopped: byReserves, integrity, check: check ?? null }
}

/** The last comparison, whether money is stopped, and the company's own wallets. */
export async function readReserves(db: Db) {
  const [[check], stop, wallets] = await Promise.all([selectChecks(db, 1), selectStop(db), selectWallets(db)])
  /** `check`: null before the first. */
  return { check: check ?? null, stop, wallets }
}

/** Whether money is stopped, and by what. */
export const readStop = (db: Db) => selectStop(db)
export type StopNow = Awaited<ReturnType<typeof readStop>>

export type Overview = Awaited<ReturnType<typeof readOverview>>
export type Watched = Awaited<ReturnType<typeof readWatched>>
export type LastComparison = Awaited<ReturnType<typeof readReserves>>

/**
 * True from the comparison that found what nothing explains until the one that finds nothing, of the reserves or of the database's
 * integrity; and from an operator's stop until its end. Commands that send money check it
 * in their own transaction; the gateway and the signer check it themselves.
 */
export async function isStopped(db: Db): Promise<boolean> {
  const row = await db.selectFrom('payout_stop').select('stopped').executeTakeFirstOrThrow()
  return row.stopped
}

/** The company's own wallets, by role; null where none is registered yet. */
export async function selectWallets(db: Db): Promise<{ hot: string | null; cold: string | null }> {
  const rows = await db.selectFrom('custody_address').select(['address', 'role']).execute()
  const of = (role: string) => rows.find((row) => row.role === role)?.address ?? null
  return { hot: of('hot'), cold: of('cold') }
}

interface AddressRow {
  readonly address: string
  readonly role: Role
  readonly usdt: string
  readonly trx: bigint
  readonly read_at: Date
}

/** The company's wallets, these addresses, and the deposit addresses that hold most, as they were read last. */
async function selectAddresses(db: Db, also: readonly string[], largest: number): Promise<AddressRow[]> {
  return query<AddressRow>(db)`
    SELECT r.address, h.role, r.usdt::text AS usdt, r.trx, r.read_at FROM custody_reading r JOIN custody_holding h USING (address)
    WHERE r.address IN (SELECT address FROM custody_address UNION SELECT unnest(${[...also]}::text[])
      UNION (SELECT address FROM custody_holding WHERE role = 'deposit' AND amount > 0 ORDER BY amount DESC LIMIT ${largest}))
    ORDER BY array_position(ARRAY['hot', 'cold', 'deposit'], h.role), h.amount DESC, r.address`
}

interface OutflowRow {
  readonly txid: string
  readonly block_at: Date
  readonly from_address: string
  readonly to_address: string
  readonly value: string
}

/** Transfers out of our addresses that none of ours explains, newest first. */
async function selectOutflows(db: Db, limit: number): Promise<OutflowRow[]> {
  return db
    .selectFrom('unexplained_outflow')
    .select(['txid', 'block_at', 'from_address', 'to_address', 'value'])
    .orderBy('block', 'desc')
    .orderBy('txid')
    .orderBy('position')
    .limit(limit)
    .execute()
}

interface CostRow {
  readonly purpose: 'withdrawal' | 'sweep' | 'trx_topup' | 'surplus'
  readonly transfers: number
  readonly sun: bigint
}

/** What the transfers that the chain took cost. Reads them all: for operators. */
async function selectCosts(db: Db): Promise<CostRow[]> {
  return query<CostRow>(db)`
    SELECT purpose, count(*)::int AS transfers, coalesce(sum(fee_sun), 0)::bigint AS sun FROM outgoing_transfer
    WHERE state IN ('settled', 'failed') GROUP BY purpose ORDER BY purpose`
}

/** How many addresses' last transfers ran out of energy, within thirty days. Indexes: outgoing_transfer_given_up, outgoing_transfer_left. */
export const ADDRESSES_OUT_OF_ENERGY = sql<number>`(SELECT count(DISTINCT f.from_address)::int FROM outgoing_transfer f
  WHERE f.state IN ('failed', 'expired') AND f.state = 'failed' AND f.result = 'OUT_OF_ENERGY' AND f.purpose <> 'trx_topup'
    AND f.closed_at > now() - interval '30 days' AND NOT EXISTS (SELECT FROM outgoing_transfer s
      WHERE s.state = 'settled' AND s.purpose <> 'trx_topup' AND s.from_address = f.from_address AND s.block > f.block))`

interface Gauges {
  /** Nodes by state, and each with its calls of today and its budget. */
  readonly nodes: readonly {
    readonly name: string
    readonly state: string
    readonly calls: number
    readonly share: number | null
  }[]
  readonly exhausted: number
  readonly open: readonly { readonly state: string; readonly count: number }[]
  /** When the withdrawal that waits longest was approved. */
  readonly oldest: Date | null
  /** When the open withdrawal that waits longest was asked for; those of frozen accounts left out. */
  readonly asked: Date | null
  /** How many withdrawals wait for what, by its code. What delays all of them counts as one. */
  readonly delays: Readonly<Record<string, number>>
  /** Payout runs that have not ended, by state. */
  readonly runs: Readonly<Record<string, number>>
  readonly hotTrx: bigint | null
  readonly lag: bigint | null
  /** When the gateway read the chain last. */
  readonly readAt: Date | null
  /** Which gateway leads, or led last; empty before the first. */
  readonly gateway: string
  readonly epoch: bigint
  /** Until when it leads, in seconds of the epoch; 0 where it left. */
  readonly leadsUntil: number
}

/** What is watched besides the reserves: open withdrawals and runs, fuel of the hot wallet, how far the chain is read and by whom. */
async function selectGauges(db: Db): Promise<Gauges> {
  return queryOne<Gauges>(db)`
    SELECT (SELECT jsonb_agg(jsonb_build_object('state', s, 'count', (SELECT count(*) FROM withdrawal w
        WHERE w.state = s AND w.state IN ('requested', 'approved')))) FROM unnest(ARRAY['requested', 'approved']) s) AS open,
      (SELECT min(approved_at) FROM withdrawal WHERE state = 'approved') AS oldest,
      (SELECT min(requested_at) FROM withdrawal WHERE state IN ('requested', 'approved') AND NOT is_frozen(member_id)) AS asked,
      (SELECT coalesce(jsonb_object_agg(code, count), '{}') FROM (SELECT code, count(*) FROM withdrawal_delay GROUP BY code) d) AS delays,
      (SELECT jsonb_object_agg(s, (SELECT count(*) FROM payout_run r WHERE r.state = s AND r.state NOT IN ('done', 'cancelled')))
        FROM unnest(ARRAY['computing', 'sealed', 'held', 'released', 'posting']) s) AS runs,
      (SELECT trx FROM custody_reading JOIN custody_address USING (address) WHERE role = 'hot') AS "hotTrx",
      (SELECT max(solid_block - scanned_block) FROM chain_cursor) AS lag,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('name', name, 'state', state, 'calls', calls, 'share', calls::float8 / calls_per_day)
        ORDER BY place), '[]') FROM gateway_node) AS nodes, ${ADDRESSES_OUT_OF_ENERGY} AS exhausted,
      (SELECT max(seen_at) FROM chain_cursor) AS "readAt", l.holder AS gateway, l.epoch,
      CASE WHEN isfinite(l.until) THEN extract(epoch FROM l.until)::float8 ELSE 0 END AS "leadsUntil"
    FROM gateway_lease l`
}
