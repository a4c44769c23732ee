/**
 * `npm run audit`: known holes in the packages of others, in what ships and, apart, in the rest.
 * Exit code 1: something high or critical ships. 2: the registry could not be asked.
 */
import { spawnSync } from 'node:child_process'
import { z } from 'zod'
import { root } from './core/config.ts'

const hole = z.object({ name: z.string(), severity: z.string(), range: z.string() })
const report = z.object({ vulnerabilities: z.record(z.string(), hole) })
type Hole = z.infer<typeof hole>

const GRAVE = ['high', 'critical']

/** The holes that npm names in its answer; null when it could not ask. */
export function readAudit(answer: string): Hole[] | null {
  try {
    const { success, data } = report.safeParse(JSON.parse(answer))
    return success ? Object.values(data.vulnerabilities) : null
  } catch {
    return null
  }
}

/** @param shipped holes in what ships @param all those and the rest; null: not known */
export function judgeAudit(shipped: readonly Hole[] | null, all: readonly Hole[] | null) {
  if (shipped === null || all === null)
    return { code: 2, lines: ['The registry could not be asked: nothing is known about holes.'] }
  const lineOf = ({ name, range, severity }: Hole) => `  ${severity}: ${name} ${range}`
  const rest = all.filter(({ name }) => !shipped.some((each) => each.name === name))
  return {
    code: shipped.some(({ severity }) => GRAVE.includes(severity)) ? 1 : 0,
    lines: [
      `In what ships: ${shipped.length}`,
      ...shipped.map(lineOf),
      `In the rest: ${rest.length}`,
      ...rest.map(lineOf),
    ],
  }
}

const ask = (...args: string[]) =>
  readAudit(
    spawnSync('npm', ['audit', '--json', ...args], { cwd: root, encoding: 'utf8', timeout: 120_000 }).stdout,
  )

if (import.meta.main) {
  const { code, lines } = judgeAudit(ask('--omit=dev'), ask())
  for (const line of lines) console.log(line)
  process.exitCode = code
}
