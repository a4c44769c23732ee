import { useCallback, useRef } from 'react'

/**
 * The same action, but once at a time: what is pressed again before the first has ended is left out. A button that is
 * disabled while its request runs is disabled a moment after the press; two quick presses can be faster.
 */
export function useSingleFlight<Args extends unknown[]>(
  action: (...args: Args) => Promise<unknown>,
): (...args: Args) => Promise<void> {
  const running = useRef(false)
  const latest = useRef(action)
  latest.current = action
  return useCallback(async (...args: Args) => {
    if (running.current) return
    running.current = true
    try {
      await latest.current(...args)
    } finally {
      running.current = false
    }
  }, [])
}
