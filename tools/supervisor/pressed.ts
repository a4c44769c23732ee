/** When `npm start` was pressed: what npm does before it starts us, the installation of the packages above all, counts as well. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Milliseconds since 1970. Where nobody knows, when this process began. */
export function pressedAt(parent = process.ppid): number {
  try {
    return performance.timeOrigin - (process.platform === 'linux' ? aheadOnLinux(parent) : aheadOf(parent))
  } catch {
    return performance.timeOrigin
  }
}

const isNpm = (commandLine: string): boolean => /^npm |npm-cli\.js/.test(commandLine)

/** Of a second; the same on every Linux that Node runs on. */
const TICKS = 100

function aheadOnLinux(parent: number): number {
  const name = readFileSync(`/proc/${parent}/cmdline`, 'utf8').replaceAll('\0', ' ')
  if (!isNpm(name)) return 0
  // The name of a program may have blanks: the numbers begin behind its bracket.
  const begunOf = (pid: number | 'self') =>
    Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19])
  return Math.max(0, ((begunOf('self') - begunOf(parent)) * 1000) / TICKS || 0)
}

function aheadOf(parent: number): number {
  const ask = (pid: number, field: string) =>
    execFileSync('ps', ['-p', String(pid), '-o', `${field}=`], { encoding: 'utf8' }).trim()
  if (!isNpm(ask(parent, 'args'))) return 0
  return Math.max(0, Date.parse(ask(process.pid, 'lstart')) - Date.parse(ask(parent, 'lstart')) || 0)
}
