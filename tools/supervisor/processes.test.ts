import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Child, keepRunning } from './processes.ts'

let dataDir: string
let child: Child | null = null
let lines: string[] = []
/** Ends what hangs. */
const patience = { timeout: 240_000, interval: 50 }

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'aval-processes-'))
  mkdirSync(join(dataDir, 'logs'))
  lines = []
})
afterEach(async () => {
  vi.useRealTimers()
  await child?.stop()
  child = null
  rmSync(dataDir, { recursive: true, force: true })
})

/** A stand-in for the development chain that does what it is ordered. */
function keep(order = ''): Child {
  writeFileSync(join(dataDir, 'orders.json'), JSON.stringify({ devnet: order }))
  child = keepRunning(
    {
      name: 'devnet',
      entry: join(import.meta.dirname, 'testing/fake-devnet.ts'),
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
      heapMb: 64,
    },
    dataDir,
    {
      changed: () => undefined,
      gaveUp: (line) => void lines.push(line),
      struggles: (line) => void lines.push(line),
    },
  )
  return child
}

test('a process that hangs is ended after three minutes, and started again', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const kept = keep()
  await kept.ready
  const hung = kept.pid() ?? 0
  process.kill(hung, 'SIGSTOP')
  vi.advanceTimersByTime(165_000)
  expect(kept.pid()).toBe(hung)
  vi.advanceTimersByTime(30_000)
  await vi.waitFor(() => expect(kept.pid() ?? hung).not.toBe(hung), patience)
  expect(lines).toEqual([expect.stringContaining('it said nothing for 3 minutes and was ended')])
})

test('one that starts slowly is not ended while it turns, and what it does is known', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const kept = keep('waits')
  const pid = kept.pid()
  await vi.waitFor(() => expect(kept.doing()).toBe('waits for its turn'), patience)
  vi.advanceTimersByTime(590_000)
  expect([kept.pid(), lines]).toEqual([pid, []])
})

test('what it writes is bounded while it runs, and its newest lines are kept', async () => {
  const kept = keep('floods')
  await kept.ready
  const log = join(dataDir, 'logs', 'devnet.log')
  await vi.waitFor(() => expect(readFileSync(log, 'utf8')).toContain('"n":11999'), patience)
  const sizes = [log, `${log}.1`].map((file) => statSync(file).size)
  expect(Math.max(...sizes)).toBeLessThan(10_100_000)
})
