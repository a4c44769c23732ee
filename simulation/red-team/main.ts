/**
 * `npm run redteam -- [--seed N] [--calls K] [--role api]`: everything that can be tried with each database role, each function called
 * many times. Ends with a line of JSON; the exit code is 1 where something moved that must not.
 */
import { parseArgs } from 'node:util'
import { startEphemeral } from '../../db/src/ephemeral.ts'
import { lineOf, Refusal } from '../../tools/core/refusal.ts'
import { continueWithOwnNode } from '../../tools/runtime.ts'
import { ROLES, type Role } from './attack.ts'
import type { Report } from './red-team.ts'

function readOptions() {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      calls: { type: 'string', default: '60' },
      role: { type: 'string' },
    },
  })
  const whole = (name: 'seed' | 'calls') => {
    if (!/^\d{1,6}$/.test(values[name])) throw new Refusal(`--${name} takes a whole number.`)
    return Number.parseInt(values[name], 10)
  }
  const roles = Object.keys(ROLES) as Role[]
  const chosen = roles.filter((role) => values.role === undefined || role === values.role)
  if (chosen.length === 0) throw new Refusal(`--role is one of ${roles.join(', ')}.`)
  return { seed: whole('seed'), calls: whole('calls'), roles: chosen }
}

function tell({ role, outcome, faults }: Report): void {
  const { tried, refused, breaches } = outcome
  console.log(
    `${role.padEnd(10)} ${tried} attempts, ${refused} refused, ${breaches.length} breaches, ${faults.length} faults afterwards`,
  )
  for (const line of [...breaches.slice(0, 50), ...faults]) console.log(`  ${line}`)
}

async function run(): Promise<boolean> {
  const options = readOptions()
  const { attackAll } = await import('./red-team.ts')
  const cluster = await startEphemeral()
  try {
    const reports = await attackAll(cluster.url, { ...options, tell })
    console.log(JSON.stringify(reports.map(({ role, outcome, faults }) => ({ role, ...outcome, faults }))))
    return reports.every(({ outcome, faults }) => outcome.breaches.length === 0 && faults.length === 0)
  } finally {
    await cluster.stop()
  }
}

continueWithOwnNode()
try {
  if (!(await run())) process.exitCode = 1
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(lineOf(error))
  process.exitCode = 1
}
