/** The reserves as members, operators and Prometheus see them. */
import type { Db } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import { selectFigures } from './figures.sql.ts'
import { type Figures, type Judgement, judge, WALLETS, type Wallet } from './reserves.rules.ts'
import {
  type AddressRow,
  type Check,
  type CostRow,
  type Gauges,
  type OutflowRow,
  type Stop,
  selectAddresses,
  selectChecks,
  selectCosts,
  selectGauges,
  selectOutflows,
  selectStop,
  selectWallets,
} from './reserves.sql.ts'

const SHOWN = 50
const LARGEST = 20
/** So many of what does not match: beyond, it is all of them. */
const MOST_ADDRESSES = 100

export interface AddressView extends AddressRow {
  /** Null while the blocks that the reading is of are still to be read. */
  readonly judgement: Judgement | null
}

export interface WalletView {
  readonly wallet: Wallet
  readonly holding: Micro
  readonly book: Micro
  readonly pending: Micro
  readonly remainder: Micro
}

export interface Overview {
  readonly stop: Stop
  readonly addresses: readonly AddressView[]
  readonly books: readonly WalletView[]
  readonly outflows: readonly OutflowRow[]
  readonly checks: readonly Check[]
  readonly costs: readonly CostRow[]
}

/** What is not among the suspects plainly matches. */
function judgementOf(figures: Figures, { address, usdt }: AddressRow): Judgement | null {
  const suspect = figures.suspects.find((each) => each.address === address)
  if (suspect === undefined) return { expected: micro(BigInt(usdt)), difference: micro(0n) }
  return judge(suspect, suspect, figures.scanned ?? -1n)
}

function walletView({ holdings, books, pending }: Figures, wallet: Wallet): WalletView {
  return {
    wallet,
    holding: micro(holdings[wallet]),
    book: micro(books[wallet]),
    pending: micro(pending[wallet]),
    remainder: micro(holdings[wallet] - books[wallet] - pending[wallet]),
  }
}

/** Everything an operator is shown of the reserves. Nothing of it is kept. */
export async function readOverview(db: Db): Promise<Overview> {
  const figures = await selectFigures(db)
  const suspects = figures.suspects.slice(0, MOST_ADDRESSES).map(({ address }) => address)
  const [addresses, stop, outflows, checks, costs] = await Promise.all([
    selectAddresses(db, suspects, LARGEST),
    selectStop(db),
    selectOutflows(db, SHOWN),
    selectChecks(db, SHOWN),
    selectCosts(db),
  ])
  return {
    stop,
    addresses: addresses.map((row) => ({ ...row, judgement: judgementOf(figures, row) })),
    books: WALLETS.map((wallet) => walletView(figures, wallet)),
    outflows,
    checks,
    costs,
  }
}

export interface Watched extends Gauges {
  readonly stopped: boolean
  readonly check: Check | null
}

/** What machines watch. */
export async function readWatched(db: Db): Promise<Watched> {
  const [gauges, { stopped }, [check]] = await Promise.all([
    selectGauges(db),
    selectStop(db),
    selectChecks(db, 1),
  ])
  return { ...gauges, stopped, check: check ?? null }
}

export interface LastComparison {
  /** Null before the first. */
  readonly check: Check | null
  readonly stopped: boolean
  readonly wallets: { readonly hot: string | null; readonly cold: string | null }
}

/** The last comparison, whether money is stopped, and the company's own wallets. */
export async function readReserves(db: Db): Promise<LastComparison> {
  const [[check], { stopped }, wallets] = await Promise.all([
    selectChecks(db, 1),
    selectStop(db),
    selectWallets(db),
  ])
  return { check: check ?? null, stopped, wallets }
}

/**
 * True from the comparison that found what nothing explains until the one that finds nothing. Commands that send money check it
 * in their own transaction; the gateway and the signer check it themselves.
 */
export async function isStopped(db: Db): Promise<boolean> {
  const row = await db.selectFrom('payout_stop').select('stopped').executeTakeFirstOrThrow()
  return row.stopped
}
