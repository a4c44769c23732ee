import { useEffect, useRef } from 'react'
import { useDispatch } from 'react-redux'
import { client } from '../../api/client.ts'
import type { Failure } from '../../api/failure.ts'
import type { QueryState } from '../../ui/States.tsx'
import { usePageVisible } from '../../ui/usePageVisible.ts'
import { CHANGED_BY_PAYING } from './calls.ts'

/** Pages hear of changes within a second or two (decision 034); this often they ask by themselves, for when they do not. */
export const STANDBY = 30_000

/** Asks a query again and again while the page is in sight. @param every milliseconds; 0 for never */
export function usePolling(every: number) {
  const visible = usePageVisible()
  return { pollingInterval: visible ? every : 0, refetchOnMountOrArgChange: true }
}

/** While a run is under way its progress is looked at this often; nothing else in the product polls. */
const LOOK_AGAIN = 2000

/**
 * Asks again while `active`, unless the page is out of sight. Once it is over, figures elsewhere are stale as well.
 */
export function useLive(active: boolean, refetch: () => unknown): void {
  const dispatch = useDispatch()
  const wasActive = useRef(false)

  useEffect(() => {
    if (!active) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void refetch()
    }, LOOK_AGAIN)
    return () => clearInterval(timer)
  }, [active, refetch])

  useEffect(() => {
    if (wasActive.current && !active) dispatch(client.util.invalidateTags([...CHANGED_BY_PAYING]))
    wasActive.current = active
  }, [active, dispatch])
}

interface LiveQuery<Data> extends QueryState<Data> {
  currentData?: Data | undefined
}

/** A query as a screen shows it that refreshes quietly: what is there stays, whether asking again runs or failed, unless it is gone. */
export function quiet<Data>(query: LiveQuery<Data>) {
  const { data, currentData, error, isFetching, refetch } = query
  const isShown = currentData !== undefined && (error as Failure | undefined)?.status !== 404
  return {
    data,
    error: isShown ? undefined : error,
    isFetching: isFetching && !isShown,
    refetch,
    /** What is shown could not be refreshed. */
    isStale: isShown && error !== undefined,
  }
}
