import type { Db } from '@aval/db'
import { countBelow, sumLegs } from '@aval/genealogy'
import { formatMicro, micro } from '@aval/money'
import { readPlacements } from '../core/network.sql.ts'
import {
  eachCarried,
  eachMatched,
  eachMovement,
  type Matched,
  selectMatched,
  selectTreeSize,
} from './check-legs.sql.ts'

const MOST_NAMED = 20

/** What history gave each member on each side, and how many investments that were; or why that cannot be told. */
async function givenTo(db: Db, size: number, matched: Matched) {
  const tree = await readPlacements(db, size)
  const own = new BigInt64Array(size)
  const made = new Int32Array(size)
  await eachMovement(db, size, matched, (id, points, investments) => {
    if (id >= size) return
    own[id] = points
    made[id] = investments
  })
  try {
    const { left, right } = sumLegs(tree, own, new Uint8Array(size).fill(1))
    return { left, right, investments: countBelow(tree.parent, made) }
  } catch (error) {
    return `the binary tree cannot be added up: ${error instanceof Error ? error.message : error}`
  }
}

function sentenceOf(id: number, side: string, given: bigint, matched: bigint, carried: bigint): string {
  const [came, gone, kept] = [given, matched, carried].map((points) => formatMicro(micro(points)))
  return `member ${id}: ${came} points came in on the ${side}, ${gone} were matched and ${kept} are carried`
}

/**
 * The binary tree, from the beginning: for every member and side, the points given there up to the last matched day equal
 * those matched plus those still carried.
 */
export async function findLegFaults(db: Db): Promise<string[]> {
  const matched = await selectMatched(db)
  if (matched === null) return []
  const size = await selectTreeSize(db)
  const given = await givenTo(db, size, matched)
  if (typeof given === 'string') return [given]
  const paid = new BigInt64Array(size)
  await eachMatched(db, size, (id, points) => {
    if (id < size) paid[id] = points
  })
  const carried = {
    left: new BigInt64Array(size),
    right: new BigInt64Array(size),
    events: new Int32Array(size),
  }
  const found: string[] = []
  let faults = 0
  const report = (sentence: string) => {
    faults += 1
    if (faults <= MOST_NAMED) found.push(sentence)
  }
  await eachCarried(db, size, (id, left, right, investments) => {
    if (id >= size) return report(`points are carried for ${id}, which is no member`)
    carried.left[id] = left
    carried.right[id] = right
    carried.events[id] = investments
  })
  for (let id = 1; id < size; id += 1) {
    const points = paid[id] ?? 0n
    const [left, right] = [given.left[id] ?? 0n, given.right[id] ?? 0n]
    const [keptLeft, keptRight] = [carried.left[id] ?? 0n, carried.right[id] ?? 0n]
    // A match takes as much from both sides.
    const lost = { left: left - points - keptLeft, right: right - points - keptRight }
    const isDust = lost.left >= 0n && (matched.dust === null || lost.left <= matched.dust)
    if (lost.left !== lost.right || !isDust) {
      if (lost.left !== 0n) report(sentenceOf(id, 'left', left, points, keptLeft))
      if (lost.right !== 0n) report(sentenceOf(id, 'right', right, points, keptRight))
    }
    if (given.investments[id] !== carried.events[id])
      report(
        `member ${id}: ${given.investments[id]} investments gave points, ${carried.events[id]} are counted`,
      )
  }
  if (faults > MOST_NAMED) found.push(`and ${faults - MOST_NAMED} more of points and legs`)
  return found
}
