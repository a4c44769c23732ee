/** Wall time, what is said about many of it, memory, and work that is measured. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

export const msSince = (begun: number): number => performance.now() - begun

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return msSince(begun)
}

/** Asks again and again. @returns milliseconds until the answer was yes @throws when it never is */
export async function until(
  what: string,
  { everyMs, withinMs }: { everyMs: number; withinMs: number },
  ask: () => Promise<boolean>,
): Promise<number> {
  const begun = performance.now()
  while (!(await ask())) {
    if (msSince(begun) > withinMs) throw new Error(`${what}: not within ${withinMs / 1000} s`)
    await pause(everyMs)
  }
  return msSince(begun)
}

/** Works on all items, begun in their order, so many of them at once. */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const left = items.entries()
  const worker = async () => {
    for (const [index, item] of left) await work(item, index)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

export type Spread = ReturnType<typeof spreadOf>

/** Of nothing, all zeros. Quantiles are measured values (nearest rank), nothing between two of them. */
export function spreadOf(times: readonly number[]) {
  const sorted = times.toSorted((left, right) => left - right)
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
  return { count: sorted.length, p50: rank(0.5), p99: rank(0.99), slowest: rank(1) }
}

/** To the tenth: what people read. */
export const tenth = (value: number): number => Math.round(value * 10) / 10

const MB = 1024

/** Of this process since it was started, in MB. */
export function peakRssMb(): number {
  return Math.round(process.resourceUsage().maxRSS / MB)
}

/** The most memory that a process has held, in MB; null where the system does not say. */
export async function peakRssOfMb(pid: number | 'self'): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]
  return peak === undefined ? null : Math.round(Number.parseInt(peak, 10) / MB)
}

/** What a process holds now, in kB. @throws where the system does not say */
export async function rssOfKb(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  const rss = Number.parseInt(stdout, 10)
  if (Number.isNaN(rss)) throw new Error(`the system does not say what process ${pid} holds`)
  return rss
}

/**
 * Of this process, where it is a child. On Linux `maxRSS` of a child begins with what its parent held when it was forked
 * (exec keeps it), so the kernel is asked for the peak of this program alone.
 */
export const peakRssOfChildMb = async (): Promise<number> => (await peakRssOfMb('self')) ?? peakRssMb()

/** What the system says of a process, from the third field on; all empty where it does not tell. */
async function statOf(pid: number): Promise<readonly string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // After the name in brackets, which may hold anything.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Times are in hundredths of a second. */
const secondsOf = (times: readonly string[]): number =>
  times.reduce((sum, time) => sum + (Number.parseInt(time, 10) || 0), 0) / 100

/** What a process has used of processors so far, in seconds; 0 where the system does not tell. */
export const processorSecondsOf = async (pid: number): Promise<number> =>
  secondsOf((await statOf(pid)).slice(11, 13))

/** The same of a server of PostgreSQL, by the process of a session: of all its processes, those that have ended too. */
export async function processorSecondsOfServer(session: number): Promise<number> {
  const [, parent = '0'] = await statOf(session)
  const children = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8').catch(() => '')
  const each = await Promise.all(children.trim().split(' ').map(Number).map(processorSecondsOf))
  return each.reduce((sum, seconds) => sum + seconds, secondsOf((await statOf(Number(parent))).slice(11, 15)))
}
