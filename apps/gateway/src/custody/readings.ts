/** Reads from the nodes what our addresses hold in the solid chain. */
import type { NodeClient, TronAddress } from '@aval/tron'
import { ChainFault } from '../chain/fault.ts'
import { type Answered, askAll, type Nodes, nodeName } from '../chain/nodes.ts'
import { readAhead } from '../chain/read-ahead.ts'
import { tokenBalance } from '../chain/token.ts'
import type { Reading } from './custody.sql.ts'

/** Few at a time, so that the solid chain seldom moves on while they are read. */
const TOGETHER = 10
const IN_FLIGHT = 5

interface Told {
  readonly from: { readonly number: number; readonly id: string }
  readonly to: { readonly number: number; readonly id: string }
  readonly balances: readonly { readonly usdt: bigint; readonly trx: bigint }[]
}

/**
 * What these addresses hold. One on which nodes differ because the chain moved meanwhile is left out.
 * @throws NodeError, NodesSilent, ChainFault `disagreement` where they tell different balances of one block
 */
export async function readHoldings(
  nodes: Nodes,
  token: TronAddress,
  addresses: readonly TronAddress[],
): Promise<Reading[]> {
  const readings: Reading[] = []
  for (let first = 0; first < addresses.length; first += TOGETHER) {
    const group = addresses.slice(first, first + TOGETHER)
    const answers = await askAll(nodes.able(), nodes.quorum, (node) => askNode(node, token, group))
    readings.push(...group.flatMap((address, place) => readingOf(address, place, answers) ?? []))
  }
  return readings
}

async function askNode(
  node: NodeClient,
  token: TronAddress,
  addresses: readonly TronAddress[],
): Promise<Told> {
  const from = await node.solidBlock()
  const balances: { usdt: bigint; trx: bigint }[] = []
  const asked = readAhead(0, addresses.length - 1, IN_FLIGHT, async (place) => {
    const address = addresses[place]
    if (address === undefined) throw new RangeError('no such address')
    const [usdt, trx] = await Promise.all([
      tokenBalance(node, token, address, 'solid'),
      node.trxBalance(address, 'solid'),
    ])
    return { usdt, trx }
  })
  for await (const balance of asked) balances.push(balance)
  return { from, to: await node.solidBlock(), balances }
}

function readingOf(address: TronAddress, place: number, answers: readonly Answered<Told>[]): Reading | null {
  const told = answers.flatMap(({ node, answer }) => {
    const balance = answer.balances[place]
    return balance === undefined ? [] : [{ node, ...answer, ...balance }]
  })
  const [first] = told
  if (first === undefined) return null
  const other = told.find((each) => each.usdt !== first.usdt || each.trx !== first.trx)
  if (other !== undefined) {
    if (told.every((each) => each.from.id === first.from.id && each.to.id === first.from.id)) {
      throw new ChainFault(
        'disagreement',
        `${nodeName(first.node)} says ${address} holds ${first.usdt} (${first.trx} sun), ${nodeName(other.node)} says ${other.usdt} (${other.trx} sun)`,
      )
    }
    return null
  }
  return {
    address,
    usdt: first.usdt,
    trx: first.trx,
    fromBlock: Math.min(...told.map((each) => each.from.number)),
    toBlock: Math.max(...told.map((each) => each.to.number)),
  }
}
