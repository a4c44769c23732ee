/** What is checked once a round before anything is sent: the token's rules, and what the hot wallet holds. */
import {
  encodeAddressWord,
  type NodeClient,
  NodeError,
  type Prices,
  type TronAddress,
  type View,
} from '@aval/tron'
import { disagreement } from '../chain/agreement.ts'
import { askAll, type Nodes } from '../chain/nodes.ts'
import type { Delay } from './outgoing.sql.ts'

export interface Preflight {
  /** What forbids every transfer, whatever its amount. */
  readonly delay: Pick<Delay, 'code' | 'detail'> | null
  readonly prices: Prices
  /** The least the hot wallet holds: micro-USDT in the solid chain, and sun at the head. */
  readonly usdt: bigint
  readonly trx: bigint
}

interface Answer extends Omit<Preflight, 'delay'> {
  readonly paused: boolean
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
  }
}

async function askNode(node: NodeClient, token: TronAddress, hot: TronAddress): Promise<Answer> {
  const before = await node.solidBlock()
  const [rules, blacklisted, prices, trx, usdt] = await Promise.all([
    tokenRules(node, token),
    isBlacklisted(node, token, hot),
    node.prices(),
    node.trxBalance(hot, 'head'),
    tokenBalance(node, token, hot, 'solid'),
  ])
  const after = await node.solidBlock()
  return { ...rules, blacklisted, prices, trx, usdt, block: before.id === after.id ? after.id : null }
}

function delayBy(answers: readonly Answer[]): Preflight['delay'] {
  if (answers.some((each) => each.paused)) return { code: 'token_paused', detail: '' }
  const rate = largest(answers.map((each) => each.feeRate))
  if (rate > 0n) return { code: 'token_fee', detail: `${rate} hundredths of a percent` }
  return answers.some((each) => each.blacklisted) ? { code: 'hot_blacklisted', detail: '' } : null
}

function largest(values: readonly bigint[]): bigint {
  return values.toSorted((one, other) => (one > other ? -1 : 1))[0] ?? 0n
}

function smallest(values: readonly bigint[]): bigint {
  return values.toSorted((one, other) => (one < other ? -1 : 1))[0] ?? 0n
}

/** In micro-USDT. */
export async function tokenBalance(
  node: NodeClient,
  token: TronAddress,
  owner: TronAddress,
  view: View,
): Promise<bigint> {
  const { result } = await node.constantCall(token, 'balanceOf(address)', encodeAddressWord(owner), { view })
  return word(result, 'balanceOf')
}

export async function isBlacklisted(
  node: NodeClient,
  token: TronAddress,
  address: TronAddress,
): Promise<boolean> {
  const { result } = await node.constantCall(token, 'isBlackListed(address)', encodeAddressWord(address))
  return word(result, 'isBlackListed') !== 0n
}

/** Whether transfers are paused, and the fee the token takes of each, in hundredths of a percent. */
export async function tokenRules(
  node: NodeClient,
  token: TronAddress,
): Promise<{ readonly paused: boolean; readonly feeRate: bigint }> {
  const [paused, rate] = await Promise.all([
    node.constantCall(token, 'paused()', ''),
    node.constantCall(token, 'basisPointsRate()', ''),
  ])
  return { paused: word(paused.result, 'paused') !== 0n, feeRate: word(rate.result, 'basisPointsRate') }
}

function word(result: string, name: string): bigint {
  if (!/^[0-9a-f]{64}$/.test(result)) throw new NodeError('bad_answer', name, 'no 32-byte word')
  return BigInt(`0x${result}`)
}
