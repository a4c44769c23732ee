/** When `npm start` was pressed: what npm does before it starts us, the installation of the packages above all, counts as well. */
import { readFileSync } from 'node:fs'

/** The same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

/** Milliseconds since 1970. Where nobody knows, as on a system other than Linux, when this process began. */
export function pressedAt(parent = process.ppid): number {
  try {
    return performance.timeOrigin - aheadOf(parent)
  } catch {
    return performance.timeOrigin
  }
}

/** By how much npm began before us, in milliseconds; 0 where the parent is another program. */
function aheadOf(parent: number): number {
  const name = readFileSync(`/proc/${parent}/cmdline`, 'utf8').replaceAll('\0', ' ')
  if (!/^npm |npm-cli\.js/.test(name)) return 0
  // The name of a program may have blanks: the numbers begin behind its bracket.
  const begunOf = (pid: number | 'self') =>
    Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19])
  return Math.max(0, ((begunOf('self') - begunOf(parent)) * 1000) / TICKS_PER_SECOND || 0)
}
