/**
 * The server, in one of two roles of the same program: `api` answers calls, `worker` runs jobs. A parent process that
 * started it over IPC gets `{ready, url}` or `{fatal: line}`, and takes it along when it goes.
 */
import { channel } from 'node:diagnostics_channel'
import { connect, IMPATIENT, isOutage, keepTraces } from '@aval/db'
import { activeTraceparent, startTracing } from '@aval/tracing'
import { type Config, ConfigRefusal, readConfig } from './config.ts'
import { type Context, demoClock, systemClock } from './core/context.ts'
import { logLine } from './core/log-line.ts'
import { announceReads } from './core/reads.ts'
import { forgetAdvance } from './features/demo/demo.commands.ts'
import {
  ensureInstallation,
  InstallationRefusal,
} from './features/identity/registration/installation.commands.ts'
import { ensureRoot } from './features/identity/registration/registration.commands.ts'
import { ensureFirstPlan } from './features/plan-versions/plan-versions.commands.ts'

/** Milliseconds that calls and jobs under way are given to finish. */
const PATIENCE = 10_000

/** Heard by who started us, where that wants to know what takes so long. */
const step = channel('aval.step')

interface Running {
  /** Where it listens; null for a worker. */
  readonly url: string | null
  stop(): Promise<void>
}

/** One line each, to the process that started us. */
async function giveUp(lines: readonly string[]): Promise<never> {
  process.stderr.write(`${lines.join('\n')}\n`)
  await tell({ fatal: lines.join('\n') })
  process.exit(1)
}

function tell(message: object): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve()
    else process.send(message, () => resolve())
  })
}

/** The line for a failure that the person who starts us can do something about; null for what nobody foresaw. */
function lineOf(error: unknown, config: Config): string | null {
  if (error instanceof InstallationRefusal) return error.message
  const { code, syscall, port } = (error ?? {}) as NodeJS.ErrnoException & { readonly port?: number }
  if (syscall === 'listen') {
    const isMetrics = port === config.metricsPort
    const [name, place] = isMetrics ? ['METRICS_PORT', '127.0.0.1'] : ['PORT', config.host]
    return code === 'EADDRINUSE'
      ? `${name}: ${port} on ${place} is in use by another program.`
      : `${name}: cannot listen on ${place}:${port} (${code}).`
  }
  if (isOutage(error))
    return `DATABASE_URL: the database cannot be reached (${(error as Error).message || code}).`
  return null
}

/** Each role loads its own parts only, and neither where the settings are wrong: less to load, and to keep in memory. */
const loadApi = () =>
  Promise.all([
    import('./features.ts'),
    import('./http/server.ts'),
    import('./http/metrics.ts'),
    import('./core/replica.ts'),
  ])

async function startApi(context: Context, loaded: Awaited<ReturnType<typeof loadApi>>): Promise<Running> {
  const { config } = context
  const [{ features, parts }, { buildServer }, { serveMetrics }, { openReplica }] = loaded
  step.publish('puts the calls together')
  const server = await buildServer(context, features, {
    ...parts,
    patience: IMPATIENT,
    ...(config.replicaUrl !== null && { replica: openReplica(config.replicaUrl) }),
  })
  const { port, host, sharedPort } = config
  const url = await server.listen({ port, host, ...(sharedPort && { reusePort: true }) })
  const metrics = config.metricsPort === null ? null : await serveMetrics(server, config.metricsPort)
  return { url, stop: async () => void (await Promise.all([server.close(), metrics?.stop()])) }
}

/** @returns stops it, having sent what is left */
async function trace({ tracing, role }: Config): Promise<() => Promise<void>> {
  if (tracing === null) return async () => undefined
  keepTraces(activeTraceparent)
  const warn = (line: string) => void process.stderr.write(logLine('warning', line, new Date()))
  return startTracing(tracing, `aval-${role}`, warn)
}

/** Members wait for calls. */
const open = ({ role, databaseUrl }: Config) =>
  role === 'api' ? connect(databaseUrl, 10, 'aval-api', IMPATIENT) : connect(databaseUrl, 8, 'aval-worker')

async function start(config: Config): Promise<Running> {
  const stopTracing = await trace(config)
  const connection = open(config)
  if (config.role === 'api') announceReads(connection.pool)
  const clock = config.demo ? demoClock(connection.db) : systemClock
  const context: Context = { db: connection.db, clock, config }
  try {
    step.publish('asks the database, and loads its parts')
    const begin = config.role === 'api' ? apiOf : jobsOf
    const [, started] = await Promise.all([prepare(context), begin()])
    const role = await started(context)
    return {
      url: role.url,
      stop: async () => {
        await role.stop()
        await stopTracing()
        await connection.close()
      },
    }
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** What has to be there before the first call; all of it is after the first start, which then writes nothing. */
async function prepare(context: Context): Promise<void> {
  await ensureInstallation(context)
  await ensureFirstPlan(context.db)
  await ensureRoot(context.db, await context.clock.now())
  if (context.config.role === 'api') await forgetAdvance(context)
}

async function apiOf() {
  const loaded = await loadApi()
  return (context: Context) => startApi(context, loaded)
}

async function jobsOf() {
  const { startWorker } = await import('./worker.ts')
  return async (context: Context): Promise<Running> => {
    const worker = await startWorker(context)
    return { url: null, stop: () => worker.stop() }
  }
}

/** Stops once, however often it is asked, and by force when that takes too long. */
function stopOnRequest(running: Running): void {
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), PATIENCE).unref()
    running.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  if (process.send !== undefined) process.on('disconnect', stop)
  if (process.send !== undefined && !process.connected) stop()
}

/** A full disk, or a reader that went away, takes log lines and not the process. */
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)

function configured(): Config | readonly string[] {
  try {
    return readConfig()
  } catch (error) {
    if (error instanceof ConfigRefusal) return error.lines
    throw error
  }
}

const config = configured()
if (!('role' in config)) await giveUp(config)
else {
  try {
    const running = await start(config)
    stopOnRequest(running)
    await tell({ ready: true, url: running.url })
  } catch (error) {
    const line = lineOf(error, config)
    await giveUp([line ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))])
  }
}
