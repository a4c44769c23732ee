/**
 * The processes of the product, each with a log file in `<dataDir>/logs`: long-running ones are kept up, tasks run once.
 *
 * Both have an IPC channel. A process sends `{ ready: true }` once, or `{ fatal: "one line" }` before it ends by itself; it ends
 * when the channel closes, which is how it is stopped and how it notices that the supervisor was killed.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { mkdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Refusal } from '../core/refusal.ts'
import { type Access, permissionArguments } from './permissions.ts'

export interface ProcessSpec {
  readonly name: string
  readonly entry: string
  readonly args?: readonly string[]
  readonly cwd?: string
  readonly env: Readonly<NodeJS.ProcessEnv>
  /** Limit of the JavaScript heap. */
  readonly heapMb: number
  /** What it reads and writes; everything, where nothing is said: a task that ends before members come. */
  readonly access?: Access
}

export interface ChildEvents {
  /** A process number came or went. */
  readonly changed: () => void
  /** It never got ready and will not be started again; the line says why. */
  readonly gaveUp: (line: string) => void
  /** It was ready once and keeps ending now: it is started again and again, because what it needs may come back. */
  readonly struggles: (line: string) => void
}

export type Child = ReturnType<typeof keepRunning>

const message = z.union([z.looseObject({ ready: z.literal(true) }), z.looseObject({ fatal: z.string() })])

const readyLimitMs = 60_000
const backoffMs = [250, 500, 1_000, 2_000, 4_000]
const stableMs = 30_000
const leaveLimitMs = 8_000
const killLimitMs = 4_000
const logLimitBytes = 10_000_000

const logFile = (dataDir: string, name: string) => join(dataDir, 'logs', `${name}.log`)

/** A large log is set aside when the product starts. */
export async function rotateLogs(dataDir: string, names: readonly string[]): Promise<void> {
  await mkdir(join(dataDir, 'logs'), { recursive: true })
  for (const file of names.map((name) => logFile(dataDir, name))) {
    const info = await stat(file).catch(() => null)
    if (info && info.size > logLimitBytes) await rename(file, `${file}.1`)
  }
}

export function execArguments(heapMb: number): string[] {
  return [
    `--max-old-space-size=${heapMb}`,
    '--max-semi-space-size=4', // a short-lived megabyte more or less per process, many times over
    '--disable-warning=ExperimentalWarning',
    // Another process could open the debugger by this signal, and speak through it as this one.
    '--disable-sigusr1',
  ]
}

/** Node allows a folder with all that is in it where the folder is there. */
function makeFolders({ write }: Access, cache: string | undefined): void {
  for (const folder of [...write, ...(cache === undefined ? [] : [cache])])
    mkdirSync(folder, { recursive: true, mode: 0o700 })
}

function nodeArguments({ entry, env, heapMb, access }: ProcessSpec): string[] {
  if (access === undefined) return execArguments(heapMb)
  makeFolders(access, env['NODE_COMPILE_CACHE'])
  return [...execArguments(heapMb), ...permissionArguments(entry, access, env)]
}

function start(spec: ProcessSpec, dataDir: string): ChildProcess {
  const { name, entry, args = [], cwd, env } = spec
  const log = openSync(logFile(dataDir, name), 'a', 0o600)
  const child = fork(entry, args, {
    ...(cwd !== undefined && { cwd }),
    env,
    execArgv: nodeArguments(spec),
    stdio: ['ignore', log, log, 'ipc'],
    detached: true, // Ctrl-C reaches the supervisor alone, which stops the processes in order
  })
  closeSync(log)
  return child
}

/**
 * Runs a process that does one thing and ends. Resolves when it ended with 0.
 * @param failure what it is for, as in "The web app could not be built"
 * @throws Refusal with one line otherwise
 */
export async function runTask(
  spec: ProcessSpec & { readonly failure: string },
  dataDir: string,
  started: (child: ChildProcess) => void,
  onMessage: (message: unknown) => void = () => undefined,
): Promise<void> {
  const child = start(spec, dataDir)
  started(child)
  let fatal = ''
  child.on('message', (raw) => {
    const { data } = message.safeParse(raw)
    if (data !== undefined && 'fatal' in data) fatal = String(data.fatal)
    onMessage(raw)
  })
  const reason = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(code === 0 ? '' : `ended with ${signal ?? `code ${code}`}`))
  })
  if (reason !== '')
    throw new Refusal(`${spec.failure}: ${fatal || reason} (see ${logFile(dataDir, spec.name)})`)
}

/** Starts a process, and again when it dies. */
export function keepRunning(spec: ProcessSpec, dataDir: string, events: ChildEvents) {
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => undefined)
  let current: ChildProcess | null = null
  let wasReady = false
  let failures = 0
  let isStopping = false
  let pause: NodeJS.Timeout | undefined

  const ended = (reason: string, facts: { isFatal: boolean; livedMs: number }) => {
    current = null
    events.changed()
    if (isStopping) return
    failures = facts.livedMs > stableMs ? 1 : failures + 1
    const line = `The ${spec.name} process does not stay up: ${reason} (see ${logFile(dataDir, spec.name)})`
    if (!wasReady && (facts.isFatal || failures >= 3)) {
      ready.reject(new Refusal(line))
      return events.gaveUp(line)
    }
    if (failures === backoffMs.length) events.struggles(line)
    pause = setTimeout(launch, backoffMs[Math.min(failures, backoffMs.length) - 1])
  }
  const becameReady = () => {
    wasReady = true
    ready.resolve()
  }
  function launch() {
    current = startOnce(spec, dataDir, { ready: becameReady, ended })
    events.changed()
  }
  launch()
  return {
    name: spec.name,
    pid: () => current?.pid ?? null,
    /** The first time it says so. */
    ready: ready.promise,
    async stop() {
      isStopping = true
      clearTimeout(pause)
      if (current) await askToLeave(current)
    },
    kill() {
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

function startOnce(spec: ProcessSpec, dataDir: string, events: OnceEvents): ChildProcess {
  const started = Date.now()
  const child = start(spec, dataDir)
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
