import { useSyncExternalStore } from 'react'
import { session } from './browserSession.ts'

export function useSignedIn(): boolean | null {
  return useSyncExternalStore(session.subscribe, session.signedIn)
}
