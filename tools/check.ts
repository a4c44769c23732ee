/** `npm run check`: the fast part of `npm test`, everything that needs no product and no database. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import {
  deadCode,
  folders,
  format,
  imports,
  type MachineCheck,
  runMachineCheck,
  sizes,
  types,
  type Verdict,
  webTypes,
} from './checks/machine.ts'
import { root } from './core/config.ts'
import { lineOf } from './core/refusal.ts'
import { continueWithOwnNode } from './runtime.ts'

/** Those that need what others make come later. */
const checks: readonly MachineCheck[] = [
  types,
  webTypes,
  format,
  imports,
  folders,
  deadCode,
  houseRules(),
  sizes,
]

function houseRules(): MachineCheck {
  return {
    name: 'house rules',
    command: ['vitest', 'run', '--project', 'unit', '--reporter', 'dot', 'tools/tidy'],
  }
}

/** Runs the checks, a few at a time, and prints a line for each. `npm test` runs the house rules with its tests. */
export async function runChecks(options: { withHouseRules: boolean }): Promise<Verdict[]> {
  const waiting = checks.filter((check) => options.withHouseRules || check.name !== 'house rules')
  const verdicts: Verdict[] = []
  const work = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const verdict = await judge(check)
      verdicts.push(verdict)
      show(verdict)
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.min(3, availableParallelism())) }, work))
  return verdicts
}

async function judge(check: MachineCheck): Promise<Verdict> {
  const started = Date.now()
  try {
    if (check === sizes) await buildForSizes()
    return await runMachineCheck(check)
  } catch (error) {
    return { name: check.name, passed: false, output: lineOf(error), seconds: (Date.now() - started) / 1000 }
  }
}

async function buildForSizes(): Promise<void> {
  const { ensureWebBuild } = await import('./web-built.ts')
  await ensureWebBuild(join(root, 'apps/web'))
}

function show({ name, passed, output, seconds }: Verdict): void {
  console.log(`${passed ? '✓' : '✗'} ${name} (${seconds.toFixed(1)} s)`)
  if (!passed) console.log(output.replace(/^/gm, '    '))
}

if (import.meta.main) {
  continueWithOwnNode()
  const verdicts = await runChecks({ withHouseRules: true })
  const failed = verdicts.filter(({ passed }) => !passed).length
  console.log(`${verdicts.length - failed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}
