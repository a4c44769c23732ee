import { useSyncExternalStore } from 'react'
import { session } from './browserSession.ts'
import type { SignedIn } from './session.ts'

export function useSignedIn(): SignedIn {
  return useSyncExternalStore(session.subscribe, session.signedIn)
}
