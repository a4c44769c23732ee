/**
 * `npm test`: the checks, the tests and the browser journeys, all of them even when one fails.
 * With arguments (`npm test -- packages/plan`) only the tests they name.
 *
 * They run side by side: each waits for processes, pages and the database for half of its time. The tests leave the
 * processor to the journeys, so that a page answers as quickly as it would without them.
 */
import { checkAsvs } from './asvs.ts'
import { runChecks } from './check.ts'
import { ensureChromium } from './chromium.ts'
import { lineOf } from './core/refusal.ts'
import { checkPromises } from './promises.ts'
import { continueWithOwnNode } from './runtime.ts'
import { ensureWebBuild } from './supervisor/web-build.ts'
import { conclude, failedWhole, hasJourneys, type Outcome, runPlaywright, runVitest, sum } from './tests.ts'

async function journeys(built: Promise<void>): Promise<Outcome> {
  if (!hasJourneys()) return { passed: 0, failed: 0, failures: [], executed: [] }
  try {
    const [CHROMIUM_PATH] = await Promise.all([ensureChromium(), built])
    return await runPlaywright([], { CHROMIUM_PATH })
  } catch (error) {
    return failedWhole('the journeys', lineOf(error))
  }
}

continueWithOwnNode()
const args = process.argv.slice(2)
if (args.length > 0) {
  conclude(await runVitest(args))
} else {
  // The journeys' product and the check of sizes would both build it.
  const built = ensureWebBuild()
  built.catch(() => undefined)
  const [checked, tested, walked] = await Promise.all([
    built.catch(() => undefined).then(() => runChecks({ withHouseRules: false })),
    runVitest([], { yields: true }),
    journeys(built),
  ])
  const executed = [...tested.executed, ...walked.executed]
  conclude(sum(checked, tested, walked, await checkPromises(executed), await checkAsvs(executed)))
}
