import { useEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'

const TOUCHES = ['pointerdown', 'wheel', 'touchstart', 'keydown'] as const

/**
 * Where a link led to a part of a page (`#id`): the part is brought into view and its heading takes the focus. It is kept in view while
 * the rest of the page arrives, until the person does something. On the way back the page is where it was left.
 */
export function useLedTo(id: string): void {
  const { hash, key } = useLocation()
  const way = useNavigationType()
  // biome-ignore lint/correctness/useExhaustiveDependencies: following the same link again leads there again
  useEffect(() => {
    if (hash !== `#${id}` || way === 'POP') return
    const show = () => document.getElementById(id)?.scrollIntoView()
    const sizes = new ResizeObserver(show)
    // After the shell's: every page begins at its top.
    const frame = requestAnimationFrame(() => {
      show()
      document.getElementById(id)?.focus({ preventScroll: true })
      sizes.observe(document.body)
    })
    const end = () => {
      cancelAnimationFrame(frame)
      sizes.disconnect()
      for (const touch of TOUCHES) window.removeEventListener(touch, end)
    }
    for (const touch of TOUCHES) window.addEventListener(touch, end, { passive: true })
    return end
  }, [id, hash, key, way])
}
