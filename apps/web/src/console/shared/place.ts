import { createSerializer, parseAsString, useQueryStates, type Values } from 'nuqs'
import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { parseAsPage } from '../../ui/place.ts'

/** The pages of the console, as the navigation lists them. The first is the console's own address. */
export const PAGES = [
  'today',
  'members',
  'withdrawals',
  'deposits',
  'investments',
  'support',
  'runs',
  'rates',
  'plan',
  'treasury',
  'reserves',
  'audit',
  'operators',
] as const
export type ConsolePage = (typeof PAGES)[number]

export const CONSOLE = '/operator'

/** What the lists of the console are asked for. */
const QUERY = {
  page: parseAsPage,
  state: parseAsString,
  member: parseAsString.withDefault(''),
  run: parseAsString,
  pool: parseAsString,
  day: parseAsString,
  withdrawal: parseAsString,
  fate: parseAsString,
  search: parseAsString.withDefault(''),
  from: parseAsString,
  to: parseAsString,
  open: parseAsString,
  days: parseAsString,
  new: parseAsString,
  view: parseAsString,
  after: parseAsString,
  month: parseAsString,
}
type Query = Partial<Values<typeof QUERY>>

const serialize = createSerializer(QUERY)

/** The address of a page. */
export const pagePath = (page: ConsolePage): string => (page === 'today' ? CONSOLE : `${CONSOLE}/${page}`)

/** A place in the console as a link. */
export const placeLink = (page: ConsolePage, query: Query = {}): string => pagePath(page) + serialize(query)

/** What the page of a member shows, in the order of its tabs. */
export const MEMBER_TABS = [
  'movements',
  'investments',
  'payments',
  'withdrawals',
  'network',
  'security',
  'mails',
  'chat',
  'notes',
  'looks',
] as const
export type MemberTab = (typeof MEMBER_TABS)[number]

/** A member's page; the first of its tabs unless another is named. @param led the row of it that is meant */
export const memberLink = (id: number | string, tab?: MemberTab, led?: string): string =>
  `${pagePath('members')}/${id}${tab === undefined || tab === MEMBER_TABS[0] ? '' : `?tab=${tab}`}${led === undefined ? '' : `&led=${led}`}`

/** The page of one payout run, with what its list of items is asked for. */
export const runLink = (id: number, query: Query = {}): string =>
  `${pagePath('runs')}/${id}${serialize(query)}`

/** What the address asks a page for. `show` leaves everything of the former place behind. */
export function usePlace() {
  const [place] = useQueryStates(QUERY)
  const navigate = useNavigate()
  const show = useCallback(
    (page: ConsolePage, query: Query = {}) => navigate(placeLink(page, query)),
    [navigate],
  )
  return { ...place, show }
}

const isPage = (text: string | null): text is ConsolePage =>
  text !== null && (PAGES as readonly string[]).includes(text)

/** Where an address of before the console had pages of its own leads now, `?tab=runs&run=12`; null for every other. */
export function movedPlace(search: string): string | null {
  const query = new URLSearchParams(search)
  const tab = query.get('tab')
  if (tab === null) return null
  query.delete('tab')
  const page = tab === 'overview' ? 'treasury' : tab
  const rest = query.toString()
  return isPage(page) ? pagePath(page) + (rest === '' ? '' : `?${rest}`) : CONSOLE
}
