/**
 * A run: some dozens of steps drawn by chance, the auditor after each that may change a row, then healing, and the auditor again once everything
 * has come to rest. The same seed gives the same run, step by step.
 */
import { createHash } from 'node:crypto'
import { Crashed } from '../apps/gateway/src/testing/crashes.ts'
import { readReached } from './auditor.sql.ts'
import type { Bug } from './bugs.ts'
import type { Template } from './people.ts'
import { createSchedule, type Schedule, STEPS, type Step } from './schedule.ts'
import { createWorld } from './world.ts'

export interface RunResult {
  readonly seed: number
  readonly steps: number
  readonly crashes: number
  /** How much of what, by name: "withdrawal completed", "sweep expired", … */
  readonly reached: Readonly<Record<string, number>>
  /** What went on, a line a step; the same for the same seed. */
  readonly trace: readonly string[]
  readonly hash: string
  /** What the auditor found, and after which step; empty when all is well. */
  readonly violations: readonly string[]
}

const STEPS_A_RUN = 45
/** Each round mines some blocks and lets ten seconds pass: enough for several transfers to die one after the other. */
const ROUNDS_TO_REST = 120

const drawStep = (schedule: Schedule): Step => {
  const total = STEPS.reduce((sum, step) => sum + step.weight, 0)
  let left = schedule.world.chance.below(total)
  for (const step of STEPS) {
    left -= step.weight
    if (left < 0) return step
  }
  throw new RangeError('no step')
}

export async function runSeed(
  template: Template,
  seed: number,
  { steps = STEPS_A_RUN, bug }: { readonly steps?: number; readonly bug?: Bug } = {},
): Promise<RunResult> {
  const world = await createWorld(template, seed)
  const trace: string[] = []
  const violations: string[] = []
  let crashes = 0
  let reached: Record<string, number> = {}
  try {
    const schedule = await createSchedule(world, bug)
    const auditNow = async (after: string) => {
      for (const line of await world.auditor.audit()) violations.push(`after ${after}: ${line}`)
    }
    for (let number = 1; number <= steps && violations.length === 0; number += 1) {
      const step = drawStep(schedule)
      let outcome: string
      try {
        outcome = await step.take(schedule)
      } catch (error) {
        if (!(error instanceof Crashed)) throw error
        crashes += 1
        outcome = 'killed'
      }
      trace.push(`${number} ${step.name}: ${outcome}`)
      if (!step.chainOnly) await auditNow(trace.at(-1) ?? '')
    }
    if (violations.length === 0) await settleDown(schedule, trace, violations)
    reached = await readReached(world.owner)
  } catch (error) {
    violations.push(
      `after ${trace.at(-1) ?? 'the beginning'}: ${error instanceof Error ? error.stack : error}`,
    )
  } finally {
    await world.close()
  }
  const hash = createHash('sha256').update(trace.join('\n')).digest('hex').slice(0, 16)
  return { seed, steps: trace.length, crashes, reached, trace, hash, violations }
}

/** Heals what ails the world, and goes on until nothing is left to be done. */
async function settleDown(schedule: Schedule, trace: string[], violations: string[]): Promise<void> {
  const { auditor } = schedule.world
  await schedule.heal()
  let unsettled: string[] = []
  for (let round = 1; round <= ROUNDS_TO_REST; round += 1) {
    await schedule.round()
    for (const line of await auditor.audit()) violations.push(`in round ${round}: ${line}`)
    if (violations.length > 0) return
    unsettled = await auditor.unsettled()
    if (unsettled.length === 0) {
      trace.push(`at rest after ${round} rounds`)
      break
    }
  }
  for (const line of unsettled) violations.push(`not at rest: ${line}`)
  for (const line of await auditor.compare()) violations.push(`at rest: ${line}`)
  for (const line of await schedule.ledgerFaults()) violations.push(`at rest, ledger check: ${line}`)
  for (const line of await schedule.pageDifferences()) violations.push(`at rest, pages: ${line}`)
}

/** Adds up what several runs reached. */
export function addReached(total: Record<string, number>, { reached }: RunResult): void {
  for (const [name, count] of Object.entries(reached)) total[name] = (total[name] ?? 0) + count
}
