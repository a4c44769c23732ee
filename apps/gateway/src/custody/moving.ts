/**
 * Moves money between our own addresses: from deposit addresses to the hot wallet, with the TRX that it takes, and from the
 * hot wallet to the cold one. Payments are only prepared here; they are signed and carried out with all others.
 */
import { encodeTransferCall, type NodeClient, type Prices, parseAddress, type TronAddress } from '@aval/tron'
import type { ChainView } from '../chain/standing.rules.ts'
import type { Facts } from '../core/log.ts'
import { type NewPayment, type OpenPayment, preparePayments } from '../outgoing/agenda.sql.ts'
import {
  ALLOWANCE,
  buildTokenTransfer,
  buildTrxTransfer,
  type Cost,
  costOf,
} from '../outgoing/building.rules.ts'
import { readConditions } from '../outgoing/conditions.ts'
import { momentOf } from '../outgoing/parts.ts'
import { findSweepable, type Holding, type Reading, readHotWallet, sumPromised } from './custody.sql.ts'
import type { CustodyParts } from './parts.ts'
import { readHoldings } from './readings.ts'

/** Says each thing once, however often it is met. */
export type Told = Set<string>

/** How many deposit addresses are looked at in a round. */
const A_ROUND = 20
/** The signer gives no address more at once; what costs more than that is not worth it. */
const MOST_FUEL = 50_000_000n

/**
 * One round; gives the payments that were prepared.
 * @throws NodeError, NodesSilent, ChainFault and what the database throws
 */
export async function moveMoney(
  parts: CustodyParts,
  view: ChainView,
  open: readonly OpenPayment[],
  told: Told,
  now: Date,
): Promise<readonly NewPayment[]> {
  const { db, wallets, timing } = parts
  const since = new Date(now.getTime() - timing.retryMs)
  const sweepable = await findSweepable(db, wallets.sweepFrom, since, A_ROUND)
  const surplus = await surplusOf(parts, since)
  if (sweepable.length === 0 && surplus === 0n) return []
  const conditions = await readConditions(parts.nodes, parts.usdt, wallets.hot)
  if (conditions.obstacle !== null) return []
  const [node] = parts.nodes.able()
  if (node === undefined) throw new RangeError('no node is configured')
  const context = { parts, view, node, prices: conditions.prices, told }
  const moves: NewPayment[] = []
  // Withdrawals come first: what is left for them may not go into sweeping.
  let trx = conditions.trx - 2n * parts.feeLimit - fuelUnderWay(open)
  const addresses = sweepable.flatMap(({ address }) => parseAddress(address) ?? [])
  const readings = await readHoldings(parts.nodes, parts.usdt, addresses)
  for (const holding of sweepable) {
    const reading = readings.find(({ address }) => address === holding.address)
    const move = reading === undefined ? null : await sweepOf(context, holding, reading, trx)
    if (move === null) continue
    if (move.purpose === 'trx_topup') trx -= move.amount
    moves.push(move)
  }
  if (surplus > 0n) moves.push(...(await toCold(context, surplus)))
  const accepted = await preparePayments(db, moves)
  return moves.filter(({ txid }) => accepted.has(txid))
}

interface MoveContext {
  readonly parts: CustodyParts
  readonly view: ChainView
  readonly node: NodeClient
  readonly prices: Prices
  readonly told: Told
}

/** What the hot wallet has too much of. */
async function surplusOf({ db, wallets }: CustodyParts, since: Date): Promise<bigint> {
  const { holding, isSending } = await readHotWallet(db, since)
  if (isSending || holding <= wallets.hotMaximum) return 0n
  const free = holding - (await sumPromised(db))
  return free <= wallets.hotMaximum ? 0n : free - wallets.hotTarget
}

/** The sweep of an address, or first the TRX for it; null when it cannot be now. */
async function sweepOf(
  context: MoveContext,
  { address, memberId, amount, isFuelled }: Holding,
  reading: Reading,
  hotTrx: bigint,
): Promise<NewPayment | null> {
  const { parts, view } = context
  const { hot } = parts.wallets
  const from = parseAddress(address)
  if (from === null || reading.usdt < amount) return null
  const cost = await tryTransfer(context, from, hot, amount, ALLOWANCE.thrifty)
  if (cost === null) return null
  const moment = momentOf(view, parts.lifetimeMs, memberId)
  const common = { memberId, withdrawalId: null, expiresAt: new Date(moment.expiration), offline: false }
  if (reading.trx >= cost.needed) {
    const built = buildTokenTransfer(parts.usdt, { from, to: hot, amount }, moment, cost.feeLimit)
    return { ...built, ...common, purpose: 'sweep', from, to: hot, amount }
  }
  const fuel = cost.needed - reading.trx
  if (isFuelled || fuel > MOST_FUEL || fuel > hotTrx) {
    warnOnce(context, 'sweep.unfuelled', { address, fuel, isFuelled })
    return null
  }
  const built = buildTrxTransfer({ from: hot, to: from, amount: fuel }, moment)
  return { ...built, ...common, purpose: 'trx_topup', from: hot, to: from, amount: fuel }
}

async function toCold(context: MoveContext, amount: bigint): Promise<NewPayment[]> {
  const { parts, view } = context
  const { hot: from, cold: to } = parts.wallets
  const cost = await tryTransfer(context, from, to, amount, ALLOWANCE.generous)
  if (cost === null) return []
  const moment = momentOf(view, parts.lifetimeMs, 0n)
  const built = buildTokenTransfer(parts.usdt, { from, to, amount }, moment, cost.feeLimit)
  const expiresAt = new Date(moment.expiration)
  return [
    {
      ...built,
      purpose: 'surplus',
      memberId: 0n,
      withdrawalId: null,
      from,
      to,
      amount,
      expiresAt,
      offline: false,
    },
  ]
}

/** What such a transfer would cost; null when it would fail, or cost too much. */
async function tryTransfer(
  context: MoveContext,
  from: TronAddress,
  to: TronAddress,
  amount: bigint,
  allowance: bigint,
): Promise<Cost | null> {
  const { parts, node, prices } = context
  const trial = await node.trial(from, parts.usdt, encodeTransferCall(to, amount))
  if (!trial.reverted) return costOf(trial.energyUsed, prices, parts.feeLimit, allowance)
  warnOnce(context, 'move.would_revert', { from, to, amount, message: trial.message })
  return null
}

/** A thousand things are remembered, which is more than go wrong at once. */
const REMEMBERED = 1_000

function warnOnce({ parts, told }: MoveContext, event: string, facts: Facts): void {
  const key = `${event} ${JSON.stringify(facts, (_key, value: unknown) => String(value))}`
  if (told.has(key)) return
  if (told.size >= REMEMBERED) told.clear()
  told.add(key)
  parts.log.warn(event, facts)
}

function fuelUnderWay(open: readonly OpenPayment[]): bigint {
  return open.reduce((sum, { purpose, amount }) => (purpose === 'trx_topup' ? sum + amount : sum), 0n)
}
