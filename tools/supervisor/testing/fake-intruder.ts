/** Somebody else's code inside one of the product's processes: tries what it is sent, and tells how each ended. */
import { execFileSync } from 'node:child_process'
import { setEngine } from 'node:crypto'
import * as fs from 'node:fs'
import { Session } from 'node:inspector'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'

export interface Attempt {
  readonly what: keyof typeof ways
  /** A path, or a number of a process. */
  readonly on: string
}

const load = createRequire(import.meta.url)

const ways = {
  read: (path: string) => (fs.statSync(path).isDirectory() ? fs.readdirSync(path) : fs.readFileSync(path)),
  write: (path: string) => fs.appendFileSync(path, 'x'),
  'symbolic link': (path: string) => fs.symlinkSync('/etc', path),
  'hard link': (path: string) => fs.linkSync(import.meta.filename, path),
  'other program': (path: string) => execFileSync(path),
  thread: () => new Worker('', { eval: true }),
  debugger: () => new Session().connect(),
  'internal binding': () => Reflect.get(process, 'binding').call(process, 'fs'),
  sqlite: (path: string) => new (load('node:sqlite').DatabaseSync)(path),
  engine: (path: string) => setEngine(path),
  addon: (path: string) => process.dlopen({ exports: {} }, path),
  report: (path: string) => process.report.writeReport(path),
  signal: (pid: string) => process.kill(Number(pid), 'SIGUSR1'),
  connection: (path: string) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(/^\d+$/.test(path) ? { port: Number(path) } : { path })
      socket.once('error', reject).once('connect', () => {
        socket.destroy()
        resolve()
      })
    }),
} satisfies Record<string, (on: string) => unknown>

async function outcomeOf({ what, on }: Attempt): Promise<string> {
  try {
    await ways[what](on)
    return 'done'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

const attempts: readonly Attempt[] = JSON.parse(process.argv[2] ?? '[]')
const outcomes: string[] = []
for (const attempt of attempts) outcomes.push(await outcomeOf(attempt))
process.send?.({ outcomes, secrets: Object.keys(process.env) }, () => process.exit(0))
