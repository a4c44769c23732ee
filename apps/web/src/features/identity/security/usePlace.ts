import { useSearchParams } from 'react-router'
import { pageFrom } from '../../../ui/pageWindow.ts'

interface Change {
  sessionsPage?: number
  eventsPage?: number
}

/** Which pages of its two lists are shown, in the page's URL, so that back and reload work. */
export function usePlace() {
  const [params, setParams] = useSearchParams()
  const show = ({ sessionsPage, eventsPage }: Change) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        const set = (name: string, page: number | undefined) => {
          if (page === 1) after.delete(name)
          else if (page !== undefined) after.set(name, String(page))
        }
        set('sessions', sessionsPage)
        set('page', eventsPage)
        return after
      },
      { preventScrollReset: true },
    )
  return { sessionsPage: pageFrom(params.get('sessions')), eventsPage: pageFrom(params.get('page')), show }
}
