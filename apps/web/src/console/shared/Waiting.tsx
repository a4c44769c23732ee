import type { Decision } from '@aval/contract'
import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { useOpenDecisionsQuery } from './approvals.ts'
import { ProposedDecision } from './ProposedDecision.tsx'
import { useLive, usePolling } from './useLive.ts'

/** What waits for approval about one thing. Once it waits no more, what is shown of the thing is out of date. */
function useWaiting(subject: string): Decision | undefined {
  const [waits, setWaits] = useState(false)
  const { data, refetch } = useOpenDecisionsQuery(null, usePolling(0))
  const waiting = data?.results.find((each) => each.subject === subject)
  useEffect(() => setWaits(waiting !== undefined), [waiting])
  useLive(waits, refetch)
  return waiting
}

interface WaitingProps {
  /** "pool:profit" */
  readonly subject: string
  /** What happens once it is approved. */
  readonly what: string
  /** The way to ask for it, shown while nothing waits. */
  readonly children?: ReactNode
}

/** In the place where an act is asked for: that it waits for operators to sign it; else the way to ask. */
export function Waiting({ subject, what, children }: WaitingProps) {
  const waiting = useWaiting(subject)
  return waiting === undefined ? children : <ProposedDecision decision={waiting} what={what} />
}
