/**
 * `npm run simulate -- --seeds N [--from S] [--steps K] [--trace]`: random histories in one process, audited after every step.
 * `npm run simulate -- --processes deposits|withdrawals|payout-runs|restores|lost-disk`: real processes, killed with -9, and audited. Deposits are
 * disturbed `--kills` times at random moments, then at every step of an invoice that is paid in parts.
 * `--processes restores` restores a backup after money went out, and looks that none of it goes out again; `lost-disk` takes the database's
 * folder away in the middle of work, `--rounds` of payments to six members, and restores it from the backup and the shipped log.
 * Ends with a line of JSON; the exit code is 1 when the audit finds a fault.
 */
import { parseArgs } from 'node:util'
import { startEphemeral } from '../db/src/ephemeral.ts'
import { lineOf, Refusal } from '../tools/core/refusal.ts'
import { continueWithOwnNode } from '../tools/runtime.ts'

/** With their defaults; of a scenario those it does not name are ignored. */
const OPTIONS = {
  seeds: { type: 'string', default: '200' },
  from: { type: 'string', default: '1' },
  steps: { type: 'string', default: '45' },
  trace: { type: 'boolean', default: false },
  processes: { type: 'string' },
  kills: { type: 'string', default: '50' },
  rounds: { type: 'string', default: '1' },
  members: { type: 'string', default: '100000' },
  seed: { type: 'string', default: '1' },
} as const
type Values = ReturnType<typeof readOptions>

/** Long enough that some batches are finished, short enough that most workers die in the middle of one. */
const longestLife = 200

interface Result {
  readonly faults: readonly string[]
}

function readOptions() {
  const { values } = parseArgs({ options: OPTIONS })
  const whole = (name: 'seeds' | 'from' | 'steps' | 'kills' | 'rounds' | 'members' | 'seed') => {
    if (!/^\d{1,8}$/.test(values[name])) throw new Refusal(`--${name} takes a whole number.`)
    return Number.parseInt(values[name], 10)
  }
  return {
    ...values,
    seeds: whole('seeds'),
    from: whole('from'),
    steps: whole('steps'),
    kills: whole('kills'),
    rounds: whole('rounds'),
    members: whole('members'),
    seed: whole('seed'),
  }
}

const say = (line: string) => console.log(line)

async function onCluster(work: (adminUrl: string) => Promise<Result>): Promise<Result> {
  const cluster = await startEphemeral()
  return work(cluster.url).finally(() => cluster.stop())
}

/** Loaded when asked for: each needs another part of the product. */
const SCENARIOS: Readonly<Record<string, (values: Values) => Promise<Result>>> = {
  async deposits(values) {
    const [{ runDeposits }, { runInvoices }] = await Promise.all([
      import('./processes/deposits.ts'),
      import('./processes/invoice-kills.ts'),
    ])
    const atAnyTime = await runDeposits({ ...values, say })
    const atEveryStep = await runInvoices({ say })
    return { atAnyTime, atEveryStep, faults: [...atAnyTime.faults, ...atEveryStep.faults] }
  },
  async withdrawals(values) {
    const { runWithdrawals } = await import('./processes/withdrawals.ts')
    return runWithdrawals({ ...values, say })
  },
  async restores() {
    const { runRestore } = await import('./processes/restores.ts')
    return runRestore({ say })
  },
  async 'lost-disk'(values) {
    const { runLostDisk } = await import('./processes/lost-disk.ts')
    return runLostDisk({ ...values, say })
  },
  async 'payout-runs'(values) {
    const { runPayoutRuns } = await import('./processes/payout-runs.ts')
    return onCluster((adminUrl) => runPayoutRuns(adminUrl, { ...values, longestLife, say }))
  },
}

async function simulateSeeds(adminUrl: string, { seeds, from, steps, trace }: Values) {
  const [{ addReached, runSeed }, { makeTemplate }] = await Promise.all([
    import('./run.ts'),
    import('./template.ts'),
  ])
  const tally = { runs: 0, steps: 0, crashes: 0 }
  const reached: Record<string, number> = {}
  const faults: string[] = []
  const template = await makeTemplate(adminUrl)
  for (let seed = from; seed < from + seeds; seed += 1) {
    const result = await runSeed(template, seed, { steps })
    tally.runs += 1
    tally.steps += result.steps
    tally.crashes += result.crashes
    addReached(reached, result)
    if (trace) say(result.trace.join('\n'))
    if (result.violations.length > 0) {
      faults.push(`seed ${seed}`)
      say(`seed ${seed} (${result.hash}):\n  ${result.violations.join('\n  ')}`)
    } else if (tally.runs % 100 === 0) say(`${tally.runs} of ${seeds}`)
  }
  await template.drop()
  return { ...tally, reached, faults }
}

async function main(): Promise<void> {
  const values = readOptions()
  const scenario = SCENARIOS[values.processes ?? '']
  if (scenario === undefined && values.processes !== undefined)
    throw new Refusal(`--processes takes one of ${Object.keys(SCENARIOS).join(', ')}.`)
  const began = Date.now()
  const result = await (scenario?.(values) ?? onCluster((adminUrl) => simulateSeeds(adminUrl, values)))
  say(JSON.stringify({ ...result, seconds: (Date.now() - began) / 1000 }))
  process.exitCode = result.faults.length === 0 ? 0 : 1
}

continueWithOwnNode()
await main().catch((error: unknown) => {
  console.error(error instanceof Refusal ? lineOf(error) : error)
  process.exitCode = 1
})
