/**
 * What the nodes agree on. The solid block is the highest that enough of them have, and what it and all before it did
 * counts only where every node that has it says the same.
 */
import type { BlockHeader, NodeClient, TronAddress } from '@aval/tron'
import { type BlockFacts, contradiction, linesOf } from './facts.rules.ts'
import { ChainFault } from './fault.ts'
import { type Answered, askAll, type Nodes, nodeName } from './nodes.ts'
import { readBlock } from './read-block.ts'

export interface Heads {
  readonly head: BlockHeader
  readonly solid: BlockHeader
  /** The node whose head this is. */
  readonly headOf: NodeClient
  /** Those that answered, with their own solid blocks. */
  readonly witnesses: readonly Witness[]
}

export interface Witness {
  readonly node: NodeClient
  readonly solid: BlockHeader
}

/**
 * Where the chain stands.
 * @throws NodeError, NodesSilent, ChainFault `disagreement`
 */
export async function readHeads(nodes: Nodes): Promise<Heads> {
  const ask = async (node: NodeClient) => {
    const [head, solid] = await Promise.all([node.headBlock(), node.solidBlock()])
    // Asked a moment apart, a chain that solidifies at once may answer a head that is already below.
    return { head: head.number < solid.number ? solid : head, solid }
  }
  const answers = await askAll(nodes.next(), nodes.quorum, ask, nodes.heard)
  const nth = <Field extends 'head' | 'solid'>(field: Field) =>
    answers.toSorted((one, other) => other.answer[field].number - one.answer[field].number)[nodes.quorum - 1]
  const [headed, solid] = [nth('head'), nth('solid')?.answer.solid]
  if (headed === undefined || solid === undefined) throw new RangeError('a quorum of no nodes')
  const witnesses = answers.map(({ node, answer }) => ({ node, solid: answer.solid }))
  for (const one of witnesses) {
    const other = witnesses.find(
      (each) => each.solid.number === one.solid.number && each.solid.id !== one.solid.id,
    )
    if (other !== undefined)
      throw contradicted(`the solid block ${one.solid.number}`, one, one.solid.id, other, other.solid.id)
  }
  return { head: headed.answer.head, solid, headOf: headed.node, witnesses }
}

/**
 * A solid block as all nodes that have it tell it, of whom there must be enough.
 * @throws NodeError, NodesSilent, ChainFault `incomplete` and `disagreement`
 */
export async function readAgreed(
  { witnesses }: Heads,
  quorum: number,
  number: number,
  payer: TronAddress,
): Promise<BlockFacts> {
  const having = witnesses.filter(({ solid }) => solid.number >= number).map(({ node }) => node)
  const answers = await askAll(having, quorum, (node) => readBlock(node, number, 'solid', payer))
  return agreed(`block ${number}`, answers, linesOf)
}

/**
 * The one answer that all give.
 * @throws ChainFault `disagreement`
 */
export function agreed<Answer>(
  what: string,
  answers: readonly Answered<Answer>[],
  tell: (answer: Answer) => readonly string[],
): Answer {
  const [first, ...others] = answers
  if (first === undefined) throw new ChainFault('incomplete', `${what}: nobody has it`)
  if (others.length === 0) return first.answer
  const said = tell(first.answer)
  for (const other of others) {
    const difference = contradiction(said, tell(other.answer))
    if (difference !== null) throw contradicted(what, first, difference[0], other, difference[1])
  }
  return first.answer
}

function contradicted(
  what: string,
  one: { readonly node: NodeClient },
  oneSays: string,
  other: { readonly node: NodeClient },
  otherSays: string,
): ChainFault {
  return new ChainFault(
    'disagreement',
    `${what}: ${nodeName(one.node)} says ${oneSays}, ${nodeName(other.node)} says ${otherSays}`,
  )
}
