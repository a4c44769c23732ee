/** `npm run bench -- <benchmark>`: measures the product at sizes that no test reaches. */
import { continueWithOwnNode } from '../tools/runtime.ts'
import {
  nameOf,
  parseChainOptions,
  parseNoOptions,
  parsePayoutsOptions,
  USAGE,
  UsageError,
} from './options.ts'

interface Outcome {
  readonly table: string
  /** One line. */
  readonly json: string
  /** Something was found that must not be: the exit code says so. */
  readonly failed?: boolean
}

const tell = (line: string) => console.log(line)

/** Loaded when asked for: a wrong argument is told at once, and no benchmark holds another's memory. */
const BENCHMARKS: Readonly<Record<string, (args: readonly string[]) => Promise<Outcome>>> = {
  async payouts(args) {
    const options = parsePayoutsOptions(args)
    const [{ runPayouts }, { jsonOf, tableOf }] = await Promise.all([
      import('./payouts.ts'),
      import('./payouts-report.ts'),
    ])
    const result = await runPayouts(options, tell)
    return { table: tableOf(result), json: jsonOf(result), failed: (result.faults ?? []).length > 0 }
  },
  async genealogy(args) {
    const options = parsePayoutsOptions(args, { members: '1000000' })
    const { runGenealogy, tableOf, jsonOf } = await import('./genealogy.ts')
    const result = await runGenealogy(options, tell)
    return { table: tableOf(result), json: jsonOf(result) }
  },
  async withdrawals(args) {
    // A member asks for one withdrawal; there are no others unless they are asked for.
    const options = parsePayoutsOptions(args, { members: '100' })
    const [{ runWithdrawals }, { jsonOf, tableOf }] = await Promise.all([
      import('./withdrawals.ts'),
      import('./withdrawals-report.ts'),
    ])
    const result = await runWithdrawals(options, tell)
    return { table: tableOf(result), json: jsonOf(result), failed: result.faults.length > 0 }
  },
  async catchup(args) {
    const options = parseChainOptions(args)
    const { runCatchup } = await import('./catchup.ts')
    const result = await runCatchup(options, tell)
    const lines = Object.entries(result).map(
      ([name, value]) => `${name.padEnd(24)}  ${JSON.stringify(value)}`,
    )
    return { table: lines.join('\n'), json: JSON.stringify(result) }
  },
  async pages(args) {
    parseNoOptions(args)
    const { pagesTable, runPages } = await import('./pages.ts')
    const results = await runPages(tell)
    return { table: pagesTable(results), json: JSON.stringify(results) }
  },
  async tree(args) {
    parseNoOptions(args)
    const { runTree, treeTable } = await import('./tree.ts')
    const results = await runTree(tell)
    return { table: treeTable(results), json: JSON.stringify(results) }
  },
}

async function main(args: readonly string[]): Promise<void> {
  const { name, rest } = nameOf(args, Object.keys(BENCHMARKS))
  const outcome = await BENCHMARKS[name]?.(rest)
  console.log(`\n${outcome?.table}\n\n${outcome?.json}`)
  if (outcome?.failed) process.exitCode = 1
}

/** What a signal cuts off fails in many ways, none of which is news. */
let interrupted = false

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
