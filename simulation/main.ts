/** `npm run simulate -- --seeds N [--from S] [--steps K] [--trace]`: as many runs as wanted; tells every seed that went wrong. */
import { parseArgs } from 'node:util'
import { startEphemeral } from '../db/src/ephemeral.ts'
import { continueWithOwnNode } from '../tools/runtime.ts'
import { addReached, runSeed } from './run.ts'
import { makeTemplate } from './template.ts'

const whole = (text: string | undefined, fallback: number): number =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number.parseInt(text, 10) : fallback

continueWithOwnNode()
const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    from: { type: 'string' },
    steps: { type: 'string' },
    trace: { type: 'boolean' },
  },
})
const seeds = whole(values.seeds, 200)
const from = whole(values.from, 1)
const cluster = await startEphemeral()
const began = Date.now()
const tally = { runs: 0, steps: 0, crashes: 0 }
const reached: Record<string, number> = {}
const wrong: number[] = []
try {
  const template = await makeTemplate(cluster.url)
  for (let seed = from; seed < from + seeds; seed += 1) {
    const steps = values.steps === undefined ? {} : { steps: whole(values.steps, 45) }
    const result = await runSeed(template, seed, steps)
    tally.runs += 1
    tally.steps += result.steps
    tally.crashes += result.crashes
    addReached(reached, result)
    if (values.trace === true) console.log(result.trace.join('\n'))
    if (result.violations.length > 0) {
      wrong.push(seed)
      console.log(`seed ${seed} (${result.hash}):\n  ${result.violations.join('\n  ')}`)
    } else if (tally.runs % 100 === 0) console.log(`${tally.runs} of ${seeds}`)
  }
  await template.drop()
} finally {
  await cluster.stop()
}
const seconds = (Date.now() - began) / 1000
console.log(JSON.stringify({ ...tally, reached, seconds, wrong }))
process.exitCode = wrong.length === 0 ? 0 : 1
