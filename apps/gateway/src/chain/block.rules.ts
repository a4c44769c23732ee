/** A block as the gateway needs it: what it follows, what it moved, and how its transactions ended. */
import type { Movement, Outcome } from './movements.rules.ts'

export interface BlockRef {
  readonly number: number
  readonly id: string
}

export interface LinkedBlock extends BlockRef {
  readonly parentId: string
}

export interface BlockFacts extends LinkedBlock {
  readonly at: Date
  readonly movements: readonly Movement[]
  /** Empty where no receipt was needed: no code ran, and no transfer of ours can be among the transactions. */
  readonly outcomes: readonly Outcome[]
}

/** Why `block` does not follow `previous`; null when it does. */
export function breakBetween(previous: BlockRef, block: LinkedBlock): string | null {
  if (block.number !== previous.number + 1) {
    return `block ${block.number} came where ${previous.number + 1} belongs`
  }
  if (block.parentId !== previous.id) {
    return `block ${block.number} names ${block.parentId} as its parent, we had read ${previous.id}`
  }
  return null
}

/** All facts of a block, a line each: two nodes agree when their lines are the same. */
export function factLines(block: BlockFacts): string[] {
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

/** The first line that each of them has and the other has not; null when they agree. */
export function firstDifference(
  one: readonly string[],
  other: readonly string[],
): readonly [string, string] | null {
  const onlyIn = (some: readonly string[], rest: readonly string[]) => {
    const known = new Set(rest)
    return some.find((line) => !known.has(line))
  }
  const [first, second] = [onlyIn(one, other), onlyIn(other, one)]
  if (first !== undefined || second !== undefined) return [first ?? 'nothing', second ?? 'nothing']
  return one.length === other.length ? null : [`${one.length} facts`, `${other.length} facts`]
}
