/** What a member sees of the trees: whole, a part, a page of children, the way to a member, one member. */
import {
  PATH_LIMIT,
  SEARCH_LIMIT,
  SEARCH_PATH_LIMIT,
  TREE_LIMIT,
  type TreePathQuery,
  type TreeQuery,
} from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { addDays, dayStart, isDay } from '@aval/plan'
import { atOneMoment } from '../../core/query.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { planAt } from '../plan-versions/plan-versions.queries.ts'
import {
  countTeam,
  depthOf,
  findBelow,
  standingOf,
  volumesOf,
  type Way,
  waysDown,
} from './downline.queries.ts'
import { type Standing, selectLegs, selectStanding } from './downline.sql.ts'
import { readNodeId } from './genealogy.rules.ts'
import type { Tree } from './numbering.sql.ts'
import { searchBelow } from './search.queries.ts'
import { type NodeRow, selectChildren, selectJoined, selectLinks, selectNodes } from './tree.sql.ts'

/** A node with its distance from the caller. */
export interface PlacedNode extends NodeRow {
  readonly depth: number
}

/** The end of a day, as members count days; null for no day. */
async function endOf(tx: Tx, day: string | undefined, now: Date): Promise<Date | null> {
  if (day === undefined) return null
  if (!isDay(day)) throw new Refusal('dates_invalid')
  const { plan } = await planAt(tx, now)
  return dayStart(addDays(day, 1), plan.timeZone)
}

/** A member of the caller's own downline. @throws Refusal `not_found` for everybody else, and for nobody */
async function below(tx: Tx, tree: Tree, caller: Standing, name: string): Promise<Standing> {
  const id = readNodeId(name)
  const found = id === null ? null : await findBelow(tx, tree, caller, id)
  if (found === null) throw new Refusal('not_found')
  return found
}

/** Each node with its depth, in the order of the links. */
async function placed(
  tx: Tx,
  tree: Tree,
  links: readonly { readonly id: bigint; readonly depth: number }[],
  until: Date | null = null,
): Promise<PlacedNode[]> {
  const depths = new Map(links.map(({ id, depth }) => [id, depth]))
  const nodes = await selectNodes(tx, tree, [...depths.keys()], until)
  return nodes.map((node) => ({ ...node, depth: depths.get(node.id) ?? 0 }))
}

async function levelOf(tx: Tx, tree: Tree, caller: Standing, member: Standing): Promise<number> {
  if (member.id === caller.id) return 0
  return (await depthOf(tx, tree, member)) - (await depthOf(tx, tree, caller))
}

/** The part of a tree that a query asks for. @throws Refusal `not_found` outside the caller's downline */
export function readTree(db: Db, callerId: bigint, query: TreeQuery, now: Date): Promise<PlacedNode[]> {
  const { view: tree, children_of: parent, root, depth, limit, offset, count } = query
  return atOneMoment(db, async (tx) => {
    const caller = await standingOf(tx, tree, callerId)
    const until = await endOf(tx, query.as_of, now)
    const top = parent ?? root
    const from = top === undefined ? caller : await below(tx, tree, caller, top)
    const level = await levelOf(tx, tree, caller, from)
    const links =
      parent === undefined
        ? await selectLinks(tx, { tree, rootId: from.id, depth: depth ?? TREE_LIMIT, limit, until })
        : await selectChildren(tx, { tree, parentId: from.id, offset, count, until })
    const steps = links.map(({ id, step }) => ({ id, depth: level + step }))
    return placed(tx, tree, steps, until)
  })
}

/** How far below the caller the members of a way stand, when `depth` is that of its last. */
function depthsOf(way: Way, depth: number): { id: bigint; depth: number }[] {
  return way.ids.map((id, index) => ({
    id,
    depth: index < way.head ? index : depth - (way.ids.length - 1 - index),
  }))
}

/** The nodes from the caller down to a member. @throws Refusal `not_found` outside the caller's downline of that day */
export function readPath(
  db: Db,
  callerId: bigint,
  { view: tree, id: name, as_of: day }: TreePathQuery,
  now: Date,
): Promise<{ nodes: PlacedNode[]; skipped: number }> {
  return atOneMoment(db, async (tx) => {
    const caller = await standingOf(tx, tree, callerId)
    const until = await endOf(tx, day, now)
    const member = await below(tx, tree, caller, name)
    // Everybody above joined before.
    if (until !== null && (await selectJoined(tx, member.id)) >= until) throw new Refusal('not_found')
    const way = (await waysDown(tx, tree, caller, [member.id], PATH_LIMIT / 2)).get(member.id)
    if (way === undefined) throw new Error(`there is no way from ${callerId} to ${member.id}`)
    const depth = way.ids.length - 1 + way.skipped
    return { nodes: await placed(tx, tree, depthsOf(way, depth), until), skipped: way.skipped }
  })
}

export interface Found {
  readonly node: NodeRow
  readonly way: Way
}

/** Members of the caller's downline by name, username or e-mail: who is called exactly so first, then the nearest. */
export function searchTree(db: Db, callerId: bigint, tree: Tree, text: string) {
  return atOneMoment(db, async (tx) => {
    const caller = await standingOf(tx, tree, callerId)
    const { ids, more } = await searchBelow(tx, tree, caller, text, SEARCH_LIMIT)
    const nodes = await selectNodes(tx, tree, ids, null)
    const ways = await waysDown(tx, tree, caller, ids, SEARCH_PATH_LIMIT / 2)
    const found = nodes.flatMap((node) => {
      const way = ways.get(node.id)
      return way === undefined ? [] : [{ node, way }]
    })
    const exact = ({ node }: Found) => (node.username.toLowerCase() === text.toLowerCase() ? 0 : 1)
    const depth = ({ way }: Found) => way.ids.length + way.skipped
    return { found: found.toSorted((a, b) => exact(a) - exact(b) || depth(a) - depth(b)), more }
  })
}

export interface Sheet {
  readonly node: NodeRow
  readonly joinedAt: Date
  readonly level: number
  readonly direct: number
  readonly team: number
  readonly volume: bigint
  readonly left: bigint
  readonly right: bigint
}

/** In the sponsor tree, else in the binary one: spillover puts others' referrals below the caller. */
async function levelInEither(tx: Tx, callerId: bigint, memberId: bigint): Promise<number | null> {
  for (const tree of ['unilevel', 'binary'] as const) {
    const caller = await standingOf(tx, tree, callerId)
    const member = await findBelow(tx, tree, caller, memberId)
    if (member !== null) return levelOf(tx, tree, caller, member)
  }
  return null
}

/** What a member sees of one below. @throws Refusal `not_found` for those who stand below in neither tree */
export function readMember(db: Db, callerId: bigint, name: string): Promise<Sheet> {
  const id = readNodeId(name)
  return atOneMoment(db, async (tx) => {
    const known = id === null ? null : await selectStanding(tx, 'unilevel', id)
    const level = known === null ? null : await levelInEither(tx, callerId, known.id)
    const [node] = known === null || level === null ? [] : await selectNodes(tx, 'unilevel', [known.id], null)
    if (node === undefined || level === null) throw new Refusal('not_found')
    const { direct, indirect } = await countTeam(tx, node.id)
    const [whole = 0n] = await volumesOf(tx, 'unilevel', [node.id])
    const legs = await selectLegs(tx, node.id)
    const [left = 0n, right = 0n] = await volumesOf(tx, 'binary', [legs.left, legs.right])
    const joinedAt = await selectJoined(tx, node.id)
    const team = direct + indirect
    return { node, joinedAt, level, direct, team, volume: whole - node.principal, left, right }
  })
}
