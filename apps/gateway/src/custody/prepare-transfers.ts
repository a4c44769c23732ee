/**
 * Prepares transfers between our own addresses: sweeps from deposit addresses to the hot wallet, the TRX top-ups they need,
 * and the hot wallet's surplus to the cold one. They are signed and broadcast with all other outgoing transfers.
 */
import { encodeTransferCall, type NodeClient, type Prices, parseAddress, type TronAddress } from '@aval/tron'
import type { ChainStatus } from '../chain/health.rules.ts'
import type { Log, LogFields } from '../core/log.ts'

import {
  type Failures,
  findFailures,
  type NewTransfer,
  type OpenTransfer,
  storePrepared,
} from '../outgoing/outgoing.sql.ts'
import { readPreflight, tooLittleOf, validityFrom } from '../outgoing/prepare.ts'
import {
  ALLOWANCE,
  buildTokenTransfer,
  buildTrxTransfer,
  type Cost,
  costOf,
  restAfter,
} from '../outgoing/transfer-bytes.rules.ts'
import { readBalances } from './balances.ts'
import type { CustodyContext } from './context.ts'
import {
  type BalanceReading,
  findSweepable,
  readHotHolding,
  type Sweepable,
  sumApproved,
} from './custody.sql.ts'

/** How many deposit addresses are considered in a round. */
const ROUND_LIMIT = 20
/** The signer allows no larger top-up; a sweep that costs more is not worth it. */
const MOST_TOPUP = 50_000_000n

interface Round {
  readonly context: CustodyContext
  readonly status: ChainStatus
  readonly node: NodeClient
  readonly prices: Prices
  readonly warn: Warn
  /** Of a sender: how its transfers failed since the last that settled. */
  readonly failures: ReadonlyMap<string, Failures>
}

/**
 * One round; gives the transfers that were prepared.
 * @throws NodeError, TooFewNodes, ChainFault and what the database throws
 */
export async function prepareTransfers(
  context: CustodyContext,
  status: ChainStatus,
  open: readonly OpenTransfer[],
  warn: Warn,
  now: Date,
): Promise<readonly NewTransfer[]> {
  const { db, nodes, usdt, wallets, intervals } = context
  const since = new Date(now.getTime() - intervals.retryMs)
  const sweepable = await findSweepable(db, wallets.sweepFrom, since, ROUND_LIMIT)
  const surplus = await surplusOf(context, since)
  if (sweepable.length === 0 && surplus === 0n) return []
  const preflight = await readPreflight(nodes, usdt, wallets.hot)
  if (preflight.delay !== null) return []
  const senders = [wallets.hot, ...sweepable.map(({ address }) => address)]
  const failures = new Map((await findFailures(db, senders)).map((each) => [each.from, each]))
  const round = { context, status, node: nodes.any(), prices: preflight.prices, warn, failures }
  /** What failed once is tried again at once with more; what fails again and again, more and more seldom. */
  const mayTry = (sender: string) => {
    const { count = 0, lastAt = since } = failures.get(sender) ?? {}
    return now.getTime() - lastAt.getTime() >= restAfter(count, intervals.retryMs * 6)
  }
  const transfers: NewTransfer[] = []
  // Withdrawals come first: TRX that they may need is not spent on sweeps.
  let trx = preflight.trx - 2n * context.feeLimit - topUpsInFlight(open)
  const addresses = sweepable.flatMap(({ address }) => parseAddress(address) ?? [])
  const readings = await readBalances(nodes, usdt, addresses)
  for (const each of sweepable.filter(({ address }) => mayTry(address))) {
    const reading = readings.find(({ address }) => address === each.address)
    const transfer = reading === undefined ? null : await sweepOrTopUp(round, each, reading, trx)
    if (transfer === null) continue
    if (transfer.purpose === 'trx_topup') trx -= transfer.amount
    transfers.push(transfer)
  }
  const toCold = surplus > 0n && mayTry(wallets.hot) ? await surplusTransfer(round, surplus) : null
  if (toCold !== null) transfers.push(toCold)
  const accepted = await storePrepared(db, transfers)
  return transfers.filter(({ txid }) => accepted.has(txid))
}

/** What the hot wallet holds above its target, if it is above its maximum. */
async function surplusOf({ db, wallets }: CustodyContext, since: Date): Promise<bigint> {
  const { holding, isSending } = await readHotHolding(db, since)
  if (isSending || holding <= wallets.hotMaximum) return 0n
  const free = holding - (await sumApproved(db))
  return free <= wallets.hotMaximum ? 0n : free - wallets.hotTarget
}

/** The sweep of an address, or first the TRX for it; null when neither is possible now. */
async function sweepOrTopUp(
  round: Round,
  { address, memberId, amount, isToppedUp }: Sweepable,
  reading: BalanceReading,
  hotTrx: bigint,
): Promise<NewTransfer | null> {
  const { context, status, warn } = round
  const { hot } = context.wallets
  const from = parseAddress(address)
  if (from === null || reading.usdt < amount) return null
  const cost = await tryTransfer(round, from, hot, amount, ALLOWANCE.thrifty)
  if (cost === null) return null
  const validity = validityFrom(status, context.lifetimeMs, memberId)
  const expiresAt = new Date(validity.expiration)
  const common = { memberId, withdrawalId: null, expiresAt, offline: false, traceparent: null }
  if (reading.trx >= cost.needed) {
    const sweep = { from, to: hot, amount }
    const built = buildTokenTransfer(context.usdt, sweep, validity, cost.feeLimit)
    return { ...built, ...common, ...sweep, purpose: 'sweep' }
  }
  const missing = cost.needed - reading.trx
  if (isToppedUp || missing > MOST_TOPUP || missing > hotTrx) {
    warn('custody.topup_blocked', { address, missing, isToppedUp })
    return null
  }
  const topUp = { from: hot, to: from, amount: missing }
  return { ...buildTrxTransfer(topUp, validity), ...common, ...topUp, purpose: 'trx_topup' }
}

async function surplusTransfer(round: Round, amount: bigint): Promise<NewTransfer | null> {
  const { context, status } = round
  const { hot: from, cold: to } = context.wallets
  const cost = await tryTransfer(round, from, to, amount, ALLOWANCE.generous)
  if (cost === null) return null
  const validity = validityFrom(status, context.lifetimeMs, 0n)
  return {
    ...buildTokenTransfer(context.usdt, { from, to, amount }, validity, cost.feeLimit),
    purpose: 'surplus',
    memberId: 0n,
    withdrawalId: null,
    from,
    to,
    amount,
    expiresAt: new Date(validity.expiration),
    offline: false,
    traceparent: null,
  }
}

/** The cost of such a transfer; null when it would fail, or cost too much. */
async function tryTransfer(
  { context, node, prices, warn, failures }: Round,
  from: TronAddress,
  to: TronAddress,
  amount: bigint,
  allowance: bigint,
): Promise<Cost | null> {
  const trial = await node.trial(from, context.usdt, encodeTransferCall(to, amount))
  if (trial.reverted) {
    warn('custody.would_revert', { from, to, amount, message: trial.message })
    return null
  }
  const tooLittle = tooLittleOf(failures.get(from))
  const cost = costOf(trial.energyUsed, prices, context.feeLimit, allowance, tooLittle)
  if (cost === null)
    warn('custody.fee_limit', { from, energy: trial.energyUsed, price: prices.energy, tooLittle })
  return cost
}

function topUpsInFlight(open: readonly OpenTransfer[]): bigint {
  return open.reduce((sum, { purpose, amount }) => (purpose === 'trx_topup' ? sum + amount : sum), 0n)
}

/** Logs the same warning only once. */
export type Warn = (event: string, fields: LogFields) => void

const REMEMBERED = 1_000

export function createWarnings(log: Log): Warn {
  const known = new Set<string>()
  return (event, fields) => {
    const key = `${event} ${JSON.stringify(fields, (_key, value: unknown) => String(value))}`
    if (known.has(key)) return
    if (known.size >= REMEMBERED) known.clear()
    known.add(key)
    log.warn(event, fields)
  }
}
