/** Where in the page one is, by the address's hash. */
import { useSyncExternalStore } from 'react'

/** Where keys are made. */
export const ENROL = '#enrol'

export function useHash(): string {
  return useSyncExternalStore(
    (changed) => {
      addEventListener('hashchange', changed)
      return () => removeEventListener('hashchange', changed)
    },
    () => location.hash,
  )
}
