/**
 * What is asked of a downline: who belongs to it, how many they are, what they own, and the way down to one of them. Exact at
 * once after a registration: the numbering answers for everybody it knows, and who joined since is counted beside it.
 */
import type { Database, Db, Tx } from '@aval/db'
import {
  type Standing,
  selectAncestors,
  selectClimbs,
  selectCountByWalking,
  selectCounted,
  selectDepthByWalking,
  selectHolder,
  selectReaches,
  selectStanding,
  selectVolumeByWalking,
  selectVolumes,
} from './downline.sql.ts'
import type { Tree } from './numbering.sql.ts'

export interface Team {
  /** Introduced by the member. */
  readonly direct: number
  /** Everybody below those. */
  readonly indirect: number
}

/** Runs several questions on one snapshot: between two of them the trees may be numbered anew. */
export function atOneMoment<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  if (db.isTransaction) return work(db as Tx)
  return (db as Database)
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(work)
}

export async function countTeam(db: Db, memberId: bigint): Promise<Team> {
  const { direct, below } = await selectCounted(db, memberId)
  const all = below ?? (await selectCountByWalking(db, memberId))
  return { direct, indirect: all - direct }
}

/** Whether the first member of a tree's subtree `top` has `other` in it; everybody has themselves. */
export async function isBelow(tx: Tx, tree: Tree, top: Standing, other: Standing): Promise<boolean> {
  if (top.id === other.id) return true
  if (top.generation === 0) return selectReaches(tx, tree, other.id, top.id, false)
  if (top.size === null) return selectReaches(tx, tree, other.id, top.id, true)
  return other.at !== null && top.at !== null && other.at >= top.at && other.at < top.at + top.size
}

/** The standing of somebody in the caller's downline; null for everybody else and for nobody. */
export async function findBelow(
  tx: Tx,
  tree: Tree,
  caller: Standing,
  memberId: bigint,
): Promise<Standing | null> {
  if (memberId === caller.id) return caller
  const other = await selectStanding(tx, tree, memberId)
  return other !== null && (await isBelow(tx, tree, caller, other)) ? other : null
}

/** @throws Error for who is no member: callers are */
export async function standingOf(tx: Tx, tree: Tree, memberId: bigint): Promise<Standing> {
  const standing = await selectStanding(tx, tree, memberId)
  if (standing === null) throw new Error(`${memberId} has no place in the trees`)
  return standing
}

/** Steps below the first member of all. */
export async function depthOf(tx: Tx, tree: Tree, { id, depth }: Standing): Promise<number> {
  return depth ?? (await selectDepthByWalking(tx, tree, id))
}

/** What whole subtrees own, in the order of `ids`; zero for nobody. */
export async function volumesOf(tx: Tx, tree: Tree, ids: readonly (bigint | null)[]): Promise<bigint[]> {
  const volumes: bigint[] = []
  for (const [index, volume] of (await selectVolumes(tx, tree, ids)).entries()) {
    const id = ids[index] ?? null
    volumes.push(volume ?? (id === null ? 0n : await selectVolumeByWalking(tx, tree, id)))
  }
  return volumes
}

export interface Way {
  /** From the caller down. */
  readonly ids: readonly bigint[]
  /** How many are left out in the middle. */
  readonly skipped: number
  /** How many of `ids` stand before what is left out. */
  readonly head: number
}

/** Who stands above a member at a depth, at or below the caller's. */
async function ancestorAt(tx: Tx, tree: Tree, from: Standing, depth: number, down: number): Promise<bigint> {
  const numbered = async (id: bigint) => (await selectAncestors(tx, tree, [id], depth)).get(id) ?? null
  const anchorId = from.size === null && from.at !== null ? await selectHolder(tx, tree, from.at) : from.id
  const found = anchorId === null ? null : await numbered(anchorId)
  if (found !== null) return found
  // Among those who joined since the numbering, who are few; or nothing is numbered yet.
  const climb = await selectClimbs(tx, tree, [from.id], 0n, down + 1)
  const last = climb.at(-1)
  if (last === undefined) throw new Error(`${from.id} has no place in the trees`)
  return last.id
}

async function longWay(
  tx: Tx,
  tree: Tree,
  caller: Standing,
  bottom: readonly bigint[],
  ends: number,
): Promise<Way> {
  const [lowest = caller.id] = bottom
  const from = await standingOf(tx, tree, lowest)
  const top = await depthOf(tx, tree, caller)
  const steps = (await depthOf(tx, tree, from)) - top
  const turn = await ancestorAt(tx, tree, from, top + ends - 1, steps - ends + 1)
  const head = await selectClimbs(tx, tree, [turn], caller.id, ends)
  const ids = [...head.map(({ id }) => id).reverse(), ...bottom.slice(0, ends).reverse()]
  return { ids, skipped: steps + 1 - 2 * ends, head: ends }
}

/**
 * The ways from a caller down to members of their downline, each with at most `2 * ends` members: both ends of it, where it is
 * longer.
 */
export async function waysDown(
  tx: Tx,
  tree: Tree,
  caller: Standing,
  ids: readonly bigint[],
  ends: number,
): Promise<Map<bigint, Way>> {
  const climbs = new Map<bigint, bigint[]>()
  for (const { start, id } of await selectClimbs(tx, tree, ids, caller.id, 2 * ends)) {
    const climb = climbs.get(start)
    if (climb === undefined) climbs.set(start, [id])
    else climb.push(id)
  }
  const ways = new Map<bigint, Way>()
  for (const [start, climb] of climbs) {
    const whole = climb.at(-1) === caller.id
    ways.set(
      start,
      whole
        ? { ids: climb.reverse(), skipped: 0, head: climb.length }
        : await longWay(tx, tree, caller, climb, ends),
    )
  }
  return ways
}
