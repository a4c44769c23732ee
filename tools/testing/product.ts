/**
 * The whole product, started as a person starts it, on free ports with a data folder of its own. Its processes can be killed
 * and stopped, its transactions held, and its chain made to fail.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openClient } from '@aval/db/client'
import type pg from 'pg'
import { childEnvironment, root } from '../core/config.ts'
import { type RunFile, runningIn } from '../supervisor/run-file.ts'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

/** By their names in `run.json`. */
export const PROCESSES = ['gateway', 'signer', 'worker', 'api', 'postgres'] as const
export type ProcessName = (typeof PROCESSES)[number]

/** Ends a hold. Does nothing when called again, or after what it held has died. */
export type Release = () => Promise<void>

/** A lock of the database owner's, for which the product's own sessions wait. */
export interface Hold {
  /** Whether a session of this process waits for it now. */
  isAwaitedBy(process: 'api' | 'worker' | 'gateway'): Promise<boolean>
  readonly release: Release
}

/** Where transactions can be held: before or after they write a row of a table, or in the COMMIT that follows. */
export interface Step {
  readonly at: 'BEFORE' | 'AFTER' | 'COMMIT'
  readonly of: 'INSERT' | 'UPDATE' | 'INSERT OR UPDATE'
  readonly table: string
  /** Only of such rows: a condition on `NEW`. */
  readonly when?: string
}

export type Product = Awaited<ReturnType<typeof createProduct>>

const START_MS = 600_000
const STOP_MS = 30_000
/** The supervisor starts an embedded database again five times in one run. */
const DATABASE_KILLS_A_RUN = 4
/** The first of the advisory locks that hold steps. */
const STEP_LOCK = 90_210
const WAIT_AT_STEP = `
  CREATE OR REPLACE FUNCTION wait_at_step() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock_shared(TG_ARGV[0]::bigint); RETURN NEW; END';`
/** Before: the product would stop payments for the triggers. It compares all the same, and cannot say what it found. */
const UNHEARD = 'REVOKE EXECUTE ON FUNCTION record_integrity_check(text[], timestamptz) FROM aval_worker'
/** What `ledger:check` then says of the database, and no more. */
const PLANTED =
  /^ {2}(function public\.wait_at_step\(\): not of ours|trigger wait_at_step_\d+ on \S+: not of ours|function public\.record_integrity_check\(.*\): aval_worker may nothing instead of EXECUTE)$/

/** What a check of the ledger found, but for what held steps leave behind; null when that is nothing. */
export function faultsOf({ code, output }: { code: number | null; output: string }): string | null {
  const [ledger = '', differences = ''] = output.split(/^\d+ differences from what its migrations made:$/m)
  const others = differences.split('\n').filter((line) => line !== '' && !PLANTED.test(line))
  const isClean =
    code === 0 || (differences !== '' && others.length === 0 && ledger.includes('The ledger is clean.'))
  return isClean ? null : output
}

/** The session names of the processes that write. */
const SESSIONS = { api: 'aval-api', worker: 'aval-worker', gateway: 'aval gateway' } as const

function triggerAt({ at, of, table, when = 'true' }: Step, lock: number): string {
  const place =
    at === 'COMMIT' ? `AFTER ${of} ON ${table} DEFERRABLE INITIALLY DEFERRED` : `${at} ${of} ON ${table}`
  return `CREATE ${at === 'COMMIT' ? 'CONSTRAINT ' : ''}TRIGGER wait_at_step_${lock} ${place}
    FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION wait_at_step(${lock});`
}

/** Process ids below the given ones, them included; a database's backends are children of its first process. */
function family(pids: readonly number[]): number[] {
  const all = [...pids]
  for (const pid of all) {
    const path = `/proc/${pid}/task/${pid}/children`
    const children = existsSync(path) ? readQuietly(path).trim().split(' ').filter(Boolean).map(Number) : []
    for (const child of children) if (!all.includes(child)) all.push(child)
  }
  return all
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** @param signal 0 asks whether it lives. @returns false when there is no such process */
function signalled(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

function waitUntilReady(child: ChildProcess, output: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${why}\n${output()}`))
    const timer = setTimeout(() => fail('the product did not get ready'), START_MS)
    child.stdout?.on('data', () => {
      if (!output().includes('Aval is ready')) return
      clearTimeout(timer)
      resolve()
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      fail(`the product ended with code ${code}`)
    })
  })
}

/** @returns the child, and everything it has written so far */
function startTool(name: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [`tools/${name}.ts`, ...args], {
    cwd: root,
    // A demo that is set up on this machine is not the one under test.
    env: childEnvironment({ DEMO: undefined, DEMO_PASSWORD: undefined, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part))
  return { child, output: () => text }
}

/** @returns what starts, stops and kills; `run` answers what runs. */
function processesOf(env: Readonly<Record<string, string>>, run: () => Promise<RunFile>) {
  let child: ChildProcess | null = null
  let databaseKills = 0
  /** Starts it (again); ready when this returns. */
  const start = async () => {
    const started = startTool('start', [], env)
    child = started.child
    databaseKills = 0
    await waitUntilReady(started.child, started.output)
  }
  const stop = async () => {
    if (child === null) return
    const stopping = child
    child = null
    if (stopping.exitCode !== null || stopping.signalCode !== null) return
    const timer = setTimeout(() => stopping.kill('SIGKILL'), STOP_MS)
    const ended = once(stopping, 'exit')
    stopping.kill('SIGTERM')
    await ended
    clearTimeout(timer)
  }
  /** Kills every process of it at once (SIGKILL), the database's included. */
  const killAll = async () => {
    const known = Object.values((await run().catch(() => null))?.pids ?? {})
    for (const pid of family([child?.pid, ...known].filter((pid) => pid !== undefined)))
      signalled(pid, 'SIGKILL')
    child = null
  }
  const pidOf = (name: ProcessName) =>
    until(`a process ${name}`, async () => {
      const pid = (await run()).pids[name]
      return pid !== undefined && signalled(pid, 0) ? pid : null
    })
  return {
    start,
    stop,
    killAll,
    /** Kills one process (SIGKILL); the supervisor starts it again. */
    async kill(name: ProcessName) {
      if (name === 'postgres') databaseKills += 1
      const pid = await pidOf(name)
      signalled(pid, 'SIGKILL')
      await until(`the end of ${name}`, async () => !signalled(pid, 0))
      if (databaseKills <= DATABASE_KILLS_A_RUN) return
      await killAll()
      await start()
    },
    /** Stops a process where it stands (SIGSTOP). */
    async freeze(name: ProcessName): Promise<Release> {
      const pid = await pidOf(name)
      signalled(pid, 'SIGSTOP')
      return async () => void signalled(pid, 'SIGCONT')
    },
  }
}

function databaseOf(run: () => Promise<RunFile>) {
  const steps: string[] = []
  const connectOwner = async (): Promise<pg.Client> => {
    const owner = openClient((await run()).databases.owner) // it is killed on purpose
    await owner.connect()
    return owner
  }
  /** As the database's owner, over a connection of its own. */
  const query = async <Row extends object>(text: string, values: readonly unknown[] = []) => {
    const owner = await connectOwner()
    try {
      return (await owner.query<Row>(text, [...values])).rows
    } finally {
      await owner.end()
    }
  }
  /** Keeps what these statements lock until it is released or the database dies. */
  const hold = async (...statements: string[]): Promise<Hold> => {
    const owner = await connectOwner()
    for (const statement of statements) await owner.query(statement)
    const { rows } = await owner.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    return {
      isAwaitedBy: async (process) =>
        (
          await query(
            'SELECT FROM pg_stat_activity WHERE application_name = $1 AND $2::int = any(pg_blocking_pids(pid))',
            [SESSIONS[process], rows[0]?.pid],
          )
        ).length > 0,
      release: () => owner.end().catch(() => undefined),
    }
  }
  return {
    query,
    /** Until it is released, every transaction that comes to this step waits there. */
    async holdAt(step: Step) {
      const name = JSON.stringify(step)
      if (!steps.includes(name)) {
        if (steps.length === 0) await query(UNHEARD)
        await query(WAIT_AT_STEP + triggerAt(step, STEP_LOCK + steps.length))
        steps.push(name)
      }
      return hold(`SELECT pg_advisory_lock(${STEP_LOCK + steps.indexOf(name)})`)
    },
    /** Until it is released, every transaction that changes what this member owns waits. */
    lockMember: (memberId: string) =>
      hold('BEGIN', `SELECT FROM member WHERE id = ${BigInt(memberId)} FOR NO KEY UPDATE`),
  }
}

export async function createProduct(environment: Readonly<Record<string, string>> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'aval-product-'))
  const [web, devnet, approvals] = [await freePort(), await freePort(), await freePort()]
  const devnetUrl = `http://localhost:${devnet}`
  const run = () => runningIn(dataDir)
  const ports = { PORT: String(web), DEVNET_PORT: String(devnet), APPROVALS_PORT: String(approvals) }
  const { DATABASE_URL } = environment
  /** Where it is not the embedded one. */
  const database = DATABASE_URL === undefined ? {} : { DATABASE_URL }
  const env = { DATA_DIR: dataDir, ...ports, ...environment }
  const processes = processesOf(env, run)
  return {
    url: `http://localhost:${web}`,
    devnetUrl,
    approvalsUrl: `http://localhost:${approvals}`,
    dataDir,
    /** Addresses, ports and process ids of the run. */
    run,
    ...processes,
    ...databaseOf(run),
    /** Stops, and removes the data folder. */
    async remove() {
      await processes.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
    /** Runs one of the server's command-line programs on its database. */
    async tool(name: string, ...args: string[]) {
      const { child, output } = startTool('on-database', [name, ...args], { DATA_DIR: dataDir, ...database })
      await once(child, 'close')
      return { code: child.exitCode, output: output() }
    },
    /** Runs `npm run backup` (`take`) or `npm run restore` (`restore`) on its data folder. */
    async backup(command: 'take' | 'restore' | 'drill', ...args: string[]) {
      const { child, output } = startTool('backup', [command, ...args], env)
      await once(child, 'close')
      return { code: child.exitCode, output: output() }
    },
    /** `POST /dev/<path>` of the development chain. */
    async dev(path: string, body: object) {
      const answer = await fetch(`${devnetUrl}/dev/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`${path} ${JSON.stringify(body)}: ${await answer.text()}`)
    },
    /** Its newest and its solid block, how many transactions wait for a block, and the token's address. */
    chain: async () =>
      (await (await fetch(`${devnetUrl}/dev/status`)).json()) as {
        head: number
        solid: number
        pending: number
        usdt: string
      },
  }
}
