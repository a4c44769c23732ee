/** `<dataDir>/run.json`: what runs right now, for tools and tests. Removed at a clean stop. */
import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { PROCESSES } from '@aval/db/prepare'
import { z } from 'zod'
import { writePrivate } from '../core/private-file.ts'

const schema = z.object({
  url: z.string(),
  databases: z.record(z.enum(['owner', ...PROCESSES]), z.string()),
  ports: z.object({
    web: z.number(),
    approvals: z.number(),
    devnet: z.number().nullable(),
    postgres: z.number().nullable(),
  }),
  pids: z.record(z.string(), z.number()),
})
export type RunFile = z.infer<typeof schema>

const run = promisify(execFile)
const leaveLimitMs = 5_000

const pathOf = (dataDir: string) => join(dataDir, 'run.json')

export async function readRunFile(dataDir: string): Promise<RunFile | null> {
  const text = await readFile(pathOf(dataDir), 'utf8').catch(() => '')
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

export async function runningIn(dataDir: string): Promise<RunFile> {
  const file = await readRunFile(dataDir)
  if (file === null) throw new Error(`nothing runs in ${dataDir}`)
  return file
}

/** Processes come and go at any moment: the file ends as the last call says. */
let last: Promise<void> = Promise.resolve()
function oneByOne(work: () => Promise<void>): Promise<void> {
  last = last.catch(() => undefined).then(work)
  return last
}

export const writeRunFile = (dataDir: string, content: RunFile): Promise<void> =>
  oneByOne(() => writePrivate(pathOf(dataDir), content))

export const removeRunFile = (dataDir: string): Promise<void> =>
  oneByOne(() => rm(pathOf(dataDir), { force: true }))

/**
 * After a `kill -9` of the supervisor its children leave by themselves within moments; this waits for them, so that
 * their ports are free, and ends the ones that hang. PostgreSQL is looked after where it is started.
 */
export async function clearLeftChildren(dataDir: string, entries: readonly string[]): Promise<void> {
  const left = await readRunFile(dataDir)
  if (!left) return
  const pids = Object.values(left.pids)
  const deadline = Date.now() + leaveLimitMs
  for (;;) {
    const lines = await Promise.all(pids.map(commandLine))
    const ours = pids.filter((_, index) => entries.some((entry) => lines[index]?.includes(entry)))
    if (ours.length === 0) break
    if (Date.now() > deadline) for (const pid of ours) tryKill(pid)
    await sleep(50)
  }
  await removeRunFile(dataDir)
}

async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ')
  }
  return (await run('ps', ['-p', String(pid), '-o', 'args=']).catch(() => ({ stdout: '' }))).stdout
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It left in the meantime.
  }
}
