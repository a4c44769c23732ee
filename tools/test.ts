/**
 * `npm test`: checks, tests and the journeys that carry the product. `npm run test:all`: besides them the long proof, every other journey
 * and the oldest PostgreSQL; what `npm test` has passed on these very sources is not run again. With arguments
 * (`npm test -- packages/plan`) only the tests they name.
 *
 * They run side by side, all of them even when one fails: each waits for processes, pages and the database for half of its time. The tests
 * leave the processor to the journeys, so that a page answers as quickly as it would without them.
 */
import { globSync } from 'node:fs'
import { checkAsvs } from './asvs.ts'
import { runChecks } from './check.ts'
import { ensureChromium } from './chromium.ts'
import { root } from './core/config.ts'
import { lineOf } from './core/refusal.ts'
import { CARRYING_JOURNEYS, LONG_TESTS, POSTGRES_TESTS } from './long-proof.ts'
import { keepPassed, passedOn, sourcesHash } from './passed-tests.ts'
import { checkPromises } from './promises.ts'
import { continueWithOwnNode } from './runtime.ts'
import { ensureWebBuild } from './supervisor/web-build.ts'
import { testOnSystemPostgres } from './system-postgres.ts'
import {
  conclude,
  type Executed,
  failedWhole,
  hasJourneys,
  type Outcome,
  only,
  type Part,
  runPlaywright,
  runVitest,
  sum,
  type Tally,
} from './tests.ts'

async function journeys(part: Part, built: Promise<void>): Promise<Outcome> {
  if (!hasJourneys()) return { passed: 0, failed: 0, failures: [], executed: [] }
  try {
    const [CHROMIUM_PATH] = await Promise.all([ensureChromium(), built])
    return await runPlaywright(only('playwright', part), { CHROMIUM_PATH })
  } catch (error) {
    return failedWhole('the journeys', lineOf(error))
  }
}

/** Checks, tests and journeys side by side. */
async function runShort(sources: string | null): Promise<Outcome> {
  // The journeys' product and the check of sizes would both build it.
  const built = ensureWebBuild()
  built.catch(() => undefined)
  const [checked, tested, walked] = await Promise.all([
    built.catch(() => undefined).then(() => runChecks({ withHouseRules: false })),
    runVitest(only('vitest', 'short'), { yields: true }),
    journeys('short', built),
  ])
  const outcome = { ...sum(checked, tested, walked), executed: [...tested.executed, ...walked.executed] }
  await keepPassed(outcome, sources)
  return outcome
}

/** The long proof; at its end, whether every promise has its proof. @param before what ran already */
async function runLong(before: readonly Executed[]): Promise<Tally> {
  const [tested, walked] = await Promise.all([
    runVitest(only('vitest', 'long'), { yields: true }),
    journeys('long', ensureWebBuild()),
  ])
  const oldest = await testOnSystemPostgres(POSTGRES_TESTS)
  const executed = [...before, ...tested.executed, ...walked.executed]
  return sum(tested, walked, oldest, await checkPromises(executed), await checkAsvs(executed))
}

const count = (patterns: string | readonly string[]) =>
  globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] }).length

/** What `npm test` leaves out. */
function left(): string {
  const journeyFiles = count('e2e/*.e2e.ts') - CARRYING_JOURNEYS.length
  return `${count(LONG_TESTS)} files of long proof, ${journeyFiles} of journeys, and the oldest PostgreSQL`
}

async function testShort(sources: string | null): Promise<Outcome> {
  const startedAt = Date.now()
  console.log(
    'Checks, tests and the journeys that carry the product run side by side; each says what passed.',
  )
  const outcome = await runShort(sources)
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  console.log(`Checks, tests and journeys took ${seconds} s. Left to npm run test:all: ${left()}.`)
  return outcome
}

async function testAll(sources: string | null): Promise<Tally> {
  const before = await passedOn(sources)
  if (before !== null) {
    console.log('npm test has passed on these sources and is not run again.')
    return runLong(before)
  }
  const short = await testShort(sources)
  return sum(short, await runLong(short.executed))
}

continueWithOwnNode()
const args = process.argv.slice(2)
if (args[0] === '--all') conclude(await testAll(sourcesHash()))
else if (args.length > 0) conclude(await runVitest(args))
else conclude(await testShort(sourcesHash()))
