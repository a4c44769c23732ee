/**
 * `npm run model -- --cases 10000 [--seed 1] [--database 200]`: plays random histories through the engine in
 * memory, some also through the server's commands on a database, and compares all that was paid with what the independent model
 * of the same rules says. Where they disagree, it prints the smallest such history it finds; the exit code is the verdict.
 */
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { startEphemeral } from '../../db/src/ephemeral.ts'
import { givenDatabaseUrl } from '../../tools/core/config.ts'
import { lineOf, Refusal } from '../../tools/core/refusal.ts'
import { continueWithOwnNode } from '../../tools/runtime.ts'
import { histories, SMALL } from './arbitraries.ts'
import { asJson } from './compare.ts'
import { playOnDatabase } from './database-driver.ts'
import { playInMemory } from './engine-driver.ts'
import type { History } from './history.ts'

const MOST_CASES = 10_000_000
const MOST_SEED = 2 ** 31 - 1

type Ask = (history: History) => string[] | Promise<string[]>

function whole(name: string, text: string, most: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN
  if (value <= most) return value
  throw new Refusal(`--${name} takes a whole number from 0 to ${most}.`)
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string', default: '10000' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * MOST_SEED)) },
      database: { type: 'string', default: '0' },
    },
  })
  return {
    cases: whole('cases', values.cases, MOST_CASES),
    seed: whole('seed', values.seed, MOST_SEED),
    database: whole('database', values.database, MOST_CASES),
  }
}

/** A line a second, however long a case takes or however many there are. */
function progressOf(where: string, cases: number): (found: readonly string[]) => void {
  let asked = 0
  let disagreed = false
  let printed = Date.now()
  return (found) => {
    asked += 1
    disagreed ||= found.length > 0
    if (Date.now() - printed < 1000) return
    printed = Date.now()
    console.log(`${where}: ${asked} ${disagreed ? 'making a disagreement smaller' : `of ${cases}`}`)
  }
}

/** Answers whether all agree. */
async function compare(
  where: string,
  ask: Ask,
  size: typeof SMALL | undefined,
  options: { cases: number; seed: number },
): Promise<boolean> {
  const { cases, seed } = options
  const started = Date.now()
  const progress = progressOf(where, cases)
  const property = fc.asyncProperty(histories(size), async (history) => {
    const found = await ask(history)
    progress(found)
    if (found.length > 0) throw new Error(found.join('\n'))
  })
  const { failed, counterexample, errorInstance, numRuns } = await fc.check(property, {
    numRuns: cases,
    seed,
  })
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  if (!failed) {
    console.log(`${where}: ${numRuns} histories agree (seed ${seed}, ${seconds} s)`)
    return true
  }
  console.log(`${where}: history ${numRuns} disagrees (seed ${seed}, ${seconds} s). Made smaller:`)
  console.log(asJson(counterexample?.[0]))
  console.log(errorInstance instanceof Error ? errorInstance.message : String(errorInstance))
  return false
}

async function onDatabase(options: { cases: number; seed: number }): Promise<boolean> {
  const given = givenDatabaseUrl()
  if (given !== undefined)
    return compare('database', (history) => playOnDatabase(given, history), SMALL, options)
  const database = await startEphemeral({ flags: ['max_connections=200'] })
  const ask = (history: History) => playOnDatabase(database.url, history)
  return compare('database', ask, SMALL, options).finally(() => database.stop())
}

continueWithOwnNode()
try {
  const { cases, seed, database } = readOptions()
  const verdicts = [
    cases === 0 || (await compare('memory', playInMemory, undefined, { cases, seed })),
    database === 0 || (await onDatabase({ cases: database, seed })),
  ]
  process.exitCode = verdicts.every(Boolean) ? 0 : 1
} catch (error) {
  console.error(lineOf(error))
  process.exitCode = 1
}
