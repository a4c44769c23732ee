import { type RefObject, useEffect, useState } from 'react'

/** Milliseconds after which a page is at rest, and what lies further down is fetched all the same. */
export const REST = 1200

/**
 * Whether what lies at `place` is due: it is in sight, or the page has been at rest for a while. It stays due.
 * @param isPlaced false while something above it is still to come, without which it may be in sight for a moment
 */
export function useDue(place: RefObject<Element | null>, isPlaced = true): boolean {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    const element = place.current
    if (isDue || element === null) return
    const watch = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setDue(true)
    })
    if (isPlaced) watch.observe(element)
    const timer = setTimeout(() => setDue(true), REST)
    return () => {
      watch.disconnect()
      clearTimeout(timer)
    }
  }, [isDue, isPlaced, place])
  return isDue
}
