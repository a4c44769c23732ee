/**
 * The processes of the product, each with a log file in `<dataDir>/logs`: long-running ones are kept up, tasks run once.
 *
 * Both have an IPC channel. A process sends `{ ready: true }` once, or `{ fatal: "one line" }`
 * before it ends by itself; it ends when the channel closes, which is how it is stopped and how it notices that the supervisor was
 * killed. `{ alive: true }` and `{ step: "what it does" }` come by `supervised.ts`. However slow it is, it is ended only when it says nothing at all.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Refusal } from '../core/refusal.ts'
import { type ChildLog, openChildLog } from './child-log.ts'
import { type Access, permissionArguments, supervisedFile } from './permissions.ts'

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
  /** Where it listens: cleared before each start, for a program that writes nothing. */
  readonly socket?: string
}

export interface ChildEvents {
  /** A process number came or went. */
  readonly changed: () => void
  /** It never got ready and will not be started again; the line says why. */
  readonly gaveUp: (line: string) => void
  /** It was ready once and keeps ending now, or hung: it is started again and again, because what it needs may come back. */
  readonly struggles: (line: string) => void
}

/** How long a process may say nothing before it counts as hung. Counted in looks, which a machine that sleeps does not take. */
export interface Silence {
  readonly startingMs: number
  readonly runningMs: number
  readonly lookMs: number
}
const SILENCE: Silence = { startingMs: 600_000, runningMs: 180_000, lookMs: 15_000 }

export type Child = ReturnType<typeof keepRunning>

const message = z.union([
  z.looseObject({ ready: z.literal(true) }),
  z.looseObject({ fatal: z.string() }),
  z.looseObject({ step: z.string() }),
])

const backoffMs = [250, 500, 1_000, 2_000, 4_000]
const stableMs = 30_000
const leaveLimitMs = 8_000
const killLimitMs = 4_000
/** What a process left in its output is read for so long. */
const outputLimitMs = 2_000

const logFile = (dataDir: string, name: string) => join(dataDir, 'logs', `${name}.log`)

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
function makeFolders({ readFolders, write }: Access, cache: string | undefined): void {
  for (const folder of [...readFolders, ...write, ...(cache === undefined ? [] : [cache])])
    mkdirSync(folder, { recursive: true, mode: 0o700 })
}

function nodeArguments({ entry, env, heapMb, access }: ProcessSpec): string[] {
  const all = [...execArguments(heapMb), `--import=${supervisedFile}`]
  if (access === undefined) return all
  makeFolders(access, env['NODE_COMPILE_CACHE'])
  return [...all, ...permissionArguments(entry, access, env)]
}

function start(spec: ProcessSpec, log: ChildLog): ChildProcess {
  const { entry, args = [], cwd, env, socket } = spec
  if (socket !== undefined) rmSync(socket, { force: true })
  const child = fork(entry, args, {
    ...(cwd !== undefined && { cwd }),
    env,
    execArgv: nodeArguments(spec),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true, // Ctrl-C reaches the supervisor alone, which stops the processes in order
  })
  for (const output of [child.stdout, child.stderr]) if (output !== null) log.follow(output)
  return child
}

/** Settles when it has ended and its output is read; a process that it left behind may keep that open. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => {
      const reason = code === 0 ? '' : `ended with ${signal ?? `code ${code}`}`
      child.once('close', () => resolve(reason))
      setTimeout(() => resolve(reason), outputLimitMs).unref()
    })
  })
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
  const child = start(spec, openChildLog(logFile(dataDir, spec.name)))
  started(child)
  let fatal = ''
  child.on('message', (raw) => {
    const { data } = message.safeParse(raw)
    if (data !== undefined && 'fatal' in data) fatal = String(data.fatal)
    onMessage(raw)
  })
  const reason = await endOf(child)
  if (reason !== '')
    throw new Refusal(`${spec.failure}: ${fatal || reason} (see ${logFile(dataDir, spec.name)})`)
}

/** Starts a process, and again when it dies or hangs. */
export function keepRunning(spec: ProcessSpec, dataDir: string, events: ChildEvents, silence = SILENCE) {
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => undefined)
  const log = openChildLog(logFile(dataDir, spec.name))
  const settling = setInterval(() => log.settle(), silence.lookMs)
  let current: ChildProcess | null = null
  let said: string | null = 'starts'
  let wasReady = false
  let failures = 0
  let isStopping = false
  let pause: NodeJS.Timeout | undefined

  const ended = (reason: string, facts: { isFatal: boolean; isHung: boolean; livedMs: number }) => {
    current = null
    events.changed()
    if (isStopping) return
    failures = facts.livedMs > stableMs ? 1 : failures + 1
    const line = `The ${spec.name} process does not stay up: ${reason} (see ${logFile(dataDir, spec.name)})`
    if (!wasReady && (facts.isFatal || failures >= 3)) {
      ready.reject(new Refusal(line))
      return events.gaveUp(line)
    }
    if (facts.isHung || failures === backoffMs.length) events.struggles(line)
    pause = setTimeout(launch, backoffMs[Math.min(failures, backoffMs.length) - 1])
  }
  const becameReady = () => {
    wasReady = true
    said = null
    ready.resolve()
  }
  const steps = (step: string) => {
    if (!wasReady) said = step
  }
  function launch() {
    current = startOnce(spec, log, silence, { ready: becameReady, steps, ended })
    events.changed()
  }
  launch()
  const leave = () => {
    isStopping = true
    clearTimeout(pause)
    clearInterval(settling)
  }
  return {
    name: spec.name,
    pid: () => current?.pid ?? null,
    /** The first time it says so. */
    ready: ready.promise,
    /** What it says that it does before it is ready; null afterwards. */
    doing: () => said,
    async stop() {
      leave()
      if (current) await askToLeave(current)
    },
    kill() {
      leave()
      current?.kill('SIGKILL')
    },
  }
}

interface OnceEvents {
  readonly ready: () => void
  readonly steps: (step: string) => void
  readonly ended: (reason: string, facts: { isFatal: boolean; isHung: boolean; livedMs: number }) => void
}

function startOnce(spec: ProcessSpec, log: ChildLog, silence: Silence, events: OnceEvents): ChildProcess {
  const started = Date.now()
  const child = start(spec, log)
  let fatal: string | null = null
  let hung: string | null = null
  let limitMs = silence.startingMs
  let silentMs = 0
  const looking = setInterval(() => {
    silentMs += silence.lookMs
    if (silentMs < limitMs || hung !== null) return
    hung = `it said nothing for ${limitMs / 60_000} minutes and was ended`
    child.kill('SIGKILL')
  }, silence.lookMs)
  child.on('message', (raw) => {
    silentMs = 0
    const { data } = message.safeParse(raw)
    if (data === undefined) return
    if ('fatal' in data) fatal = String(data.fatal)
    else if ('step' in data) events.steps(String(data.step))
    else {
      limitMs = silence.runningMs
      events.ready()
    }
  })
  child.once('error', (error) => {
    fatal ??= error.message
  })
  child.once('exit', (code, signal) => {
    clearInterval(looking)
    const reason = fatal ?? hung ?? (signal ? `it was ended by ${signal}` : `it ended with code ${code}`)
    events.ended(reason, {
      isFatal: fatal !== null,
      isHung: hung !== null,
      livedMs: Date.now() - started,
    })
  })
  return child
}

/** Closes the channel, then insists. */
export async function askToLeave(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = endOf(child)
  if (child.connected) child.disconnect()
  else child.kill('SIGTERM')
  const insist = setTimeout(() => child.kill('SIGTERM'), leaveLimitMs)
  const force = setTimeout(() => child.kill('SIGKILL'), leaveLimitMs + killLimitMs)
  await gone
  clearTimeout(insist)
  clearTimeout(force)
}
