/**
 * Prepares the transfers of approved withdrawals, the oldest first; each is tried on a node before it is built. What delays
 * one withdrawal is noted, and the next is prepared; what delays all ends the round.
 */
import { encodeTransferCall, type NodeClient, type Prices, parseAddress, type TronAddress } from '@aval/tron'
import type { ChainStatus } from '../chain/health.rules.ts'
import { mapInOrder } from '../core/in-order.ts'
import { type OutgoingContext, validityFrom } from './context.ts'
import { delayAll, delayEach, isSignerDelay, resumeAll } from './delays.ts'
import {
  clearDelays,
  type Delay,
  type DelayCode,
  type DueWithdrawal,
  type NewTransfer,
  type OpenTransfer,
  storePrepared,
} from './outgoing.sql.ts'
import { isBlacklisted, readPreflight } from './preflight.ts'
import { ALLOWANCE, buildTokenTransfer, type Cost, costOf } from './transfer-bytes.rules.ts'

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
type Shortage = Pick<Delay, 'code' | 'detail'>

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
  const covered = coveredByUsdt(due, preflight.usdt - leavingUsdt(context, open))
  const trials = await tryTransfers(context, covered.due, preflight.prices)
  const payable = trials.flatMap((trial) => ('delay' in trial ? [] : [trial]))
  const affordable = coveredByTrx(payable, preflight.trx - leavingTrx(context, open, payable))
  await delayEach(
    context,
    trials.flatMap((trial) => ('delay' in trial ? [trial.delay] : [])),
    now,
  )
  const short = affordable.short ?? covered.short
  if (short !== null) await delayAll(context, short, now)
  else if (!isSignerDelay(known)) await resumeAll(context, known)
  const transfers = affordable.payable.map((each) => buildWithdrawal(context, status, each))
  const accepted = await storePrepared(context.db, transfers)
  const resumed = affordable.payable.filter((each) => each.due.isDelayed)
  await clearDelays(
    context.db,
    resumed.map(({ due: { memberId, id } }) => ({ memberId, withdrawalId: id })),
  )
  return transfers.filter(({ txid }) => accepted.has(txid))
}

async function tryTransfers(
  context: OutgoingContext,
  due: readonly DueWithdrawal[],
  prices: Prices,
): Promise<Trial[]> {
  const node = context.nodes.any()
  const trials: Trial[] = []
  for await (const trial of mapInOrder(due, IN_FLIGHT, (each) => tryTransfer(context, node, each, prices)))
    trials.push(trial)
  return trials
}

/** USDT returns false from a transfer that succeeds: a trial fails only where it reverts. */
async function tryTransfer(
  { usdt, hot, feeLimit }: OutgoingContext,
  node: NodeClient,
  due: DueWithdrawal,
  prices: Prices,
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
  const cost = costOf(trial.energyUsed, prices, feeLimit, ALLOWANCE.generous)
  if (cost !== null) return { due, to, cost }
  return delayed('fee_limit', `${trial.energyUsed} units of energy at ${prices.energy} sun`)
}

/** How many the money covers, the oldest first: a small one never overtakes a large one that waits for money. */
function coveredByUsdt(
  due: readonly DueWithdrawal[],
  available: bigint,
): { readonly due: readonly DueWithdrawal[]; readonly short: Shortage | null } {
  const { count, missing } = covered(
    due.map(({ amount }) => amount),
    available,
  )
  const short = { code: 'hot_usdt', detail: `${missing} micro-USDT short` } as const
  return { due: due.slice(0, count), short: missing > 0n ? short : null }
}

/** Those for whose energy there is TRX, in the same order. */
function coveredByTrx(
  payable: readonly Payable[],
  available: bigint,
): { readonly payable: readonly Payable[]; readonly short: Shortage | null } {
  const { count, missing } = covered(
    payable.map(({ cost }) => cost.needed),
    available,
  )
  const short = { code: 'hot_trx', detail: `${missing} sun short` } as const
  return { payable: payable.slice(0, count), short: missing > 0n ? short : null }
}

/** How many of the needs are covered, in their order, and what the next one lacks. */
function covered(needs: readonly bigint[], available: bigint): { count: number; missing: bigint } {
  let left = available
  for (const [count, need] of needs.entries()) {
    if (left < need) return { count, missing: need - left }
    left -= need
  }
  return { count: needs.length, missing: 0n }
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
  const most =
    payable.map(({ cost }) => cost.needed).toSorted((one, other) => (one > other ? -1 : 1))[0] ?? 0n
  return open
    .filter(({ from }) => from === hot)
    .reduce((sum, { purpose, amount }) => sum + most + (purpose === 'trx_topup' ? amount : 0n), 0n)
}

function buildWithdrawal(
  { usdt, hot, lifetimeMs, offline = false }: PrepareContext,
  status: ChainStatus,
  { due: { memberId, id, amount }, to, cost }: Payable,
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
  }
}
