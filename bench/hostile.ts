/**
 * `npm run bench -- hostile`: an hour of hostile traffic against the API of a public network, with members who want in meanwhile.
 * What the same members take while nobody attacks is measured first, in the same run.
 */
import { openCluster } from './cluster.ts'
import { figuresOf, tableOf } from './hostile-report.ts'
import { runParts, type Timetable } from './hostile-run.ts'
import type { HostileOptions } from './options.ts'
import { machineNow, type Outcome, stagesOf, type Tell } from './report.ts'

const MINUTE = 60_000
const timetableOf = ({ minutes, calls }: HostileOptions): Timetable => ({
  baselineMs: 3 * MINUTE,
  attackMs: minutes * MINUTE,
  baselineEveryMs: 15_000,
  calls,
  attackEveryMs: MINUTE,
  patienceMs: 15 * MINUTE,
})

export async function runHostile(options: HostileOptions, tell: Tell): Promise<Outcome> {
  const { minutes, calls, accounts, addresses } = options
  const crowd = { accounts, addresses, leaked: 20, guarded: 20, scrapers: 1 }
  const machine = machineNow(tell)
  const cluster = await openCluster(options)
  try {
    const run = await runParts(cluster, crowd, timetableOf(options), stagesOf(tell))
    const after = machineNow(() => undefined)
    const figures = figuresOf(run)
    const table = tableOf(figures, crowd, { machine, after })
    return {
      table,
      figures: {
        benchmark: 'hostile',
        ...{ minutes, calls, accounts, addresses },
        ...machine,
        loadAverageAfter: after.loadAverage,
        ...figures,
      },
      failed: figures.failures.length > 0,
    }
  } finally {
    await cluster.stop()
  }
}
