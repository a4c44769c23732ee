/**
 * `npm test`: the checks, the tests and the browser journeys, all of them even when one fails.
 * With arguments (`npm test -- packages/plan`) only the tests they name.
 */
import { runChecks } from './check.ts'
import { ensureChromium } from './chromium.ts'
import { continueWithOwnNode } from './runtime.ts'
import { lineOf } from './supervisor/refusal.ts'
import { conclude, hasJourneys, runPlaywright, runVitest, sum, type Tally } from './tests.ts'

async function checks(): Promise<Tally> {
  console.log('── Checks')
  const verdicts = await runChecks({ withHouseRules: false })
  const failed = verdicts.filter(({ passed }) => !passed).length
  return { passed: verdicts.length - failed, failed }
}

async function journeys(): Promise<Tally> {
  if (!hasJourneys()) return { passed: 0, failed: 0 }
  console.log('── Browser journeys')
  try {
    return await runPlaywright({ CHROMIUM_PATH: ensureChromium() })
  } catch (error) {
    console.error(lineOf(error))
    return { passed: 0, failed: 1 }
  }
}

continueWithOwnNode()
const args = process.argv.slice(2)
if (args.length > 0) {
  conclude(await runVitest(args))
} else {
  const checked = await checks()
  console.log('── Tests')
  const tested = await runVitest([])
  conclude(sum(checked, tested, await journeys()))
}
