/** Milliseconds to wait for another tab: longer than the call that it makes can take. */
const PATIENCE = 30_000

/** As much of the browser's locks as is needed. */
export interface Locks {
  request<Result>(
    name: string,
    options: { signal: AbortSignal },
    task: () => Promise<Result>,
  ): Promise<Result>
}

/**
 * Runs one task at a time, across tabs. Where locks are missing or forbidden, or another tab sits on one, the task runs
 * all the same: the server forgives two tabs that renew at once.
 */
export function underLock(locks: Locks | undefined, name: string) {
  return async <Result>(task: () => Promise<Result>): Promise<Result> => {
    if (locks === undefined) return task()
    let hasBegun = false
    try {
      return await locks.request(name, { signal: AbortSignal.timeout(PATIENCE) }, () => {
        hasBegun = true
        return task()
      })
    } catch (error) {
      if (hasBegun) throw error
      return task()
    }
  }
}
