import { TREE_VIEWS, type TreeView } from '@aval/contract'
import { plainTyped } from '@aval/contract/typed'
import { parseAsStringLiteral, type Values } from 'nuqs'
import { parseAsMatch } from '../../../ui/place.ts'

export interface TreeQuestion {
  readonly view: TreeView
  /** The member of the own network that is shown at the top; null for oneself. */
  readonly root: string | null
  /** The network as it was at the end of this day (`YYYY-MM-DD`); null for now. */
  readonly asOf: string | null
  /** The number of the member whose network it is, where an operator looks at it; without one, the reader's own. */
  readonly of?: string | undefined
}

/** Shorter texts find everybody. */
export const SEARCH_FROM = 2

/** With nothing but what differs from the plain call. */
export function treePath(question: TreeQuestion, more: Record<string, string | number> = {}): string {
  const query = new URLSearchParams()
  if (question.view !== 'unilevel') query.set('view', question.view)
  if (question.root !== null) query.set('root', question.root)
  if (question.asOf !== null) query.set('as_of', question.asOf)
  for (const [name, value] of Object.entries(more)) query.set(name, String(value))
  const text = query.toString()
  const path = question.of === undefined ? 'tree/get-binary-tree/' : `operator/members/${question.of}/tree/`
  return text === '' ? path : `${path}?${text}`
}

/** The path from the member down to another, as it was on the day that is shown. */
export function wayPath({ view, asOf, of }: Omit<TreeQuestion, 'root'>, id: string): string {
  const query = new URLSearchParams({ id, view })
  if (asOf !== null) query.set('as_of', asOf)
  return `${of === undefined ? '' : `operator/members/${of}/`}tree/path/?${query.toString()}`
}

export function searchPath(q: string, view: TreeView): string {
  return `tree/search/?${new URLSearchParams({ q: plainTyped(q), view }).toString()}`
}

export const isSearchable = (q: string): boolean => plainTyped(q).length >= SEARCH_FROM

const ID = parseAsMatch(/^O-[1-9]\d{0,18}$/)
const DAY = parseAsMatch(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/)

/** What the page shows, as its address keeps it. `node` is the selected member. */
export const PLACE = {
  view: parseAsStringLiteral(TREE_VIEWS).withDefault('unilevel'),
  root: ID,
  asOf: DAY,
  node: ID,
}
export const PLACE_NAMES = { urlKeys: { asOf: 'as_of' } } as const
export type Place = Values<typeof PLACE>
