/** What has to be so before anything is sent: the token's rules, and what the hot wallet holds. Asked once a round. */
import type { NodeClient, Prices, TronAddress } from '@aval/tron'
import { ChainFault } from '../chain/fault.ts'
import { askAll, type Nodes, nodeName } from '../chain/nodes.ts'
import { isBlacklisted, tokenBalance, tokenRules } from '../chain/token.ts'
import type { ObstacleCode } from './agenda.sql.ts'

export interface Conditions {
  /** What forbids every transfer, whatever its amount. */
  readonly obstacle: { readonly code: ObstacleCode; readonly detail: string } | null
  readonly prices: Prices
  /** What the hot wallet holds for certain: micro-USDT in the solid chain, and sun at the head. */
  readonly usdt: bigint
  readonly trx: bigint
}

interface Told {
  readonly paused: boolean
  readonly feeRate: bigint
  readonly blacklisted: boolean
  readonly prices: Prices
  readonly usdt: bigint
  readonly trx: bigint
  /** The solid block for which `usdt` was told; null when it moved meanwhile. */
  readonly block: string | null
}

/**
 * Asks all nodes, and takes the worst of what they say: none of it is worth sending money on the word of the better one.
 * @throws NodeError, NodesSilent, ChainFault `disagreement` when two tell different balances of one block
 */
export async function readConditions(
  nodes: Nodes,
  token: TronAddress,
  hot: TronAddress,
): Promise<Conditions> {
  const answers = await askAll(nodes.able(), nodes.quorum, (node) => askNode(node, token, hot))
  for (const one of answers) {
    for (const other of answers) {
      if (one.answer.block === null || one.answer.block !== other.answer.block) continue
      if (one.answer.usdt === other.answer.usdt) continue
      throw new ChainFault(
        'disagreement',
        `${nodeName(one.node)} says the hot wallet holds ${one.answer.usdt}, ${nodeName(other.node)} says ${other.answer.usdt}`,
      )
    }
  }
  const told = answers.map(({ answer }) => answer)
  return {
    obstacle: obstacleOf(told),
    prices: {
      energy: most(told.map((each) => each.prices.energy)),
      byte: most(told.map((each) => each.prices.byte)),
    },
    usdt: least(told.map((each) => each.usdt)),
    trx: least(told.map((each) => each.trx)),
  }
}

async function askNode(node: NodeClient, token: TronAddress, hot: TronAddress): Promise<Told> {
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

function obstacleOf(told: readonly Told[]): Conditions['obstacle'] {
  if (told.some((each) => each.paused)) return { code: 'token_paused', detail: '' }
  const rate = most(told.map((each) => each.feeRate))
  if (rate > 0n) return { code: 'token_fee', detail: `${rate} hundredths of a percent` }
  return told.some((each) => each.blacklisted) ? { code: 'hot_blacklisted', detail: '' } : null
}

function most(values: readonly bigint[]): bigint {
  return values.toSorted((one, other) => (one > other ? -1 : 1))[0] ?? 0n
}

function least(values: readonly bigint[]): bigint {
  return values.toSorted((one, other) => (one < other ? -1 : 1))[0] ?? 0n
}
