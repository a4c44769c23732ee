/** What a benchmark came to, for people and for machines. */
import { availableParallelism, loadavg } from 'node:os'
import { msSince, type Spread } from './measures.ts'

export interface Outcome {
  readonly table: string
  /** For machines; see {@link jsonLine}. */
  readonly figures: object
  /** Something was found that must not be: the exit code says so. */
  readonly failed?: boolean
}

/** Hears what is being done, a line each. */
export type Tell = (line: string) => void

export type Machine = ReturnType<typeof machineNow>

/** Half a core is at work for somebody else: the ratio to a baseline may still hold, the times do not. */
const BUSY = 0.5

/** The load average is of the minute before: what else the machine was doing. */
export function machineNow(tell: Tell) {
  const [loadAverage = 0] = loadavg()
  if (loadAverage > BUSY)
    tell(`Others work on this machine (load average ${loadAverage.toFixed(1)}): times come out too long.`)
  return { cores: availableParallelism(), loadAverage }
}

/** Writes what is being done, with the seconds since now. */
export function stagesOf(tell: Tell): Tell {
  const begun = performance.now()
  return (line) => tell(`${(msSince(begun) / 1000).toFixed(1).padStart(7)} s  ${line}`)
}

export const count = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 0 })
export const ms = (value: number) =>
  `${value.toLocaleString('en', { maximumFractionDigits: value < 1 ? 2 : value < 100 ? 1 : 0 })} ms`
export const spread = ({ p50, p99, slowest }: Spread) =>
  `median ${ms(p50)}, p99 ${ms(p99)}, slowest ${ms(slowest)}`
export const machineLine = ({ cores, loadAverage }: Machine) =>
  `${cores} cores, load average ${loadAverage.toFixed(1)}`

/** A name and a value a line. */
export function columnsOf(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([name = '']) => name.length))
  return rows.map(([name = '', value = '']) => `${name.padEnd(width)}  ${value}`).join('\n')
}

/** A head and rows under it, each cell of this width. */
export const gridOf = (width: number, rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map((cell) => cell.padEnd(width)).join('')).join('\n')

export const hundredth = (value: number) => Math.round(value * 100) / 100

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Figures as JSON: names in snake case, numbers to the hundredth. Times are milliseconds. */
export const jsonLine = (figures: object): string =>
  JSON.stringify(figures, (_name, value: unknown) => {
    if (typeof value === 'number') return hundredth(value)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [snakeCase(name), each]))
  })
