/**
 * Keeps one long-running process up: started with an IPC channel, ready when it says so, started again when it dies.
 *
 * A child sends `{ ready: true }` once, or `{ fatal: "one line" }` before it ends by itself; it ends when the channel
 * closes, which is how it is stopped and how it notices that the supervisor was killed.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { closeSync } from 'node:fs'
import { z } from 'zod'
import { Refusal } from '../core/refusal.ts'
import { openLog } from './logs.ts'

export interface ChildSpec {
  readonly name: string
  readonly entry: string
  readonly env: Readonly<Record<string, string>>
  /** Limit of the JavaScript heap. */
  readonly heapMb: number
}

export interface ChildEvents {
  /** A process number came or went. */
  readonly changed: () => void
  /** It never got ready and will not be started again; the line says why. */
  readonly gaveUp: (line: string) => void
  /** It was ready once and keeps ending now: it is started again and again, because what it needs may come back. */
  readonly struggles: (line: string) => void
}

export interface Child {
  readonly name: string
  readonly pid: () => number | null
  /** The first time it says so. */
  readonly ready: Promise<void>
  readonly stop: () => Promise<void>
  readonly kill: () => void
}

const message = z.union([z.looseObject({ ready: z.literal(true) }), z.looseObject({ fatal: z.string() })])

const readyLimitMs = 60_000
const backoffMs = [250, 500, 1_000, 2_000, 4_000]
const stableMs = 30_000
const leaveLimitMs = 8_000
const killLimitMs = 4_000

export function execArguments(heapMb: number): string[] {
  return [
    `--max-old-space-size=${heapMb}`,
    '--max-semi-space-size=4', // a short-lived megabyte more or less per process, many times over
    '--disable-warning=ExperimentalWarning',
  ]
}

export function keepRunning(spec: ChildSpec, dataDir: string, events: ChildEvents): Child {
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => undefined)
  let current: ChildProcess | null = null
  let wasReady = false
  let failures = 0
  let isStopping = false
  let pause: NodeJS.Timeout | undefined

  const lineOf = (reason: string) =>
    `The ${spec.name} process does not stay up: ${reason} (see ${dataDir}/logs/${spec.name}.log)`
  const giveUp = (line: string) => {
    ready.reject(new Refusal(line))
    events.gaveUp(line)
  }
  const launch = () => {
    current = startOnce(spec, dataDir, {
      ready: () => {
        wasReady = true
        ready.resolve()
      },
      ended: (reason, { isFatal, livedMs }) => {
        current = null
        events.changed()
        if (isStopping) return
        failures = livedMs > stableMs ? 1 : failures + 1
        if (!wasReady && (isFatal || failures >= 3)) return giveUp(lineOf(reason))
        if (failures === backoffMs.length) events.struggles(lineOf(reason))
        pause = setTimeout(launch, backoffMs[Math.min(failures, backoffMs.length) - 1])
      },
    })
    events.changed()
  }
  launch()
  return {
    name: spec.name,
    pid: () => current?.pid ?? null,
    ready: ready.promise,
    stop: async () => {
      isStopping = true
      clearTimeout(pause)
      if (current) await askToLeave(current)
    },
    kill: () => {
      isStopping = true
      clearTimeout(pause)
      current?.kill('SIGKILL')
    },
  }
}

interface OnceEvents {
  readonly ready: () => void
  readonly ended: (reason: string, facts: { isFatal: boolean; livedMs: number }) => void
}

function startOnce(spec: ChildSpec, dataDir: string, events: OnceEvents): ChildProcess {
  const started = Date.now()
  const log = openLog(dataDir, spec.name)
  const child = fork(spec.entry, [], {
    execArgv: execArguments(spec.heapMb),
    env: spec.env,
    stdio: ['ignore', log, log, 'ipc'],
    detached: true, // Ctrl-C reaches the supervisor alone, which stops the processes in order
  })
  closeSync(log)
  let fatal: string | null = null
  const late = setTimeout(() => {
    fatal = `it was not ready within ${readyLimitMs / 1000} s`
    child.kill('SIGKILL')
  }, readyLimitMs)
  child.on('message', (raw) => {
    const { data } = message.safeParse(raw)
    if (data === undefined) return
    if ('fatal' in data) fatal = String(data.fatal)
    else {
      clearTimeout(late)
      events.ready()
    }
  })
  child.once('error', (error) => {
    fatal ??= error.message
  })
  child.once('exit', (code, signal) => {
    clearTimeout(late)
    const reason = fatal ?? (signal ? `it was ended by ${signal}` : `it ended with code ${code}`)
    events.ended(reason, { isFatal: fatal !== null, livedMs: Date.now() - started })
  })
  return child
}

/** Closes the channel, then insists. */
export async function askToLeave(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  if (child.connected) child.disconnect()
  else child.kill('SIGTERM')
  const insist = setTimeout(() => child.kill('SIGTERM'), leaveLimitMs)
  const force = setTimeout(() => child.kill('SIGKILL'), leaveLimitMs + killLimitMs)
  await gone
  clearTimeout(insist)
  clearTimeout(force)
}
