import { useEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/**
 * Where a link led to a part of a page (`#id`): the part is brought into view and its heading takes the focus. On the way back the
 * page is where it was left.
 */
export function useLedTo(id: string): void {
  const { hash, key } = useLocation()
  const way = useNavigationType()
  // biome-ignore lint/correctness/useExhaustiveDependencies: following the same link again leads there again
  useEffect(() => {
    if (hash !== `#${id}` || way === 'POP') return
    // After the shell's: every page begins at its top.
    const frame = requestAnimationFrame(() => {
      const heading = document.getElementById(id)
      heading?.scrollIntoView()
      heading?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [id, hash, key, way])
}
