import { type RefObject, useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/**
 * Where a person stands after a change of page: a keyboard or screen reader at the new page and not at the link that led
 * there, the window at its top, or, on the way back, where they had left it.
 */
export function useArrival(main: RefObject<HTMLElement | null>): void {
  const { pathname, key } = useLocation()
  const way = useNavigationType()
  // Loaded by the browser, the page is where that put it; led to from another layout, it is new.
  const lastPath = useRef(way === 'POP' ? pathname : '')
  const here = useRef(key)
  const places = useRef(new Map<string, number>())

  useEffect(() => {
    const before = window.history.scrollRestoration
    // The browser would move the page that is still shown.
    window.history.scrollRestoration = 'manual'
    const note = () => places.current.set(here.current, window.scrollY)
    window.addEventListener('scroll', note, { passive: true })
    return () => {
      window.history.scrollRestoration = before
      window.removeEventListener('scroll', note)
    }
  }, [])

  useEffect(() => {
    here.current = key
    const place = way === 'POP' ? places.current.get(key) : undefined
    if (lastPath.current === pathname) {
      if (place !== undefined) window.scrollTo(0, place)
      return
    }
    lastPath.current = pathname
    window.scrollTo(0, place ?? 0)
    main.current?.focus({ preventScroll: true })
  }, [pathname, key, way, main])
}
