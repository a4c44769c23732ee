import { useSearchParams } from 'react-router'
import { pageFrom } from '../../ui/pageWindow.ts'

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

type Query = Readonly<Record<string, string | number | null>>

/** The query of a place of the operator's pages; what is the beginning anyway is left out. */
export function placeQuery(tab: Tab, query: Query = {}): Record<string, string> {
  const entries = Object.entries<string | number | null>({ tab: tab === TABS[0] ? null : tab, ...query })
  return Object.fromEntries(
    entries.flatMap(([name, value]) => {
      const isStart = value === null || value === '' || (name === 'page' && value === 1)
      return isStart ? [] : [[name, String(value)]]
    }),
  )
}

/** Such a place as a link. */
export const placeLink = (tab: Tab, query: Query = {}): string =>
  `?${new URLSearchParams(placeQuery(tab, query))}`

/** Where the operator is: tab, page and filters live in the address. */
export function usePlace() {
  const [params, setParams] = useSearchParams()
  return {
    tab: TABS.find((tab) => tab === params.get('tab')) ?? TABS[0],
    page: pageFrom(params.get('page')),
    get: (name: string) => params.get(name),
    show: (tab: Tab, query: Query = {}) => setParams(placeQuery(tab, query)),
  }
}
