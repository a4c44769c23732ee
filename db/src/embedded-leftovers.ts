/**
 * What a `kill -9` leaves behind: a postmaster without a supervisor, or backends without their postmaster.
 *
 * A process counts as ours only if it is called `postgres` and works in that very folder, so that a process number
 * reused by another program is never signalled. Callers hold the lock of the data folder: no running product is disturbed.
 */
import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

const stopLimitMs = 30_000

/** The process number in `postmaster.pid`, or null. */
export async function postmasterPid(clusterDir: string): Promise<number | null> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return pid > 0 ? pid : null
}

/** Stops whatever still runs in the cluster's folder, and removes the pid file when nothing does. */
export async function clearLeftovers(clusterDir: string): Promise<void> {
  const postmaster = await postmasterPid(clusterDir)
  if (postmaster !== null && (await isServerOf(postmaster, clusterDir))) {
    signal(postmaster, 'SIGINT') // fast: rolls back what is open, writes a checkpoint, leaves
    await untilGone([postmaster], clusterDir, stopLimitMs)
  }
  const orphans = await serversIn(clusterDir)
  for (const pid of orphans) signal(pid, 'SIGQUIT')
  if (!(await untilGone(orphans, clusterDir, 5_000))) {
    for (const pid of orphans) signal(pid, 'SIGKILL')
    await untilGone(orphans, clusterDir, 5_000)
  }
  // A stale file whose number now belongs to another program would make PostgreSQL refuse to start. Should a backend have
  // escaped us, its shared memory still stops a second server.
  if ((await serversIn(clusterDir)).length === 0)
    await rm(join(clusterDir, 'postmaster.pid'), { force: true })
}

async function untilGone(pids: readonly number[], clusterDir: string, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs
  for (;;) {
    const alive = await Promise.all(pids.map((pid) => isServerOf(pid, clusterDir)))
    if (!alive.includes(true)) return true
    if (Date.now() > deadline) return false
    await sleep(50)
  }
}

/** The cluster's postmaster and backends (Linux; elsewhere only the postmaster is known). */
async function serversIn(clusterDir: string): Promise<number[]> {
  if (process.platform !== 'linux') return []
  const entries = await readdir('/proc').catch(() => [])
  const pids = entries.filter((entry) => /^\d+$/.test(entry)).map((entry) => Number.parseInt(entry, 10))
  const ours = await Promise.all(pids.map((pid) => isServerOf(pid, clusterDir)))
  return pids.filter((_, index) => ours[index])
}

async function isServerOf(pid: number, clusterDir: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    const { stdout } = await run('ps', ['-p', String(pid), '-o', 'command=']).catch(() => ({ stdout: '' }))
    return stdout.includes('postgres') && stdout.includes(clusterDir)
  }
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  if (name.trim() !== 'postgres') return false
  return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === clusterDir
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It left in the meantime.
  }
}
