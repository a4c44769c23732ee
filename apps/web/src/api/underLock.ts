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

/** Browsers tell other tabs of a change of local storage a moment after it was made: for as long the lock is kept. */
const LINGER = 300
const aMoment = () => new Promise<void>((resolve) => setTimeout(resolve, LINGER))

/**
 * Runs one task at a time, across tabs; its result is there at once, the next task begins when what this one stored has
 * reached every tab. Where locks are missing or forbidden, or another tab sits on one, the task runs all the same: the
 * server forgives two tabs that renew at once.
 */
export function underLock(locks: Locks | undefined, name: string, linger: () => Promise<void> = aMoment) {
  return <Result>(task: () => Promise<Result>): Promise<Result> => {
    if (locks === undefined) return task()
    return new Promise<Result>((resolve, reject) => {
      let hasBegun = false
      const held = async () => {
        hasBegun = true
        const result = task()
        result.then(resolve, reject)
        await result.then(linger, () => undefined)
      }
      locks.request(name, { signal: AbortSignal.timeout(PATIENCE) }, held).catch((error: unknown) => {
        if (hasBegun) reject(error)
        else task().then(resolve, reject)
      })
    })
  }
}
