import { useSearchParams } from 'react-router'
import { pageFrom } from '../../ui/pageWindow.ts'
import { type Tab, tabFrom } from './tabs.ts'

interface Change {
  tab?: Tab
  page?: number
  /** Null is the current year, which the URL does not name. */
  year?: number | null
}

/** What the page shows, in its URL, so that back, reload and a shared link work. */
export function usePlace() {
  const [params, setParams] = useSearchParams()
  const show = ({ tab, page, year }: Change) =>
    setParams((before) => {
      const after = new URLSearchParams(before)
      const set = (name: string, value: string | null) =>
        value === null ? after.delete(name) : after.set(name, value)
      if (tab !== undefined) {
        set('tab', tab === 'direct' ? null : tab)
        set('page', null)
      }
      if (page !== undefined) set('page', page === 1 ? null : String(page))
      if (year !== undefined) set('year', year === null ? null : String(year))
      return after
    })
  return {
    tab: tabFrom(params.get('tab')),
    page: pageFrom(params.get('page')),
    year: params.get('year'),
    show,
  }
}

/** Where a list is, and how it goes to another page. */
export interface ListPlace {
  page: number
  onPage: (page: number) => void
}
