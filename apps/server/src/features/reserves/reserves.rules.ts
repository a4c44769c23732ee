/**
 * Reserves: what the chain says the company's addresses hold, against what they must hold by the books.
 *
 * Terms. A *wallet* is `hot`, `cold`, or all `deposits` addresses together. A *holding* is what an address must hold by every
 * event read from the chain so far. A *reading* is what a node said it holds, at some block between two. A *difference* is
 * the reading less the holding as it stood then. The *book* is what the ledger says a wallet holds, and *pending* what was
 * recorded and has its posting still to come; holdings less both is the *remainder*. *Drift* is all that does not match.
 */
import { type Micro, micro } from '@aval/money'

export const WALLETS = ['hot', 'cold', 'deposits'] as const
export type Wallet = (typeof WALLETS)[number]
export type Role = 'hot' | 'cold' | 'deposit'
export type Verdict = 'matched' | 'unexplained' | 'waiting'

/** Why money is stopped, by stable names: the gravest of what was found. */
export type StopReason = 'outflow' | 'missing' | 'books' | 'surplus'

/** A reading of a wallet of ours older than this says nothing of now. The gateway reads every minute or more often. */
const FRESH_MS = 5 * 60_000
/** A reading may be committed a while after the instant it carries, and must not be passed over then. */
const COMMIT_MS = 10 * 60_000
/** What PostgreSQL's bigint holds, with room to add: a node may answer any number. */
const LARGEST = 10n ** 18n

/** How much an address gained (above zero) or lost in a block. */
export interface Move {
  readonly block: bigint
  readonly change: bigint
}

export interface Reading {
  /** At one block from `fromBlock` to `toBlock`; which one is not known. */
  readonly usdt: bigint
  readonly fromBlock: bigint
  readonly toBlock: bigint
}

/** What an address must have held at the end of `fromBlock`, and what moved it until the end of `toBlock`. */
export interface Held {
  readonly amount: bigint
  readonly moves: readonly Move[]
}

export interface Judgement {
  readonly expected: Micro
  /** Reading less expected. */
  readonly difference: Micro
}

const size = (value: bigint): bigint => (value < 0n ? -value : value)
const bounded = (value: bigint): Micro =>
  micro(value > LARGEST ? LARGEST : value < -LARGEST ? -LARGEST : value)

/** Everything the address held from the first block of the reading to the last. */
function balancesDuring(held: Held): bigint[] {
  const byBlock = new Map<bigint, bigint>()
  for (const { block, change } of held.moves) byBlock.set(block, (byBlock.get(block) ?? 0n) + change)
  const balances = [held.amount]
  for (const block of [...byBlock.keys()].sort((a, b) => (a < b ? -1 : 1)))
    balances.push((balances.at(-1) ?? 0n) + (byBlock.get(block) ?? 0n))
  return balances
}

/**
 * Holds a reading against the events: null while not every block that it may be of is read.
 *
 * What moved the address after the reading does not matter, because the holding is taken back to the reading's blocks. Where
 * it moved between them, the reading is right if it is right at one of them; else it is compared with the nearest.
 */
export function judge(reading: Reading, held: Held, scanned: bigint): Judgement | null {
  if (reading.toBlock > scanned) return null
  const [first = 0n, ...others] = balancesDuring(held)
  const expected = others.reduce(
    (nearest, balance) => (size(reading.usdt - balance) < size(reading.usdt - nearest) ? balance : nearest),
    first,
  )
  return { expected: bounded(expected), difference: bounded(reading.usdt - expected) }
}

/** An address with its reading, and the holding as it stood then. */
export interface Suspect extends Reading, Held {
  readonly address: string
  readonly role: Role
  readonly readAt: Date
  /** Whether money left it for somebody else, and nobody has explained that since. */
  readonly outflow: boolean
}

export interface Owed {
  readonly principal: bigint
  readonly balances: bigint
  readonly held: bigint
  readonly pending: bigint
  readonly due: bigint
}

/** Everything a comparison is made of, as it stood at one moment. */
export interface Figures {
  /** The last block whose events are recorded; null before the first. */
  readonly scanned: bigint | null
  readonly holdings: Readonly<Record<Wallet, bigint>>
  readonly books: Readonly<Record<Wallet, bigint>>
  readonly pending: Readonly<Record<Wallet, bigint>>
  /** The hot and the cold wallet, and every deposit address whose reading does not plainly match. */
  readonly suspects: readonly Suspect[]
  /** Whether more deposit addresses than can be looked at do not plainly match. */
  readonly more: boolean
  /** When a deposit address was read last; null when none ever was. */
  readonly depositsReadAt: Date | null
  /** Members' withdrawals that left, and are not booked. */
  readonly inFlight: bigint
  readonly owed: Owed
  /** Up to here, in the order of recording, every transfer is credited. */
  readonly creditedSeq: bigint
  /** Every payment settled before is booked. */
  readonly bookedUntil: Date
  /** As of the comparison before. */
  readonly comparedUntil: Date | null
}

/** An address that does not match, or that is a wallet of ours and does. */
export interface Found extends Judgement {
  readonly address: string
  readonly role: Role
  readonly outflow: boolean
}

export interface Comparison {
  readonly verdict: Verdict
  readonly reason: StopReason | null
  /** What the chain says: the holdings, corrected by what was found. */
  readonly custody: Readonly<Record<Wallet, Micro>>
  readonly differences: readonly Found[]
  /** Above zero where the addresses hold more than the ledger and what is pending say. */
  readonly remainders: readonly { readonly wallet: Wallet; readonly amount: Micro }[]
  /** All that does not match, each by its size. Nothing, and only then, when everything compared does match. */
  readonly drift: Micro
  readonly comparedUntil: Date | null
  /** Whether a reading waits for no more than blocks that are about to be read. */
  readonly soon: boolean
}

const walletOf = (role: Role): Wallet => (role === 'deposit' ? 'deposits' : role)

function sumOf(differences: readonly Found[], wallet: Wallet): bigint {
  return differences
    .filter(({ role }) => walletOf(role) === wallet)
    .reduce((sum, { difference }) => sum + difference, 0n)
}

function reasonOf(differences: readonly Found[]): StopReason {
  const missing = differences.filter(({ difference }) => difference < 0n)
  if (missing.some(({ outflow }) => outflow)) return 'outflow'
  if (missing.length > 0) return 'missing'
  return differences.length > 0 ? 'surplus' : 'books'
}

const isFresh = (at: Date | null, now: Date) => at !== null && now.getTime() - at.getTime() <= FRESH_MS

/** Whether every wallet was compared, and lately: only then does the absence of a difference say something. */
function isComplete(figures: Figures, judged: readonly Suspect[], now: Date): boolean {
  if (figures.more || judged.length < figures.suspects.length) return false
  const wallets = judged.filter(({ role, readAt }) => role !== 'deposit' && isFresh(readAt, now))
  const deposits = figures.holdings.deposits === 0n || isFresh(figures.depositsReadAt, now)
  return new Set(wallets.map(({ role }) => role)).size === 2 && deposits
}

/** From when on readings have to be looked at again: those that could not be judged, and the latest. */
function comparedUntil(figures: Figures, unjudged: readonly Suspect[], now: Date): Date | null {
  if (figures.more) return figures.comparedUntil
  const deposits = unjudged.filter(({ role }) => role === 'deposit').map(({ readAt }) => readAt.getTime())
  return new Date(Math.min(now.getTime() - COMMIT_MS, ...deposits))
}

/**
 * Compares. One difference is enough for `unexplained`; `matched` takes all of them, fresh and without one.
 *
 * @param now system time
 */
export function compare(figures: Figures, now: Date): Comparison {
  const scanned = figures.scanned ?? -1n
  const judged: Suspect[] = []
  const differences: Found[] = []
  for (const suspect of figures.suspects) {
    const judgement = judge(suspect, suspect, scanned)
    if (judgement === null) continue
    judged.push(suspect)
    const { address, role, outflow } = suspect
    if (judgement.difference !== 0n) differences.push({ address, role, outflow, ...judgement })
  }
  const unjudged = figures.suspects.filter((suspect) => !judged.includes(suspect))
  const remainders = WALLETS.map((wallet) => ({
    wallet,
    amount: bounded(figures.holdings[wallet] - figures.books[wallet] - figures.pending[wallet]),
  })).filter(({ amount }) => amount !== 0n)
  const clean = differences.length === 0 && remainders.length === 0
  const found = (wallet: Wallet) => bounded(figures.holdings[wallet] + sumOf(differences, wallet))
  return {
    verdict: !clean ? 'unexplained' : isComplete(figures, judged, now) ? 'matched' : 'waiting',
    reason: clean ? null : reasonOf(differences),
    custody: { hot: found('hot'), cold: found('cold'), deposits: found('deposits') },
    differences,
    remainders,
    drift: bounded(
      differences.reduce((sum, { difference }) => sum + size(difference), 0n) +
        remainders.reduce((sum, { amount }) => sum + size(amount), 0n),
    ),
    comparedUntil: comparedUntil(figures, unjudged, now),
    soon: unjudged.some(({ role, readAt }) => role !== 'deposit' && isFresh(readAt, now)),
  }
}

/**
 * A comparison that could say nothing is kept only where the last one is too old to go by: while blocks are read, a reading
 * often waits a moment for the block it is of.
 */
export function isWorthKeeping(verdict: Verdict, last: Date | null, now: Date): boolean {
  return verdict !== 'waiting' || !isFresh(last, now)
}

/** What becomes of the stop. A comparison that could say nothing leaves it as it is. */
export function nextStop(stopped: boolean, verdict: Verdict): 'stop' | 'lift' | 'stay' {
  if (verdict === 'unexplained') return stopped ? 'stay' : 'stop'
  return verdict === 'matched' && stopped ? 'lift' : 'stay'
}

/** Custody of what is owed in hundredths of a percent, truncated; null when nothing is owed. */
export function coverage(custody: bigint, owed: bigint): bigint | null {
  return owed <= 0n ? null : (custody * 10_000n) / owed
}

export const owedInAll = ({ principal, balances, held, pending, due }: Owed): bigint =>
  principal + balances + held + pending + due
