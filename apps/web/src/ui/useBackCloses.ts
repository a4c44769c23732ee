import { useEffect, useRef } from 'react'

/** How many things lie open over the page. */
let open = 0

/** How many the present step of the history was made for. */
function noted(): number {
  const state: unknown = window.history.state
  const depth = typeof state === 'object' && state !== null && 'opened' in state ? state.opened : 0
  return typeof depth === 'number' ? depth : 0
}

/**
 * Back closes what lies open over a page, the last one first, and not the page under it: opening is a step of the browser's
 * history at the same address, and closing in another way takes the step away again. One that opens where another closes
 * takes over its step. A link that is followed from within leaves the step behind: back leads to the page as it was.
 * @param isOpen false where something else takes care of it
 */
export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    if (!isOpen) return
    open += 1
    const depth = open
    if (noted() < depth) window.history.pushState({ ...window.history.state, opened: depth }, '')
    const onBack = () => {
      if (noted() < depth && depth === open) close.current()
    }
    window.addEventListener('popstate', onBack)
    return () => {
      window.removeEventListener('popstate', onBack)
      open -= 1
      // Not before it is known whether another one opens.
      setTimeout(() => {
        if (noted() > open) window.history.go(open - noted())
      })
    }
  }, [isOpen])
}
