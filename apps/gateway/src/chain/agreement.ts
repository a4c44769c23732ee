/**
 * Reads what the nodes agree on. The solid block is the highest that enough of them have. A block counts only where every
 * node that has it reports the same facts.
 */
import type { Block, BlockHeader, NodeClient, Receipt, TronAddress, View } from '@aval/tron'
import {
  type BlockFacts,
  factLines,
  firstDifference,
  mayHaveLogs,
  movementsOf,
  outcomesOf,
} from './block.rules.ts'
import { type Answered, askAll, ChainFault, type Nodes, nodeName } from './nodes.ts'

export interface Heads {
  readonly head: BlockHeader
  readonly solid: BlockHeader
  /** The node that reported the head. */
  readonly headNode: NodeClient
  /** The nodes that answered, with their own solid blocks. */
  readonly witnesses: readonly { readonly node: NodeClient; readonly solid: BlockHeader }[]
  readonly quorum: number
}

/**
 * The newest and the solid block.
 * @throws NodeError, TooFewNodes, ChainFault `disagreement`
 */
export async function readHeads(nodes: Nodes): Promise<Heads> {
  const ask = async (node: NodeClient) => {
    const [head, solid] = await Promise.all([node.headBlock(), node.solidBlock()])
    // The two answers are a moment apart: where blocks are solid at once, the head may already be below.
    return { head: head.number < solid.number ? solid : head, solid }
  }
  const { quorum } = nodes
  const answers = await askAll(nodes.nextRound(), quorum, ask, nodes.report)
  const nth = <Field extends 'head' | 'solid'>(field: Field) =>
    answers.toSorted((one, other) => other.answer[field].number - one.answer[field].number)[quorum - 1]
  const [headed, solid] = [nth('head'), nth('solid')?.answer.solid]
  if (headed === undefined || solid === undefined) throw new RangeError('a quorum of no nodes')
  const witnesses = answers.map(({ node, answer }) => ({ node, solid: answer.solid }))
  for (const one of witnesses) {
    const { number, id } = one.solid
    const other = witnesses.find((each) => each.solid.number === number && each.solid.id !== id)
    if (other !== undefined)
      throw disagreement(`the solid block ${number}`, one.node, id, other.node, other.solid.id)
  }
  return { head: headed.answer.head, solid, headNode: headed.node, witnesses, quorum }
}

/**
 * A solid block on which all nodes that have it agree; enough of them must have it.
 * @throws NodeError, TooFewNodes, ChainFault `incomplete` and `disagreement`
 */
export async function readAgreedBlock(
  { witnesses, quorum }: Heads,
  number: number,
  hot: TronAddress,
): Promise<BlockFacts> {
  const having = witnesses.filter(({ solid }) => solid.number >= number).map(({ node }) => node)
  const answers = await askAll(having, quorum, (node) => readBlock(node, number, 'solid', hot))
  return agreed(`block ${number}`, answers)
}

function agreed(what: string, answers: readonly Answered<BlockFacts>[]): BlockFacts {
  const [first, ...others] = answers
  if (first === undefined) throw new ChainFault('incomplete', `${what}: no node has it`)
  const lines = others.length === 0 ? [] : factLines(first.answer)
  for (const other of others) {
    const difference = firstDifference(lines, factLines(other.answer))
    if (difference !== null) throw disagreement(what, first.node, difference[0], other.node, difference[1])
  }
  return first.answer
}

export function disagreement(
  what: string,
  one: NodeClient,
  oneSays: string,
  other: NodeClient,
  otherSays: string,
): ChainFault {
  return new ChainFault(
    'disagreement',
    `${what}: ${nodeName(one)} says ${oneSays}, ${nodeName(other)} says ${otherSays}`,
  )
}

/**
 * Reads a block from one node and, where it ran code or `hot` sent something in it, its receipts.
 *
 * The very first block allocates balances and has no receipts: only its link counts.
 * @throws NodeError
 * @throws ChainFault `incomplete` when the view lacks the block or any of its receipts
 */
export async function readBlock(
  node: NodeClient,
  number: number,
  view: View,
  hot: TronAddress,
): Promise<BlockFacts> {
  const block = await node.block(number, view)
  if (block === null) throw new ChainFault('incomplete', `block ${number} is not there`)
  const { id, parentId, timestamp } = block
  const link = { number, id, parentId, at: timestamp }
  if (number === 0) return { ...link, movements: [], outcomes: [] }
  const isWanted = mayHaveLogs(block) || block.transactions.some(({ from }) => from === hot)
  const receipts = isWanted ? await receiptsOf(node, block, view) : []
  return { ...link, movements: movementsOf(block, receipts), outcomes: outcomesOf(block, receipts) }
}

async function receiptsOf(node: NodeClient, block: Block, view: View): Promise<readonly Receipt[]> {
  const receipts = await node.blockReceipts(block.number, view)
  const { number, txids } = block
  const known = new Set(receipts.map((receipt) => receipt.txid))
  const complete = known.size === txids.length && txids.every((txid) => known.has(txid))
  if (!complete || receipts.length !== txids.length) {
    throw new ChainFault(
      'incomplete',
      `block ${number} has ${txids.length} transactions and ${receipts.length} receipts`,
    )
  }
  return receipts
}
