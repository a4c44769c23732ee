/**
 * Prepares the transfers of approved withdrawals, the oldest first. Once a round the nodes are asked about the token's rules
 * and the hot wallet's funds; each transfer is tried on a node before it is built. What delays one withdrawal is noted, and
 * the next is prepared; what delays all ends the round.
 */
import {
  decodeRaw,
  encodeAddressWord,
  encodeTransferCall,
  type NodeClient,
  NodeError,
  type Prices,
  parseAddress,
  type TronAddress,
  type View,
} from '@aval/tron'
import { disagreement } from '../chain/agreement.ts'
import type { ChainStatus } from '../chain/health.rules.ts'
import { askAll, type Nodes } from '../chain/nodes.ts'
import { mapInOrder } from '../core/in-order.ts'
import type { OutgoingContext } from './context.ts'
import { delayAll, delayEach, isSignerDelay, resumeAll } from './delays.ts'
import {
  clearDelays,
  type Delay,
  type DelayCode,
  type DueWithdrawal,
  type Failures,
  findFailures,
  type NewTransfer,
  type OpenTransfer,
  storePrepared,
} from './outgoing.sql.ts'
import {
  ALLOWANCE,
  buildTokenTransfer,
  type Cost,
  costOf,
  fuelOf,
  restAfter,
  type Validity,
} from './transfer-bytes.rules.ts'

/** How many trial runs are in flight at once. */
const IN_FLIGHT = 8

export type PrepareContext = OutgoingContext & {
  /** To be signed on another machine. */
  readonly offline?: boolean
}

interface Payable {
  readonly due: DueWithdrawal
  readonly to: TronAddress
  readonly cost: Cost
}
type Trial = Payable | { readonly delay: Delay }
type DelayOfAll = Pick<Delay, 'code' | 'detail'>

/**
 * One round for these withdrawals; gives the transfers that the database accepted.
 * @param known what delayed all of them so far
 * @throws NodeError, TooFewNodes, ChainFault and what the database throws: nothing is prepared then
 */
export async function prepareWithdrawals(
  context: PrepareContext,
  status: ChainStatus,
  due: readonly DueWithdrawal[],
  open: readonly OpenTransfer[],
  known: DelayCode | null,
  now: Date,
): Promise<NewTransfer[]> {
  const preflight = await readPreflight(context.nodes, context.usdt, context.hot)
  if (preflight.delay !== null) {
    await delayAll(context, preflight.delay, now)
    return []
  }
  const failures = (await findFailures(context.db, [context.hot]))[0]
  const burning = burningOf(failures, context.retry.capMs, now)
  if (burning !== null) {
    await delayAll(context, burning, now)
    return []
  }
  const tooLittle = tooLittleOf(failures)
  const next = tooLittle === 0n ? due : oneAlone(context, due, open)
  const usdt = coveredBy(preflight.usdt - leavingUsdt(context, open), next, ({ amount }) => amount)
  const trials = await tryTransfers(context, usdt.covered, preflight.prices, tooLittle)
  const payable = trials.flatMap((trial) => ('delay' in trial ? [] : [trial]))
  const trx = coveredBy(preflight.fuel - leavingTrx(context, open, payable), payable, neededFor)
  const delays = trials.flatMap((trial) => ('delay' in trial ? [trial.delay] : []))
  await delayEach(context, delays, now)
  if (trx.missing > 0n) await delayAll(context, { code: 'hot_trx', detail: `${trx.missing} sun short` }, now)
  else if (usdt.missing > 0n)
    await delayAll(context, { code: 'hot_usdt', detail: `${usdt.missing} micro-USDT short` }, now)
  else if (!isSignerDelay(known)) await resumeAll(context, known)
  const transfers = trx.covered.map((each) => buildWithdrawal(context, status, each))
  const accepted = await storePrepared(context.db, transfers)
  const resumed = trx.covered.filter((each) => each.due.isDelayed)
  await clearDelays(
    context.db,
    resumed.map(({ due: { memberId, id } }) => ({ memberId, withdrawalId: id })),
  )
  return transfers.filter(({ txid }) => accepted.has(txid))
}

export interface Preflight {
  /** What forbids every transfer, whatever its amount. */
  readonly delay: DelayOfAll | null
  readonly prices: Prices
  /** The least the hot wallet holds: micro-USDT in the solid chain, and sun at the head. */
  readonly usdt: bigint
  readonly trx: bigint
  /** The same with what its own energy and bytes spare it. */
  readonly fuel: bigint
}

interface Answer extends Omit<Preflight, 'delay'> {
  readonly paused: boolean
  /** What the token takes of each transfer, in hundredths of a percent. */
  readonly feeRate: bigint
  readonly blacklisted: boolean
  /** The solid block at which `usdt` was read; null when it moved meanwhile. */
  readonly block: string | null
}

/**
 * Asks all nodes, and takes the worst of their answers.
 * @throws NodeError, TooFewNodes, ChainFault `disagreement` when two report different balances at one block
 */
export async function readPreflight(nodes: Nodes, token: TronAddress, hot: TronAddress): Promise<Preflight> {
  const answers = await askAll(nodes.available(), nodes.quorum, (node) => askNode(node, token, hot))
  for (const { node, answer } of answers) {
    const other = answers.find(
      (each) => each.answer.block === answer.block && each.answer.usdt !== answer.usdt,
    )
    if (answer.block === null || other === undefined) continue
    const what = 'the USDT of the hot wallet'
    throw disagreement(what, node, String(answer.usdt), other.node, String(other.answer.usdt))
  }
  const all = answers.map(({ answer }) => answer)
  return {
    delay: delayBy(all),
    prices: {
      energy: largest(all.map((each) => each.prices.energy)),
      byte: largest(all.map((each) => each.prices.byte)),
    },
    usdt: smallest(all.map((each) => each.usdt)),
    trx: smallest(all.map((each) => each.trx)),
    fuel: smallest(all.map((each) => each.fuel)),
  }
}

async function askNode(node: NodeClient, token: TronAddress, hot: TronAddress): Promise<Answer> {
  const before = await node.solidBlock()
  const [paused, feeRate, blacklisted, prices, trx, usdt, resources] = await Promise.all([
    readWord(node, token, 'paused()'),
    readWord(node, token, 'basisPointsRate()'),
    isBlacklisted(node, token, hot),
    node.prices(),
    node.trxBalance(hot, 'head'),
    tokenBalance(node, token, hot, 'solid'),
    node.resources(hot),
  ])
  const fuel = fuelOf(trx, resources, prices)
  const after = await node.solidBlock()
  const block = before.id === after.id ? after.id : null
  return { paused: paused !== 0n, feeRate, blacklisted, prices, trx, fuel, usdt, block }
}

function delayBy(answers: readonly Answer[]): DelayOfAll | null {
  if (answers.some((each) => each.paused)) return { code: 'token_paused', detail: '' }
  const rate = largest(answers.map((each) => each.feeRate))
  if (rate > 0n) return { code: 'token_fee', detail: `${rate} hundredths of a percent` }
  return answers.some((each) => each.blacklisted) ? { code: 'hot_blacklisted', detail: '' } : null
}

const ascending = (values: readonly bigint[]) => values.toSorted((one, other) => (one < other ? -1 : 1))
const smallest = (values: readonly bigint[]) => ascending(values)[0] ?? 0n
const largest = (values: readonly bigint[]) => ascending(values).at(-1) ?? 0n

/** In micro-USDT. */
export function tokenBalance(
  node: NodeClient,
  token: TronAddress,
  owner: TronAddress,
  view: View,
): Promise<bigint> {
  return readWord(node, token, 'balanceOf(address)', encodeAddressWord(owner), view)
}

async function isBlacklisted(node: NodeClient, token: TronAddress, address: TronAddress): Promise<boolean> {
  return (await readWord(node, token, 'isBlackListed(address)', encodeAddressWord(address))) !== 0n
}

/** The number that a function of the token answers. @throws NodeError `bad_answer` when it is none */
async function readWord(
  node: NodeClient,
  token: TronAddress,
  signature: string,
  argument = '',
  view: View = 'head',
): Promise<bigint> {
  const { result } = await node.constantCall(token, signature, argument, { view })
  if (!/^[0-9a-f]{64}$/.test(result)) throw new NodeError('bad_answer', signature, 'no 32-byte word')
  return BigInt(`0x${result}`)
}

async function tryTransfers(
  context: OutgoingContext,
  due: readonly DueWithdrawal[],
  prices: Prices,
  tooLittle: bigint,
): Promise<Trial[]> {
  const node = context.nodes.any()
  const tryOne = (each: DueWithdrawal) => tryTransfer(context, node, each, prices, tooLittle)
  return Array.fromAsync(mapInOrder(due, IN_FLIGHT, tryOne))
}

/** The fee limit with which a sender's last transfer ran out of energy, in sun; 0 where none did. */
export function tooLittleOf(failures: Failures | undefined): bigint {
  return failures?.raw == null ? 0n : decodeRaw(failures.raw).feeLimit
}

/** After one ran out of energy, one shows whether the next does: a hundred would burn a hundred fees. */
function oneAlone({ hot }: OutgoingContext, due: readonly DueWithdrawal[], open: readonly OpenTransfer[]) {
  return open.some(({ from }) => from === hot) ? [] : due.slice(0, 1)
}

/** Several transfers in a row burnt their fee for nothing: nothing of the hot wallet's leaves for a while. */
function burningOf(failures: Failures | undefined, firstMs: number, now: Date): DelayOfAll | null {
  if (failures === undefined) return null
  const { exhausted, lastAt } = failures
  const waitMs = restAfter(exhausted, firstMs) - (now.getTime() - lastAt.getTime())
  if (waitMs <= 0) return null
  return { code: 'fee_limit', detail: `${exhausted} transfers in a row ran out of energy` }
}

/** USDT returns false from a transfer that succeeds: a trial fails only where it reverts. */
async function tryTransfer(
  { usdt, hot, feeLimit }: OutgoingContext,
  node: NodeClient,
  due: DueWithdrawal,
  prices: Prices,
  tooLittle: bigint,
): Promise<Trial> {
  const { memberId, id: withdrawalId, amount } = due
  const delayed = (code: DelayCode, detail: string) => ({ delay: { memberId, withdrawalId, code, detail } })
  const to = parseAddress(due.to)
  if (to === null) return delayed('would_revert', 'the wallet is no Tron address')
  const [blacklisted, trial] = await Promise.all([
    isBlacklisted(node, usdt, to),
    node.trial(hot, usdt, encodeTransferCall(to, amount)),
  ])
  if (blacklisted) return delayed('recipient_blacklisted', to)
  if (trial.reverted) return delayed('would_revert', trial.message)
  const cost = costOf(trial.energyUsed, prices, feeLimit, ALLOWANCE.generous, tooLittle)
  if (cost !== null) return { due, to, cost }
  const ranOut = tooLittle === 0n ? '' : `; a transfer with ${tooLittle} sun ran out of energy`
  return delayed('fee_limit', `${trial.energyUsed} units of energy at ${prices.energy} sun${ranOut}`)
}

const neededFor = ({ cost }: Payable) => cost.needed

/**
 * Those that the money covers, and what the next one lacks. In their order: a small one never overtakes a large one that
 * waits for money.
 */
function coveredBy<Item>(
  available: bigint,
  items: readonly Item[],
  needOf: (item: Item) => bigint,
): { readonly covered: readonly Item[]; readonly missing: bigint } {
  let left = available
  for (const [count, item] of items.entries()) {
    const need = needOf(item)
    if (left < need) return { covered: items.slice(0, count), missing: need - left }
    left -= need
  }
  return { covered: items, missing: 0n }
}

/** What is in flight is still counted in the solid chain, although it is leaving. */
function leavingUsdt({ hot }: OutgoingContext, open: readonly OpenTransfer[]): bigint {
  return open
    .filter(({ from, purpose }) => from === hot && purpose !== 'trx_topup')
    .reduce((sum, { amount }) => sum + amount, 0n)
}

/** Each transfer in flight may burn as much as the most expensive of these. */
function leavingTrx(
  { hot }: OutgoingContext,
  open: readonly OpenTransfer[],
  payable: readonly Payable[],
): bigint {
  const most = largest(payable.map(neededFor))
  return open
    .filter(({ from }) => from === hot)
    .reduce((sum, { purpose, amount }) => sum + most + (purpose === 'trx_topup' ? amount : 0n), 0n)
}

function buildWithdrawal(
  { usdt, hot, lifetimeMs, offline = false }: PrepareContext,
  status: ChainStatus,
  { due: { memberId, id, amount, traceparent }, to, cost }: Payable,
): NewTransfer {
  const validity = validityFrom(status, lifetimeMs, id)
  return {
    ...buildTokenTransfer(usdt, { from: hot, to, amount }, validity, cost.feeLimit),
    purpose: 'withdrawal',
    memberId,
    withdrawalId: id,
    from: hot,
    to,
    amount,
    expiresAt: new Date(validity.expiration),
    offline,
    traceparent,
  }
}

/**
 * The validity of a transfer built now. The `salt` makes two otherwise equal transfers different: the chain does not check
 * the timestamp, and it carries out one transaction only once.
 */
export function validityFrom(status: ChainStatus, lifetimeMs: number, salt: bigint): Validity {
  return {
    refBlockId: status.solidId,
    timestamp: status.headAt + Number(salt % 1_000n),
    expiration: status.headAt + lifetimeMs,
  }
}
