/** Reads from the nodes what our addresses hold in the solid chain. */
import type { NodeClient, TronAddress } from '@aval/tron'
import { disagreement } from '../chain/agreement.ts'
import { type Answered, askAll, type Nodes } from '../chain/nodes.ts'
import { mapInOrder } from '../core/in-order.ts'
import { tokenBalance } from '../outgoing/prepare.ts'
import type { BalanceReading } from './custody.sql.ts'

/** Few at a time, so that the solid chain seldom moves on while they are read. */
const GROUP = 10
const IN_FLIGHT = 5

interface Answer {
  readonly from: { readonly number: number; readonly id: string }
  readonly to: { readonly number: number; readonly id: string }
  readonly balances: readonly { readonly usdt: bigint; readonly trx: bigint }[]
}

/**
 * What these addresses hold. One on which nodes differ because the chain moved meanwhile is left out.
 * @throws NodeError, TooFewNodes, ChainFault `disagreement` where they report different balances at one block
 */
export async function readBalances(
  nodes: Nodes,
  token: TronAddress,
  addresses: readonly TronAddress[],
): Promise<BalanceReading[]> {
  const readings: BalanceReading[] = []
  for (let first = 0; first < addresses.length; first += GROUP) {
    const group = addresses.slice(first, first + GROUP)
    const answers = await askAll(nodes.available(), nodes.quorum, (node) => askNode(node, token, group))
    readings.push(...group.flatMap((address, place) => readingOf(address, place, answers) ?? []))
  }
  return readings
}

async function askNode(
  node: NodeClient,
  token: TronAddress,
  addresses: readonly TronAddress[],
): Promise<Answer> {
  const from = await node.solidBlock()
  const reading = mapInOrder(addresses, IN_FLIGHT, async (address) => {
    const [usdt, trx] = await Promise.all([
      tokenBalance(node, token, address, 'solid'),
      node.trxBalance(address, 'solid'),
    ])
    return { usdt, trx }
  })
  const balances = await Array.fromAsync(reading)
  return { from, to: await node.solidBlock(), balances }
}

function readingOf(
  address: TronAddress,
  place: number,
  answers: readonly Answered<Answer>[],
): BalanceReading | null {
  const balances = answers.flatMap(({ node, answer }) => {
    const balance = answer.balances[place]
    return balance === undefined ? [] : [{ node, ...answer, ...balance }]
  })
  const [first] = balances
  if (first === undefined) return null
  const other = balances.find((each) => each.usdt !== first.usdt || each.trx !== first.trx)
  if (other !== undefined) {
    const isOneBlock = balances.every(
      (each) => each.from.id === first.from.id && each.to.id === first.from.id,
    )
    if (!isOneBlock) return null
    const shown = ({ usdt, trx }: typeof first) => `${usdt} (${trx} sun)`
    throw disagreement(`the balance of ${address}`, first.node, shown(first), other.node, shown(other))
  }
  return {
    address,
    usdt: first.usdt,
    trx: first.trx,
    fromBlock: Math.min(...balances.map((each) => each.from.number)),
    toBlock: Math.max(...balances.map((each) => each.to.number)),
  }
}
