/**
 * The network as far as it is loaded, and what of it is open. Everything drawn is an *item*, and its index is its node in
 * the layout: a member, a vacant place of the binary tree, or a button for more children of a member.
 */
import type { TreeNode, TreeView } from '@aval/contract'
import { NOBODY, parentOf, pathTo, TreeLayout } from '@aval/genealogy'

export type Leg = 'L' | 'R'

export interface MemberItem {
  readonly kind: 'member'
  node: TreeNode
  /** Loaded children, in order. */
  kids: number[]
  /** How many of them came in order: the next page begins there. A path to a member loads others as well. */
  paged: number
}

export type Item = MemberItem | { readonly kind: 'vacant'; readonly leg: Leg } | { readonly kind: 'more' }

/** Placeholder where there is no username. */
const NO_USERNAME = 'None'

/** From section 9 of the product's constants: children are revealed in these steps, up to this many. */
export const PAGE_STEP = 5
export const PAGE_LIMIT = 2000

export const NODE_SIZES = { width: 222, height: 110, childGap: 50, neighbourGap: 20 } as const

/** Beside the picture an amount has 140 of the card's 222; a character of one is 0.61 of its size at most. */
const AMOUNT = { size: 17, room: 140, character: 0.61 } as const

/** The size at which an amount is whole on its card: 17, or less from a hundred thousand on. */
export const amountSize = (text: string): number =>
  Math.min(AMOUNT.size, Math.floor((10 * AMOUNT.room) / (AMOUNT.character * text.length)) / 10)

/** So many are open at the start that they can be taken in at a glance. */
const AT_A_GLANCE = 15
/** Of a binary tree, which is as wide as what is open below both legs: levels that are open at the start, in a narrow window and in others. */
const BINARY_LEVELS = { narrow: 1, wide: 2 } as const

/** Has an investment. */
export const isActive = ({ plan_name: invested }: TreeNode): boolean => /[1-9]/.test(invested)

export const isVacant = (item: Item): boolean =>
  item.kind === 'vacant' || (item.kind === 'member' && item.node.username === NO_USERNAME)

export class Plot {
  readonly view: TreeView
  readonly layout = new TreeLayout(NODE_SIZES)
  readonly items: Item[] = []
  readonly #byId = new Map<string, number>()
  readonly #open = new Set<number>()
  readonly #slots = new Map<string, number>()
  readonly #more = new Map<number, number>()

  constructor(view: TreeView, nodes: readonly TreeNode[]) {
    this.view = view
    this.merge(nodes)
    for (const item of this.items) if (item.kind === 'member') item.paged = item.kids.length
  }

  indexOf(id: string): number | undefined {
    return this.#byId.get(id)
  }

  /** The member at this index; undefined where a place is vacant or more is offered. */
  member(index: number): MemberItem | undefined {
    const item = this.items[index]
    return item?.kind === 'member' ? item : undefined
  }

  isVacant(index: number): boolean {
    const item = this.items[index]
    return item !== undefined && isVacant(item)
  }

  /** Its leg under its parent; only the binary tree has legs. */
  legOf(index: number): Leg | null {
    const item = this.items[index]
    if (item === undefined || item.kind === 'more' || this.view !== 'binary' || index === 0) return null
    return item.kind === 'vacant' ? item.leg : item.node.leg
  }

  isOpen(index: number): boolean {
    return this.#open.has(index)
  }

  /** Whether anything can be shown below; in the binary tree there is always a place. */
  canOpen(index: number): boolean {
    const member = this.member(index)
    if (member === undefined || isVacant(member)) return false
    return this.view === 'binary' || member.node.children_count > 0 || member.kids.length > 0
  }

  /** How many children are not loaded. */
  missing(index: number): number {
    const member = this.member(index)
    return member === undefined ? 0 : Math.max(0, member.node.children_count - member.kids.length)
  }

  /** Adds new members and updates known ones. Parents come first; a member with an unknown parent is left out, except the first. */
  merge(nodes: readonly TreeNode[]): void {
    const changed = new Set<number>()
    for (const node of nodes) {
      const known = this.#byId.get(node.id)
      if (known !== undefined) {
        const member = this.member(known)
        if (member !== undefined) member.node = node
        continue
      }
      const parent = this.items.length === 0 ? NOBODY : this.#byId.get(node.parentId)
      if (parent === undefined) continue
      const index = this.#add(parent, { kind: 'member', node, kids: [], paged: 0 })
      this.#byId.set(node.id, index)
      this.member(parent)?.kids.push(index)
      if (parent !== NOBODY) changed.add(parent)
    }
    this.#rearrange(changed)
  }

  /** One page of a member's children, beginning where the last one ended. */
  mergePage(index: number, nodes: readonly TreeNode[]): void {
    const member = this.member(index)
    if (member === undefined) return
    this.merge(nodes)
    const page = nodes.flatMap(({ id }) => this.#byId.get(id) ?? [])
    const before = member.kids.slice(0, member.paged).filter((kid) => !page.includes(kid))
    const inOrder = new Set([...before, ...page])
    const others = member.kids.filter((kid) => !inOrder.has(kid))
    member.kids = [...before, ...page, ...others]
    member.paged = before.length + page.length
    // A member who was counted and has left is not requested again.
    if (page.length === 0) member.node = { ...member.node, children_count: member.kids.length }
    this.#rearrange([index])
  }

  open(index: number): void {
    if (!this.canOpen(index)) return
    this.#open.add(index)
    this.#rearrange([index])
  }

  close(index: number): void {
    this.#open.delete(index)
    this.#rearrange([index])
  }

  /** Everything that is loaded. */
  openAll(): void {
    const opened: number[] = []
    for (let index = 0; index < this.items.length; index += 1) {
      const member = this.member(index)
      if (member === undefined || member.kids.length === 0 || this.#open.has(index)) continue
      this.#open.add(index)
      opened.push(index)
    }
    this.#rearrange(opened)
  }

  /** Down to the first member and their children. */
  closeAll(): void {
    const open = [...this.#open].filter((index) => index !== 0)
    for (const index of open) this.#open.delete(index)
    this.#rearrange(open)
  }

  openTo(index: number): void {
    const above = pathTo(this.layout, index).slice(0, -1)
    for (const at of above) this.#open.add(at)
    this.#rearrange(above)
  }

  openIds(): string[] {
    return [...this.#open].flatMap((index) => this.member(index)?.node.id ?? [])
  }

  /** Opens who was open before, or else level after level, as long as it can be taken in at a glance. */
  begin(openIds: readonly string[] | null, isNarrow = false): void {
    const known = openIds?.flatMap((id) => this.#byId.get(id) ?? []) ?? []
    if (known.length > 0) {
      for (const index of known) this.#open.add(index)
      this.#rearrange(known)
      return
    }
    let level = this.items.length === 0 ? [] : [0]
    let shown = 1
    const levels =
      this.view === 'unilevel' ? Number.POSITIVE_INFINITY : BINARY_LEVELS[isNarrow ? 'narrow' : 'wide']
    for (let depth = 0; level.length > 0 && depth < levels; depth += 1) {
      const next = level.flatMap((index) => this.member(index)?.kids ?? [])
      if (depth > 0 && shown + next.length > AT_A_GLANCE) return
      for (const index of level) if (this.missing(index) === 0 || depth === 0) this.#openIfAny(index)
      this.#rearrange(level)
      shown += next.length
      level = next
    }
  }

  #openIfAny(index: number): void {
    if ((this.member(index)?.kids.length ?? 0) > 0 || index === 0)
      if (this.canOpen(index)) this.#open.add(index)
  }

  #add(parent: number, item: Item): number {
    const index = this.layout.add(parent)
    this.items[index] = item
    return index
  }

  #rearrange(indices: Iterable<number>): void {
    for (const index of indices) this.layout.show(index, this.#open.has(index) ? this.#shownBelow(index) : [])
    this.layout.settle()
  }

  #shownBelow(index: number): number[] {
    const member = this.member(index)
    if (member === undefined) return []
    const missing = this.missing(index)
    const below = this.view === 'binary' && missing === 0 ? this.#twoPlaces(index, member) : member.kids
    return missing === 0 ? below : [...below, this.#moreBelow(index)]
  }

  /** Left, then right, each a member or vacant. */
  #twoPlaces(index: number, member: MemberItem): number[] {
    const taken = (leg: Leg) => member.kids.filter((kid) => this.member(kid)?.node.leg === leg)
    const astray = member.kids.filter((kid) => this.member(kid)?.node.leg === null)
    const side = (leg: Leg) => {
      const kids = taken(leg)
      return kids.length > 0 ? kids : [this.#vacantBelow(index, leg)]
    }
    return [...side('L'), ...astray, ...side('R')]
  }

  #vacantBelow(index: number, leg: Leg): number {
    const key = `${index}${leg}`
    const known = this.#slots.get(key) ?? this.#add(index, { kind: 'vacant', leg })
    this.#slots.set(key, known)
    return known
  }

  #moreBelow(index: number): number {
    const known = this.#more.get(index) ?? this.#add(index, { kind: 'more' })
    this.#more.set(index, known)
    return known
  }
}

/** The node itself, or the nearest one above it that is shown. */
export function nearestShown(layout: TreeLayout, node: number): number {
  let at = node
  while (at > 0 && layout.place(at) === null) at = parentOf(layout, at)
  return Math.max(0, at)
}

/**
 * From whom on to show the network, so that the last node of a way can be seen although the way does not connect with what is
 * loaded: from the top where only a part is shown now, and otherwise from below the gap in a way too long to be sent whole.
 */
export function rootFor(way: readonly TreeNode[], shownFrom: string | null): string | null {
  if (shownFrom !== null) return null
  const below = way.findIndex((node, at) => at > 0 && node.parentId !== way[at - 1]?.id)
  return way[below]?.id ?? way.at(-1)?.id ?? null
}
