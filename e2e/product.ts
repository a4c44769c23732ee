/** The whole product, started as a person starts it, on free ports with a data folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { freePort } from '../tools/testing/free-port.ts'
import { inherited } from './config.ts'

const ROOT = join(import.meta.dirname, '..')
const START_MS = 600_000
const STOP_MS = 30_000

const runFile = z.object({
  url: z.string(),
  databases: z.object({ owner: z.string(), server: z.string(), gateway: z.string() }),
  ports: z.object({ web: z.number(), devnet: z.number() }),
  pids: z.record(z.string(), z.number()),
})
export type RunFile = z.infer<typeof runFile>

export interface Product {
  readonly url: string
  readonly devnetUrl: string
  readonly dataDir: string
  /** Addresses, ports and process ids of the run. */
  run(): Promise<RunFile>
  /** Starts it (again); ready when this returns. */
  start(): Promise<void>
  /** Kills every process of it at once, the database's included, with no chance to tidy up. */
  killAll(): void
  stop(): Promise<void>
  /** Stops, and removes the data folder. */
  remove(): Promise<void>
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

function waitUntilReady(child: ChildProcess, seen: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${why}\n${seen()}`))
    const timer = setTimeout(() => fail('the product did not get ready'), START_MS)
    child.stdout?.on('data', () => {
      if (!seen().includes('Aval is ready')) return
      clearTimeout(timer)
      resolve()
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      fail(`the product ended with code ${code}`)
    })
  })
}

export async function createProduct(environment: Readonly<Record<string, string>> = {}): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'aval-e2e-'))
  const [web, devnet] = [await freePort(), await freePort()]
  let child: ChildProcess | null = null
  let output = ''

  const env = {
    ...inherited(),
    DATA_DIR: dataDir,
    PORT: String(web),
    DEVNET_PORT: String(devnet),
    ...environment,
  }
  const run = async () => runFile.parse(JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')))
  const start = async () => {
    output = ''
    const started = spawn(process.execPath, ['tools/start.ts'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    for (const stream of [started.stdout, started.stderr])
      stream?.on('data', (text: Buffer) => (output += text))
    await waitUntilReady(started, () => output)
  }
  const ended = (process: ChildProcess): Promise<void> =>
    new Promise((resolve) => {
      if (process.exitCode !== null || process.signalCode !== null) resolve()
      else process.once('exit', () => resolve())
    })
  const stop = async () => {
    if (child === null) return
    const stopping = child
    child = null
    const timer = setTimeout(() => stopping.kill('SIGKILL'), STOP_MS)
    stopping.kill('SIGTERM')
    await ended(stopping)
    clearTimeout(timer)
  }
  return {
    url: `http://localhost:${web}`,
    devnetUrl: `http://localhost:${devnet}`,
    dataDir,
    run,
    start,
    killAll() {
      const text = readQuietly(join(dataDir, 'run.json'))
      const known = text === '' ? [] : Object.values(runFile.parse(JSON.parse(text)).pids)
      const mine = child?.pid === undefined ? [] : [child.pid]
      for (const pid of family([...mine, ...known])) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // it was gone already
        }
      }
      child = null
    },
    stop,
    async remove() {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
