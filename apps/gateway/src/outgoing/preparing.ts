/**
 * Prepares payments of approved withdrawals: the oldest first, each tried out before it is built. What stands in the way of
 * one is noted for operators, and the next is looked at; what stands in the way of all ends the round.
 */
import { encodeTransferCall, type NodeClient, type Prices, parseAddress } from '@aval/tron'
import { readAhead } from '../chain/read-ahead.ts'
import type { ChainView } from '../chain/standing.rules.ts'
import { isBlacklisted } from '../chain/token.ts'
import {
  clearObstacles,
  type DueWithdrawal,
  type NewPayment,
  type Obstacle,
  type ObstacleCode,
  type OpenPayment,
  preparePayments,
} from './agenda.sql.ts'
import { ALLOWANCE, buildTokenTransfer, type Cost, costOf } from './building.rules.ts'
import { readConditions } from './conditions.ts'
import { clearAll, holdAll, isSigners, tellObstacles } from './obstacles.ts'
import { momentOf, type PayoutParts } from './parts.ts'

/** How many trial runs are under way at once. */
const IN_FLIGHT = 8

export type PreparingParts = PayoutParts & {
  /** To be signed on another machine. */
  readonly offline?: boolean
}

type Trial =
  | { readonly fits: true; readonly due: DueWithdrawal; readonly cost: Cost }
  | {
      readonly fits: false
      readonly due: DueWithdrawal
      readonly code: Obstacle['code']
      readonly detail: string
    }

/**
 * One round for these withdrawals; gives the payments that the database accepted.
 * @param known what held up all of them so far
 * @throws NodeError, NodesSilent, ChainFault and what the database throws: nothing is prepared then
 */
export async function prepareDue(
  parts: PreparingParts,
  view: ChainView,
  due: readonly DueWithdrawal[],
  open: readonly OpenPayment[],
  known: ObstacleCode | null,
  now: Date,
): Promise<NewPayment[]> {
  const conditions = await readConditions(parts.nodes, parts.usdt, parts.hot)
  if (conditions.obstacle !== null) {
    await holdAll(parts, conditions.obstacle, now)
    return []
  }
  const within = coveredBy(due, conditions.usdt - leavingUsdt(parts, open))
  const trials = await tryOut(parts, due.slice(0, within.count), conditions.prices)
  const payable = burnable(trials, conditions.trx - leavingTrx(parts, open, trials))
  const held = trials.flatMap((trial) => (trial.fits ? [] : [obstacleOf(trial)]))
  await tellObstacles(parts, held, now)
  const short = payable.short ?? within.short
  if (short !== null) await holdAll(parts, short, now)
  else if (!isSigners(known)) await clearAll(parts, known)
  const payments = payable.trials.map(({ due: each, cost }) => paymentOf(parts, view, each, cost))
  const accepted = await preparePayments(parts.db, payments)
  const freed = payable.trials.filter((each) => each.due.hasObstacle)
  await clearObstacles(
    parts.db,
    freed.map(({ due: { memberId, id } }) => ({ memberId, withdrawalId: id })),
  )
  return payments.filter((payment) => accepted.has(payment.txid))
}

async function tryOut(parts: PayoutParts, due: readonly DueWithdrawal[], prices: Prices): Promise<Trial[]> {
  const trials: Trial[] = []
  const [node] = parts.nodes.able()
  if (node === undefined) throw new RangeError('no node is configured')
  const results = readAhead(0, due.length - 1, IN_FLIGHT, async (place) => {
    const each = due[place]
    if (each === undefined) throw new RangeError('no such withdrawal')
    return tryOne(parts, node, each, prices)
  })
  for await (const trial of results) trials.push(trial)
  return trials
}

/** USDT returns false from a transfer that succeeds: only that it reverts says that it would fail. */
async function tryOne(
  { usdt, hot, feeLimit }: PayoutParts,
  node: NodeClient,
  due: DueWithdrawal,
  prices: Prices,
): Promise<Trial> {
  const held = (code: Obstacle['code'], detail: string): Trial => ({ fits: false, due, code, detail })
  const to = parseAddress(due.to)
  if (to === null) return held('would_revert', 'the wallet is no Tron address')
  const [blacklisted, trial] = await Promise.all([
    isBlacklisted(node, usdt, to),
    node.trial(hot, usdt, encodeTransferCall(to, due.amount)),
  ])
  if (blacklisted) return held('recipient_blacklisted', to)
  if (trial.reverted) return held('would_revert', trial.message)
  const cost = costOf(trial.energyUsed, prices, feeLimit, ALLOWANCE.generous)
  if (cost !== null) return { fits: true, due, cost }
  return held('fee_limit', `${trial.energyUsed} units of energy at ${prices.energy} sun`)
}

type Shortage = Pick<Obstacle, 'code' | 'detail'>
type Fitting = Extract<Trial, { fits: true }>

/** How many of them the money covers, the oldest first: a small one never overtakes a large one that waits for money. */
function coveredBy(
  due: readonly DueWithdrawal[],
  available: bigint,
): { readonly count: number; readonly short: Shortage | null } {
  let left = available
  for (const [count, { amount }] of due.entries()) {
    if (left < amount)
      return { count, short: { code: 'hot_usdt', detail: `${amount - left} micro-USDT short` } }
    left -= amount
  }
  return { count: due.length, short: null }
}

/** Those for whose energy there is TRX, in the same order. */
function burnable(
  trials: readonly Trial[],
  available: bigint,
): { readonly trials: readonly Fitting[]; readonly short: Shortage | null } {
  const fitting = trials.filter((trial): trial is Fitting => trial.fits)
  let left = available
  for (const [count, { cost }] of fitting.entries()) {
    if (left < cost.needed) {
      return {
        trials: fitting.slice(0, count),
        short: { code: 'hot_trx', detail: `${cost.needed - left} sun short` },
      }
    }
    left -= cost.needed
  }
  return { trials: fitting, short: null }
}

/** What is under way counts as still there in the solid chain, and is as good as gone. */
function leavingUsdt({ hot }: PayoutParts, open: readonly OpenPayment[]): bigint {
  return open
    .filter(({ from, purpose }) => from === hot && purpose !== 'trx_topup')
    .reduce((sum, { amount }) => sum + amount, 0n)
}

/** What is under way may have to burn as much as the dearest of these. */
function leavingTrx({ hot }: PayoutParts, open: readonly OpenPayment[], trials: readonly Trial[]): bigint {
  const dearest = trials.reduce(
    (most, trial) => (trial.fits && trial.cost.needed > most ? trial.cost.needed : most),
    0n,
  )
  return open
    .filter(({ from }) => from === hot)
    .reduce((sum, { purpose, amount }) => sum + dearest + (purpose === 'trx_topup' ? amount : 0n), 0n)
}

function paymentOf(parts: PreparingParts, view: ChainView, due: DueWithdrawal, cost: Cost): NewPayment {
  const to = parseAddress(due.to)
  if (to === null) throw new RangeError('it was tried out')
  const moment = momentOf(view, parts.lifetimeMs, due.id)
  const built = buildTokenTransfer(
    parts.usdt,
    { from: parts.hot, to, amount: due.amount },
    moment,
    cost.feeLimit,
  )
  return {
    ...built,
    purpose: 'withdrawal',
    memberId: due.memberId,
    withdrawalId: due.id,
    from: parts.hot,
    to,
    amount: due.amount,
    expiresAt: new Date(moment.expiration),
    offline: parts.offline === true,
  }
}

function obstacleOf({ due, code, detail }: Extract<Trial, { fits: false }>): Obstacle {
  return { memberId: due.memberId, withdrawalId: due.id, code, detail }
}
