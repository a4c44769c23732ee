/** `npm run bench -- <benchmark>`: measures the product at sizes that no test reaches. */
import { continueWithOwnNode } from '../tools/runtime.ts'
import { CHAIN_USAGE, type ChainOptions, parseChainOptions } from './chain-options.ts'
import { type PayoutsOptions, parseCommandLine, USAGE, UsageError } from './options.ts'

interface Outcome {
  readonly table: string
  /** One line. */
  readonly json: string
  /** Something was found that must not be: the exit code says so. */
  readonly failed: boolean
}

type ChainBenchmark = (options: ChainOptions, tell: (line: string) => void) => Promise<Outcome>

/** Those that need a chain instead of a network of members. */
const CHAIN_BENCHMARKS: Readonly<Record<string, ChainBenchmark>> = {
  async catchup(options, tell) {
    const { runCatchup } = await import('./catchup.ts')
    return outcomeOf(await runCatchup(options, tell))
  },
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
  async genealogy(options, tell) {
    const { runGenealogy, tableOf, jsonOf } = await import('./genealogy.ts')
    const result = await runGenealogy(options, tell)
    return { table: tableOf(result), json: jsonOf(result), failed: false }
  },
  async withdrawals(options, tell) {
    const [{ runWithdrawals }, { jsonOf, tableOf }] = await Promise.all([
      import('./withdrawals.ts'),
      import('./withdrawals-report.ts'),
    ])
    const result = await runWithdrawals(options, tell)
    return { table: tableOf(result), json: jsonOf(result), failed: result.faults.length > 0 }
  },
}

/** What a signal cuts off fails in many ways, none of which is news. */
let interrupted = false

function outcomeOf(result: object): Outcome {
  const lines = Object.entries(result).map(([name, value]) => `${name.padEnd(24)}  ${JSON.stringify(value)}`)
  return { table: lines.join('\n'), json: JSON.stringify(result), failed: false }
}

/** Those that measure pages in a browser, and take no options. */
const BROWSER_BENCHMARKS: Readonly<Record<string, () => Promise<Outcome>>> = {
  async pages() {
    const { pagesTable, runPages } = await import('./pages.ts')
    const results = await runPages(console.log)
    return { table: pagesTable(results), json: JSON.stringify(results), failed: false }
  },
  async tree() {
    const { runTree, treeTable } = await import('./tree.ts')
    const results = await runTree(console.log)
    return { table: treeTable(results), json: JSON.stringify(results), failed: false }
  },
}

async function run(args: readonly string[]): Promise<Outcome> {
  const [first = '', ...rest] = args
  const onChain = CHAIN_BENCHMARKS[first]
  const inBrowser = BROWSER_BENCHMARKS[first]
  if (inBrowser !== undefined) {
    if (rest.length > 0) throw new UsageError(`${first} takes no options`)
    return inBrowser()
  }
  if (onChain !== undefined) return onChain(parseChainOptions(rest), console.log)
  const { name, options } = parseCommandLine(args, [
    ...Object.keys(BENCHMARKS),
    ...Object.keys(CHAIN_BENCHMARKS),
    ...Object.keys(BROWSER_BENCHMARKS),
  ])
  const benchmark = BENCHMARKS[name]
  if (benchmark === undefined) throw new UsageError(`${name} comes first, before its options`)
  return benchmark(options, console.log)
}

async function main(args: readonly string[]): Promise<void> {
  const { table, json, failed } = await run(args)
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
  if (error instanceof UsageError) console.error(`${error.message}\n\n${USAGE}\n${CHAIN_USAGE}`)
  else if (!interrupted) console.error(error)
})
