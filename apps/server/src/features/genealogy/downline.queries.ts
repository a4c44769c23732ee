/**
 * What is asked of a downline: who belongs to it, how many they are, what they own, and the way down to one of them. Exact at
 * once after a registration: the numbering answers for everybody it knows, and members who joined since are counted separately.
 */
import type { Db, Tx } from '@aval/db'
import * as store from './downline.sql.ts'
import type { Tree } from './numbering.sql.ts'

export interface Team {
  /** Introduced by the member. */
  readonly direct: number
  /** Everybody below those. */
  readonly indirect: number
}

export async function countTeam(db: Db, memberId: bigint): Promise<Team> {
  const { direct, below } = await store.selectCounted(db, memberId)
  const all = below ?? (await store.selectCountByWalking(db, memberId))
  return { direct, indirect: all - direct }
}

/** Whether a numbered member's interval has the other's position. */
const isWithin = (top: store.Standing | null, { at }: store.Standing): boolean =>
  top !== null && top.at !== null && at !== null && at >= top.at && at < top.at + (top.size ?? 0)

/** Whether the first member of a tree's subtree `top` has `other` in it; everybody has themselves. */
export async function isBelow(tx: Tx, tree: Tree, top: store.Standing, other: store.Standing) {
  if (top.id === other.id) return true
  if (top.generation === 0) return store.selectReaches(tx, tree, other.id, top.id, false)
  if (top.size === null) return store.selectReaches(tx, tree, other.id, top.id, true)
  return isWithin(top, other)
}

/** The standing of a member of the caller's downline; null for all others. */
export async function findBelow(tx: Tx, tree: Tree, caller: store.Standing, memberId: bigint) {
  if (memberId === caller.id) return caller
  const other = await store.selectStanding(tx, tree, memberId)
  return other !== null && (await isBelow(tx, tree, caller, other)) ? other : null
}

/** @throws Error for who is no member: callers are */
export async function standingOf(tx: Tx, tree: Tree, memberId: bigint): Promise<store.Standing> {
  const standing = await store.selectStanding(tx, tree, memberId)
  if (standing === null) throw new Error(`${memberId} has no place in the trees`)
  return standing
}

/** Steps below the first member of all. */
export async function depthOf(tx: Tx, tree: Tree, { id, depth }: store.Standing): Promise<number> {
  return depth ?? (await store.selectDepthByWalking(tx, tree, id))
}

/** What whole subtrees own, in the order of `ids`; zero for nobody. */
export async function volumesOf(tx: Tx, tree: Tree, ids: readonly (bigint | null)[]): Promise<bigint[]> {
  const volumes: bigint[] = []
  for (const [index, volume] of (await store.selectVolumes(tx, tree, ids)).entries()) {
    const id = ids[index] ?? null
    volumes.push(volume ?? (id === null ? 0n : await store.selectVolumeByWalking(tx, tree, id)))
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

/** Each member's way up, nearest first, themselves included; see `selectClimbs`. */
async function climbsFrom(tx: Tx, tree: Tree, ids: readonly bigint[], topId: bigint, most: number) {
  const climbs = new Map<bigint, bigint[]>()
  for (const { start, id } of await store.selectClimbs(tx, tree, [...new Set(ids)], topId, most)) {
    const climb = climbs.get(start)
    if (climb === undefined) climbs.set(start, [id])
    else climb.push(id)
  }
  return climbs
}

/** Steps from the caller down to each of these. */
async function stepsDown(tx: Tx, tree: Tree, top: number, members: Iterable<store.Standing>) {
  const steps = new Map<store.Standing, number>()
  for (const member of members) steps.set(member, (await depthOf(tx, tree, member)) - top)
  return steps
}

/**
 * The members above numbered ones at a depth, null where there is none. Those who stand deep mostly share it: it is looked up for
 * the first, and then for who does not stand below.
 * @param anchors the numbered ones, by whom they are asked for
 */
async function aboveAt(tx: Tx, tree: Tree, anchors: ReadonlyMap<store.Standing, bigint>, depth: number) {
  const [first] = anchors.values()
  if (first === undefined) return new Map()
  const above = await store.selectAncestors(tx, tree, [first], depth)
  const shared = above.get(first) ?? null
  const top = shared === null ? null : await store.selectStanding(tx, tree, shared)
  const others: bigint[] = []
  for (const [member, anchor] of anchors)
    if (isWithin(top, member)) above.set(anchor, shared)
    else if (anchor !== first) others.push(anchor)
  return others.length === 0
    ? above
    : new Map([...above, ...(await store.selectAncestors(tx, tree, others, depth))])
}

/** Who stands above each of these at one depth, at or below the caller's; by how many steps they are below the caller. */
async function ancestorsAt(
  tx: Tx,
  tree: Tree,
  members: ReadonlyMap<store.Standing, number>,
  down: number,
  depth: number,
): Promise<Map<store.Standing, bigint>> {
  const anchors = new Map<store.Standing, bigint>()
  for (const member of members.keys()) {
    const isRecent = member.size === null && member.at !== null
    const anchor = isRecent ? await store.selectHolder(tx, tree, member.at ?? 0) : member.id
    if (anchor !== null) anchors.set(member, anchor)
  }
  const above = await aboveAt(tx, tree, anchors, depth)
  const found = new Map<store.Standing, bigint>()
  for (const [member, steps] of members) {
    const anchor = anchors.get(member)
    const known = anchor === undefined ? null : (above.get(anchor) ?? null)
    // Among those who joined since the numbering, who are few; or nothing is numbered yet.
    const climb = known === null ? await store.selectClimbs(tx, tree, [member.id], 0n, steps - down + 1) : []
    const id = known ?? climb.at(-1)?.id
    if (id === undefined) throw new Error(`${member.id} has no place in the trees`)
    found.set(member, id)
  }
  return found
}

const idsOf = (steps: ReadonlyMap<store.Standing, number>) => [...steps.keys()].map(({ id }) => id)

/** Of ways that are longer than `2 * ends`, both ends. All at once: one by one, twenty of them would take sixty questions. */
async function longWays(
  tx: Tx,
  tree: Tree,
  caller: store.Standing,
  steps: ReadonlyMap<store.Standing, number>,
  ends: number,
): Promise<[bigint, Way][]> {
  if (steps.size === 0) return []
  const depth = (await depthOf(tx, tree, caller)) + ends - 1
  const turns = await ancestorsAt(tx, tree, steps, ends - 1, depth)
  const heads = await climbsFrom(tx, tree, [...turns.values()], caller.id, ends)
  const bottoms = await climbsFrom(tx, tree, idsOf(steps), caller.id, ends)
  return [...turns].map(([member, turn]) => {
    const ids = [...(heads.get(turn) ?? []).toReversed(), ...(bottoms.get(member.id) ?? []).toReversed()]
    return [member.id, { ids, skipped: (steps.get(member) ?? 0) + 1 - 2 * ends, head: ends }]
  })
}

async function wholeWays(
  tx: Tx,
  tree: Tree,
  caller: store.Standing,
  steps: ReadonlyMap<store.Standing, number>,
  most: number,
): Promise<[bigint, Way][]> {
  if (steps.size === 0) return []
  const climbs = await climbsFrom(tx, tree, idsOf(steps), caller.id, most)
  return [...climbs].map(([start, climb]) => [
    start,
    { ids: climb.toReversed(), skipped: 0, head: climb.length },
  ])
}

/**
 * The ways from a caller down to members of their downline, each with at most `2 * ends` members: both ends of it, where it is
 * longer.
 */
export async function waysDown(
  tx: Tx,
  tree: Tree,
  caller: store.Standing,
  ids: readonly bigint[],
  ends: number,
) {
  const standings = await store.selectStandings(tx, tree, ids)
  const steps = await stepsDown(tx, tree, await depthOf(tx, tree, caller), standings.values())
  const those = (isLong: boolean) => new Map([...steps].filter(([, down]) => down >= 2 * ends === isLong))
  return new Map([
    ...(await wholeWays(tx, tree, caller, those(false), 2 * ends)),
    ...(await longWays(tx, tree, caller, those(true), ends)),
  ])
}
