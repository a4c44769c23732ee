import { describe, expect, it, vi } from 'vitest'
import { type Locks, underLock } from './underLock.ts'

const locksThat = (request: Locks['request']): Locks => ({ request })

describe('under a lock', () => {
  it('a task runs once, under the name', async () => {
    const task = vi.fn(async () => 'done')
    const request = vi.fn((_name: string, _options: unknown, work: () => Promise<unknown>) => work())
    expect(await underLock(locksThat(request as Locks['request']), 'session')(task)).toBe('done')
    expect(task).toHaveBeenCalledTimes(1)
    expect(request.mock.calls[0]?.[0]).toBe('session')
  })

  it('a task gives its result at once, and lets go when it has reached the other tabs', async () => {
    const reached = Promise.withResolvers<void>()
    let isHeld = true
    const open = locksThat((_name, _options, work) =>
      work().finally(() => {
        isHeld = false
      }),
    )
    expect(await underLock(open, 'session', () => reached.promise)(async () => 'done')).toBe('done')
    expect(isHeld).toBe(true)
    reached.resolve()
    await expect.poll(() => isHeld).toBe(false)
  })

  it('a task runs without, where the browser has none', async () => {
    expect(await underLock(undefined, 'session')(async () => 'done')).toBe('done')
  })

  it('a task runs without, where storage and with it locks are forbidden, or nobody lets go', async () => {
    const refused = locksThat(() => Promise.reject(new DOMException('denied', 'SecurityError')))
    expect(await underLock(refused, 'session')(async () => 'done')).toBe('done')
  })

  it('a task that fails has run, and does not run again', async () => {
    const task = vi.fn(async () => Promise.reject(new Error('no')))
    const open = locksThat((_name, _options, work) => work())
    await expect(underLock(open, 'session')(task)).rejects.toThrow('no')
    expect(task).toHaveBeenCalledTimes(1)
  })
})
