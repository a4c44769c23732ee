/** The cards as elements, for the nodes in view and no others. An element that goes out of view serves the next one. */
import { picturePath } from '../../../../ui/picturePath.ts'
import { amountSize, type Item, isActive, isVacant, type Leg, NODE_SIZES, type Plot } from '../plot.ts'

export interface CardTexts {
  readonly noName: string
  readonly invite: string
  readonly vacant: (leg: Leg | null) => string
  /** Of that many that are not shown. */
  readonly more: (missing: number) => string
  readonly all: (missing: number) => string
  readonly amount: (amount: string) => string
  readonly count: (count: number) => string
  readonly state: (isActive: boolean) => string
  /** Who is under the pointer where cards are too small to be read. */
  readonly who: (item: Item, leg: Leg | null, missing: number) => string
}

export interface Shown {
  readonly node: number
  readonly x: number
  readonly y: number
  readonly opacity: number
}

type Kind = 'member' | 'vacant' | 'more'

interface Card {
  readonly kind: Kind
  readonly element: HTMLElement
  node: number
  version: number
  frame: number
  x: number
  y: number
  opacity: number
}

/** The action of a press on a part of a card; elsewhere it selects. */
export type Act = 'toggle' | 'invite' | 'more' | 'all' | 'select'

/** A picture, a text, or a button with its action. Built, not parsed: no text becomes markup here. */
type Part =
  | readonly [tag: 'img' | 'span', className: string]
  | readonly [tag: 'button', className: string, act: Act]

const PARTS: Record<Kind, readonly Part[]> = {
  member: [
    ['img', 'tree-avatar'],
    ['span', 'tree-amount'],
    ['span', 'tree-name'],
    ['span', 'tree-user'],
    ['span', 'tree-state'],
    ['button', 'tree-toggle', 'toggle'],
  ],
  vacant: [
    ['span', 'tree-place'],
    ['button', 'tree-link', 'invite'],
  ],
  more: [
    ['button', 'tree-link', 'more'],
    ['button', 'tree-link', 'all'],
  ],
}

function avatar(): HTMLImageElement {
  const image = new Image(44, 44)
  image.alt = ''
  image.decoding = 'async'
  image.draggable = false
  return image
}

function makePart([tag, className, act]: Part): HTMLElement {
  const element = tag === 'img' ? avatar() : document.createElement(tag)
  if (/^tree-(amount|name|user)$/.test(className)) element.translate = false
  element.className = className
  if (act !== undefined) {
    element.setAttribute('type', 'button')
    element.tabIndex = -1
    element.dataset['act'] = act
  }
  return element
}

export function addElement<Tag extends keyof HTMLElementTagNameMap>(
  parent: Element,
  tag: Tag,
  className: string,
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  element.className = className
  parent.append(element)
  return element
}

/** Browsers compute positions of layers in single precision: far from the origin, cards would tremble. */
const ORIGIN_REACH = 200_000

function makeCard(kind: Kind): Card {
  const element = document.createElement('div')
  element.className = `tree-card tree-card-${kind}`
  element.append(...PARTS[kind].map(makePart))
  return { kind, element, node: -1, version: -1, frame: 0, x: Number.NaN, y: Number.NaN, opacity: 1 }
}

const kindOf = (item: Item): Kind => (isVacant(item) ? 'vacant' : item.kind)

function part(element: Element, selector: string): HTMLElement {
  const found = element.querySelector<HTMLElement>(selector)
  if (found === null) throw new Error(`the card has no ${selector}`)
  return found
}

export class Cards {
  readonly #layer: HTMLElement
  readonly #texts: CardTexts
  readonly #shown = new Map<number, Card>()
  readonly #spare: Record<Kind, Card[]> = { member: [], vacant: [], more: [] }
  #frame = 0
  #origin = { x: 0, y: 0 }

  constructor(layer: HTMLElement, texts: CardTexts) {
    this.#layer = layer
    this.#texts = texts
  }

  get isShown(): boolean {
    return this.#shown.size > 0
  }

  get origin(): { readonly x: number; readonly y: number } {
    return this.#origin
  }

  /** @param version changes whenever anything on a card may have */
  show(plot: Plot, shown: readonly Shown[], version: number, marked: ReadonlySet<number>): void {
    this.#frame += 1
    this.#chooseOrigin(shown[0])
    for (const { node } of shown) {
      const card = this.#shown.get(node)
      if (card !== undefined) card.frame = this.#frame
    }
    this.#retire()
    for (const place of shown) {
      const item = plot.items[place.node]
      if (item === undefined) continue
      const card = this.#shown.get(place.node) ?? this.#take(kindOf(item), place.node)
      card.frame = this.#frame
      if (card.version !== version) this.#fill(card, plot, item, marked)
      card.version = version
      this.#move(card, place)
    }
  }

  clear(): void {
    this.#frame += 1
    this.#retire()
  }

  /** The numbers belong to another network now. Cards of the one before are not reused. */
  forget(): void {
    this.clear()
    for (const spare of Object.values(this.#spare)) spare.length = 0
  }

  /** The node whose card holds this element. */
  nodeOf(element: Element): number | null {
    const card = element.closest<HTMLElement>('.tree-card')
    return card === null ? null : Number(card.dataset['node'])
  }

  #chooseOrigin(first: Shown | undefined): void {
    if (first === undefined) return
    const far = Math.max(Math.abs(first.x - this.#origin.x), Math.abs(first.y - this.#origin.y))
    if (far < ORIGIN_REACH) return
    this.#origin = { x: first.x, y: first.y }
    for (const card of this.#shown.values()) card.x = Number.NaN
  }

  #retire(): void {
    for (const [node, card] of this.#shown) {
      if (card.frame === this.#frame) continue
      this.#shown.delete(node)
      card.element.remove()
      card.version = -1
      this.#spare[card.kind].push(card)
    }
  }

  #take(kind: Kind, node: number): Card {
    const card = this.#spare[kind].pop() ?? makeCard(kind)
    card.node = node
    card.version = -1
    card.element.dataset['node'] = String(node)
    this.#shown.set(node, card)
    this.#layer.append(card.element)
    return card
  }

  #move(card: Card, { x, y, opacity }: Shown): void {
    if (card.x !== x || card.y !== y) {
      const left = x - this.#origin.x - NODE_SIZES.width / 2
      card.element.style.transform = `translate(${left}px, ${y - this.#origin.y}px)`
    }
    if (card.opacity !== opacity) card.element.style.opacity = opacity === 1 ? '' : String(opacity)
    card.x = x
    card.y = y
    card.opacity = opacity
  }

  #fill(card: Card, plot: Plot, item: Item, marked: ReadonlySet<number>): void {
    const { element, kind, node } = card
    element.dataset['marked'] = String(marked.has(node))
    if (kind === 'vacant') {
      part(element, '.tree-place').textContent = this.#texts.vacant(plot.legOf(node))
      part(element, '.tree-link').textContent = this.#texts.invite
    } else if (kind === 'more') this.#fillMore(element, plot, node)
    else if (item.kind === 'member') this.#fillMember(element, plot, node, item.node)
  }

  #fillMore(element: HTMLElement, plot: Plot, node: number): void {
    const missing = plot.missing(plot.layout.columns.parent[node] ?? 0)
    part(element, '[data-act="more"]').textContent = this.#texts.more(missing)
    part(element, '[data-act="all"]').textContent = this.#texts.all(missing)
  }

  #fillMember(
    element: HTMLElement,
    plot: Plot,
    node: number,
    member: Extract<Item, { kind: 'member' }>['node'],
  ): void {
    element.dataset['master'] = String(member.is_master_code)
    element.dataset['leg'] = plot.legOf(node) ?? ''
    const image = part(element, 'img')
    const picture = picturePath(member.imageUrl)
    if (image.getAttribute('src') !== picture) image.setAttribute('src', picture)
    const amount = part(element, '.tree-amount')
    amount.textContent = this.#texts.amount(member.plan_name)
    amount.style.fontSize = `${amountSize(amount.textContent)}px`
    part(element, '.tree-name').textContent = member.name === '' ? this.#texts.noName : member.name
    part(element, '.tree-user').textContent = member.username
    const toggle = part(element, '.tree-toggle')
    toggle.hidden = !plot.canOpen(node)
    toggle.dataset['open'] = String(plot.isOpen(node))
    // Where nobody is, there are places.
    toggle.dataset['empty'] = String(member.children_count === 0)
    toggle.textContent = member.children_count === 0 ? '' : this.#texts.count(member.children_count)
    const state = part(element, '.tree-state')
    state.dataset['active'] = String(isActive(member))
    state.textContent = this.#texts.state(isActive(member))
  }
}
