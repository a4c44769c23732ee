import { useLayoutEffect, useRef } from 'react'

/** Gives the focus back to what had it before the overlay was opened. */
export function useFocusBack(overlay: boolean): void {
  const before = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (!overlay) return
    before.current = document.activeElement
    return () => {
      const opener = before.current
      // The press on the backdrop that closed it takes the focus away once more.
      setTimeout(() => {
        if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
      })
    }
  }, [overlay])
}
