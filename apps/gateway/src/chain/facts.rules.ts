/** A block as we need it: whom it follows, what it moved, and how its transactions ended. */
import type { Movement, Outcome } from '../ingest/movements.rules.ts'
import type { LinkedBlock } from './continuity.rules.ts'

export interface BlockFacts extends LinkedBlock {
  readonly at: Date
  readonly movements: readonly Movement[]
  /** Empty where no receipt was needed: no code ran, and no payment of ours can be among the transactions. */
  readonly outcomes: readonly Outcome[]
}

/** All that is told of a block, a line each: two nodes that tell the same lines agree. */
export function linesOf(block: BlockFacts): string[] {
  return [
    `id ${block.id}`,
    `parent ${block.parentId}`,
    `at ${block.at.toISOString()}`,
    ...block.movements.map(
      (each) =>
        `${each.nature} ${each.txid}:${each.position} ${each.contract} ${each.from} ${each.to} ${each.value}`,
    ),
    ...block.outcomes.map(
      (each) => `${each.result} ${each.txid} ${each.success} ${each.fee} ${each.disputed}`,
    ),
  ]
}

/** The first thing that each of them says and the other does not. */
export function contradiction(one: readonly string[], other: readonly string[]): [string, string] | null {
  const onlyIn = (some: readonly string[], rest: readonly string[]) => {
    const known = new Set(rest)
    return some.find((line) => !known.has(line))
  }
  const [first, second] = [onlyIn(one, other), onlyIn(other, one)]
  if (first !== undefined || second !== undefined) return [first ?? 'nothing', second ?? 'nothing']
  return one.length === other.length ? null : [`${one.length} facts`, `${other.length} facts`]
}
