/** `npm run bench -- crash`: the crash test at full size, in a cluster of its own. */
import { openCluster } from './cluster.ts'
import { crashTest } from './crash.ts'
import type { PayoutsOptions } from './options.ts'
import { loadInChild } from './payouts.ts'
import { msSince } from './timing.ts'

/** Long enough that some pieces are finished, short enough that most workers die in the middle of one. */
const LONGEST_LIFE_MS = 200

export async function runCrash(options: PayoutsOptions, tell: (line: string) => void) {
  const cluster = await openCluster(options)
  try {
    await loadInChild(cluster, options)
    const begun = performance.now()
    const { kills, differences, fingerprints } = await crashTest({
      ...cluster,
      copyName: 'aval_disturbed',
      kills: options.kills,
      longestLife: LONGEST_LIFE_MS,
      seed: options.seed,
      tell,
    })
    const same = differences.length === 0
    const lines = Object.entries(fingerprints).map(([table, print]) => `${table.padEnd(12)}${print}`)
    const verdict = same ? 'nothing differs' : `these differ: ${differences.join(', ')}`
    const { members, shape, seed } = options
    return {
      table: [...lines, `${kills} workers killed with -9: ${verdict}`].join('\n'),
      json: JSON.stringify({
        benchmark: 'crash',
        members,
        shape,
        seed,
        kills,
        differences,
        ms: Math.round(msSince(begun)),
      }),
      failed: !same,
    }
  } finally {
    await cluster.stop()
  }
}
