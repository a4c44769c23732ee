import { type RefObject, useCallback } from 'react'

/** The link that a row of a list is opened by. */
const LINK = '.row-link'

const rowOf = (element: Element | null | undefined) => element?.closest('tr') ?? null

/**
 * Goes through the rows of a list by moving the focus over the links that open them: what is chosen is what a screen reader hears, and Enter is
 * the link's own.
 */
export function useRowKeys(list: RefObject<HTMLElement | null>) {
  /** The row that has the focus, or else the one that is open beside the list. */
  const current = useCallback((): HTMLTableRowElement | null => {
    const { activeElement } = document
    const focused = list.current?.contains(activeElement) ? rowOf(activeElement) : null
    return focused ?? rowOf(list.current?.querySelector(`${LINK}[aria-current="true"]`))
  }, [list])
  const move = useCallback(
    (by: 1 | -1) => {
      const links = [...(list.current?.querySelectorAll<HTMLElement>(LINK) ?? [])]
      const row = current()
      const at = links.findIndex((link) => rowOf(link) === row)
      const next = at < 0 ? links.at(by === 1 ? 0 : -1) : links[at + by]
      next?.focus()
      next?.scrollIntoView({ block: 'nearest' })
    },
    [list, current],
  )
  return { current, move }
}
