import { createContext, useContext, useEffect } from 'react'
import type { Failure } from '../api/failure.ts'

/** A part of a page that failed. */
export interface Failed {
  readonly cause: string
  readonly failure: Failure | undefined
  readonly retry: () => void
  readonly retrying: boolean
}

interface Group {
  /** The cause that several parts of the page have failed for; null where none has it in common. */
  readonly shared: string | null
  readonly change: (how: (all: readonly Failed[]) => readonly Failed[]) => void
}

export const GroupContext = createContext<Group | null>(null)

/** Tells the page of a part that failed. @returns whether the page says the cause, and tries again, for it */
export function useSharedFailure(
  failure: Failure | undefined,
  retry: () => void,
  retrying: boolean,
): boolean {
  const group = useContext(GroupContext)
  const change = group?.change
  const cause = `${failure?.status} ${failure?.code}`
  useEffect(() => {
    const one = { cause, failure, retry, retrying }
    change?.((others) => [...others, one])
    return () => change?.((others) => others.filter((other) => other !== one))
  }, [change, cause, failure, retry, retrying])
  return group?.shared === cause
}
