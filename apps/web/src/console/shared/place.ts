import { createSerializer, parseAsString, parseAsStringLiteral, useQueryStates, type Values } from 'nuqs'
import { parseAsPage } from '../../ui/place.ts'

export const TABS = [
  'withdrawals',
  'overview',
  'reserves',
  'runs',
  'rates',
  'plan',
  'investments',
  'support',
] as const
export type Tab = (typeof TABS)[number]

/** The operator's address: the tab, and what its lists are asked for. */
const PLACE = {
  tab: parseAsStringLiteral(TABS).withDefault(TABS[0]),
  page: parseAsPage,
  state: parseAsString,
  member: parseAsString.withDefault(''),
  run: parseAsString,
  pool: parseAsString,
  day: parseAsString,
  verdict: parseAsString,
  new: parseAsString,
}
const NOTHING = Object.fromEntries(Object.keys(PLACE).map((name) => [name, null]))

type Query = Partial<Omit<Values<typeof PLACE>, 'tab'>>

const serialize = createSerializer(PLACE)

/** A place in the console as a link. */
export const placeLink = (tab: Tab, query: Query = {}): string => serialize({ tab, ...query })

/** Where the operator is. `show` leaves everything of the former place behind. */
export function usePlace() {
  const [place, setPlace] = useQueryStates(PLACE)
  return { ...place, show: (tab: Tab, query: Query = {}) => setPlace({ ...NOTHING, tab, ...query }) }
}
