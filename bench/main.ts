/** `npm run bench -- <benchmark>`: measures the product at sizes that no test reaches. */
import { continueWithOwnNode } from '../tools/runtime.ts'
import {
  nameOf,
  parseChainOptions,
  parseConsoleOptions,
  parseEventsOptions,
  parseHostileOptions,
  parseNoOptions,
  parsePayoutsOptions,
  parseYearsOptions,
  USAGE,
  UsageError,
} from './options.ts'
import { jsonLine, type Outcome } from './report.ts'

const tell = (line: string) => console.log(line)

/** Loaded when asked for: a wrong argument is reported at once, and no benchmark holds another's memory. */
const BENCHMARKS: Readonly<Record<string, (args: readonly string[]) => Promise<Outcome>>> = {
  async payouts(args) {
    const options = parsePayoutsOptions(args)
    return (await import('./payouts.ts')).runPayouts(options, tell)
  },
  async years(args) {
    const options = parseYearsOptions(args)
    return (await import('./years.ts')).runYears(options, tell)
  },
  async genealogy(args) {
    const options = parsePayoutsOptions(args, { members: '1000000' })
    return (await import('./genealogy.ts')).runGenealogy(options, tell)
  },
  async withdrawals(args) {
    // A member asks for one withdrawal; there are no others unless they are asked for.
    const options = parsePayoutsOptions(args, { members: '100' })
    return (await import('./withdrawals.ts')).runWithdrawals(options, tell)
  },
  async catchup(args) {
    const options = parseChainOptions(args)
    return (await import('./catchup.ts')).runCatchup(options, tell)
  },
  async events(args) {
    const options = parseEventsOptions(args)
    return (await import('./events.ts')).runEvents(options, tell)
  },
  async apis(args) {
    const options = parsePayoutsOptions(args, { members: '10000' })
    return (await import('./apis.ts')).runApis(options, tell)
  },
  async backup(args) {
    const options = parsePayoutsOptions(args, { members: '4500000' })
    return (await import('./backup.ts')).runBackup({ ...options, thin: false }, tell)
  },
  async hostile(args) {
    const options = parseHostileOptions(args)
    return (await import('./hostile.ts')).runHostile(options, tell)
  },
  async pages(args) {
    parseNoOptions(args)
    return (await import('./pages.ts')).runPages(tell)
  },
  async console(args) {
    const options = parseConsoleOptions(args)
    return (await import('./console.ts')).runConsole(options, tell)
  },
  async tree(args) {
    parseNoOptions(args)
    return (await import('./tree.ts')).runTree(tell)
  },
}

async function main(args: readonly string[]): Promise<void> {
  const { name, rest } = nameOf(args, Object.keys(BENCHMARKS))
  const outcome = await BENCHMARKS[name]?.(rest)
  if (outcome === undefined) return
  console.log(`\n${outcome.table}\n\n${jsonLine(outcome.figures)}`)
  if (outcome.failed) process.exitCode = 1
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
