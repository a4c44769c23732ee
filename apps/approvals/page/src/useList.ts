/** The list, asked for again while the page is in sight. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { List } from './answers.rules.ts'
import { getList, Refused } from './api.ts'

const EVERY_MS = 4_000

export interface Listed {
  /** Null until it came for the first time. */
  readonly list: List | null
  /** Milliseconds by which the process's clock is ahead of this machine's. */
  readonly ahead: number
  /** Why it could not be read the last time; null where it could. */
  readonly failure: string | null
  readonly refresh: () => Promise<void>
}

export function useList(): Listed {
  const [state, setState] = useState<Omit<Listed, 'refresh'>>({ list: null, ahead: 0, failure: null })
  const tag = useRef<string | null>(null)
  const refresh = useCallback(async () => {
    try {
      const fetched = await getList(tag.current)
      tag.current = fetched?.tag ?? tag.current
      setState((before) =>
        // Unchanged it is drawn again all the same: how long a withdrawal may still take goes on.
        fetched === null
          ? { ...before, failure: null }
          : { list: fetched.list, ahead: fetched.ahead, failure: null },
      )
    } catch (error) {
      const failure = error instanceof Refused ? error.message : 'unexpected'
      setState((before) => ({ ...before, failure }))
    }
  }, [])
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') await refresh()
      if (!isOver) timer = setTimeout(look, EVERY_MS)
    }
    const seen = () => void look()
    document.addEventListener('visibilitychange', seen)
    seen()
    return () => {
      isOver = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [refresh])
  return { ...state, refresh }
}
