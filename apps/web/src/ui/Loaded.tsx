import type { ReactNode } from 'react'
import type { Failure } from '../api/failure.ts'
import { ErrorState } from './States.tsx'

/** What a query of the client answers, as far as showing it goes. */
export interface QueryState<Data> {
  data?: Data | undefined
  error?: unknown
  isFetching: boolean
  refetch: () => unknown
}

interface LoadedProps<Data> {
  query: QueryState<Data>
  /** Its shape while it is on its way. */
  hold: ReactNode
  /** Whether the failure stands on a card of its own. */
  card?: boolean
  /** Whether the shape is shown again while a failed query is tried once more. */
  holdAgain?: boolean
  /** Left out where what is there is shown elsewhere. */
  children?: (data: Data) => ReactNode
}

/** What was asked for, in all its states: on its way, there, or failed with a way to try again. */
export function Loaded<Data>({ query, hold, card, holdAgain, children }: LoadedProps<Data>) {
  const { data, error, isFetching, refetch } = query
  if (data !== undefined) return children?.(data)
  if (error === undefined || (holdAgain && isFetching)) return hold
  const failed = <ErrorState failure={error as Failure} onRetry={refetch} retrying={isFetching} />
  return card ? <div className="card">{failed}</div> : failed
}
