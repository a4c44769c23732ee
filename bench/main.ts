/** `npm run bench -- <benchmark>`: measures the product at sizes that no test reaches. */
import { continueWithOwnNode } from '../tools/runtime.ts'
import { type PayoutsOptions, parseCommandLine, USAGE, UsageError } from './options.ts'

interface Outcome {
  readonly table: string
  /** One line. */
  readonly json: string
  /** Something was found that must not be: the exit code says so. */
  readonly failed: boolean
}

type Benchmark = (options: PayoutsOptions, tell: (line: string) => void) => Promise<Outcome>

/** Loaded when asked for: a wrong argument is told at once, and no benchmark holds another's memory. */
const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  async payouts(options, tell) {
    const [{ runPayouts }, { jsonOf, tableOf }] = await Promise.all([
      import('./payouts.ts'),
      import('./report.ts'),
    ])
    const result = await runPayouts(options, tell)
    return { table: tableOf(result), json: jsonOf(result), failed: (result.faults ?? []).length > 0 }
  },
  async crash(options, tell) {
    const { runCrash } = await import('./crash-run.ts')
    return runCrash(options, tell)
  },
}

/** What a signal cuts off fails in many ways, none of which is news. */
let interrupted = false

async function main(args: readonly string[]): Promise<void> {
  const { name, options } = parseCommandLine(args, Object.keys(BENCHMARKS))
  const benchmark = BENCHMARKS[name]
  if (benchmark === undefined) throw new UsageError(`there is no benchmark ${name}`)
  const { table, json, failed } = await benchmark(options, console.log)
  console.log(`\n${table}\n`)
  console.log(json)
  if (failed) process.exitCode = 1
}

continueWithOwnNode()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    interrupted = true
  })
await main(process.argv.slice(2)).catch((error: unknown) => {
  process.exitCode = error instanceof UsageError ? 2 : 1
  if (error instanceof UsageError) console.error(`${error.message}\n\n${USAGE}`)
  else if (!interrupted) console.error(error)
})
