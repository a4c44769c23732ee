import { useSyncExternalStore } from 'react'

const onVisibility = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
const isVisible = () => document.visibilityState === 'visible'

/** Whether someone can see the page: what nobody sees is not asked for again and again. */
export function usePageVisible(): boolean {
  return useSyncExternalStore(onVisibility, isVisible)
}
