import { useSyncExternalStore } from 'react'

const onVisibility = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
const isVisible = () => document.visibilityState === 'visible'

/** Whether the page is visible. Hidden pages do not poll. */
export function usePageVisible(): boolean {
  return useSyncExternalStore(onVisibility, isVisible)
}
