/** What the trees say when they are walked link by link: what every quicker answer is compared with. */
import type { Database } from '@aval/db'

export interface Walked {
  readonly ids: readonly bigint[]
  direct(id: bigint): number
  /** From the first member of all down to this one. */
  way(tree: 'unilevel' | 'binary', id: bigint): bigint[]
  /** Without the member. */
  below(tree: 'unilevel' | 'binary', id: bigint): bigint[]
  volume(tree: 'unilevel' | 'binary', id: bigint): bigint
  leg(id: bigint, side: 'L' | 'R'): bigint | null
  readonly principal: ReadonlyMap<bigint, bigint>
}

type Above = ReadonlyMap<bigint, bigint | null>

function wayIn(above: Above, id: bigint): bigint[] {
  const way: bigint[] = []
  for (let here: bigint | null = id; here !== null; here = above.get(here) ?? null) way.push(here)
  return way.reverse()
}

export async function walkTrees(db: Database): Promise<Walked> {
  const links = await db.selectFrom('sponsorship').select(['member_id', 'sponsor_id']).execute()
  const places = await db.selectFrom('placement').select(['member_id', 'parent_id', 'leg']).execute()
  const balances = await db.selectFrom('member_balance').select(['member_id', 'principal']).execute()
  const above = {
    unilevel: new Map(links.map((row) => [row.member_id, row.sponsor_id])),
    binary: new Map(places.map((row) => [row.member_id, row.parent_id])),
  }
  const principal = new Map(balances.map((row) => [row.member_id, row.principal]))
  const ids = links.map((row) => row.member_id).sort((a, b) => (a < b ? -1 : 1))
  const ways = {
    unilevel: new Map(ids.map((id) => [id, wayIn(above.unilevel, id)])),
    binary: new Map(ids.map((id) => [id, wayIn(above.binary, id)])),
  }
  const way: Walked['way'] = (tree, id) => ways[tree].get(id) ?? []
  const below: Walked['below'] = (tree, id) =>
    ids.filter((other) => other !== id && way(tree, other).includes(id))
  return {
    ids,
    principal,
    way,
    below,
    direct: (id) => links.filter((row) => row.sponsor_id === id).length,
    volume: (tree, id) => below(tree, id).reduce((sum, other) => sum + (principal.get(other) ?? 0n), 0n),
    leg: (id, side) => places.find((row) => row.parent_id === id && row.leg === side)?.member_id ?? null,
  }
}
