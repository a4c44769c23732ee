/**
 * Computes sealed runs again on the database of DATABASE_URL, changing nothing: `replay.ts <run id>… | --all`. Exit code 0
 * when all come out as they were sealed, 1 when one differs, 2 for a run that is not there.
 */
import { parseArgs } from 'node:util'
import { connect, type Database } from '@aval/db'
import { formatMicro } from '@aval/money'
import { readDatabaseUrl } from '../config.ts'
import { inPages } from '../core/isolated.ts'
import { type Replay, replayRun, runIds } from '../features/payout-runs/replay/replay.queries.ts'
import type { Difference } from '../features/payout-runs/replay/replay.rules.ts'

function sentence({ memberId, of, field, sealed, recomputed }: Difference): string {
  const whose = memberId === null ? of : `member ${memberId}, ${of}`
  return `${whose}: ${field} sealed ${sealed ?? 'as none'}, recomputed ${recomputed ?? 'as none'}`
}

function lines(replay: Replay, milliseconds: number): string[] {
  const { runId, kind, period, state } = replay
  const name = `run ${runId} ${kind} ${period}${state === 'done' ? '' : ` (${state})`}`
  if (replay.verdict === 'unsealed') return [`${name}: not sealed yet`]
  const verdict = `${replay.verdict}${replay.itemsOnly ? ' (items only: from before inputs were kept)' : ''}`
  const figures = `${replay.count} items, ${formatMicro(replay.sum)} USDT, ${milliseconds.toFixed(0)} ms`
  return [
    `${name}: ${figures}, ${verdict}`,
    ...replay.inputs.map((difference) => `  input ${difference}`),
    ...replay.differences.map((difference) => `  ${sentence(difference)}`),
    ...(replay.more > 0 ? [`  and ${replay.more} more`] : []),
  ]
}

/** Prints each and then the sum of it; answers the exit code. */
async function replayAll(db: Database, ids: AsyncIterable<bigint> | Iterable<bigint>): Promise<number> {
  const counts = { matches: 0, differs: 0, unsealed: 0 }
  let [itemsOnly, missing] = [0, 0]
  for await (const id of ids) {
    const started = performance.now()
    const replay = await replayRun(db, id)
    if (replay === undefined) {
      missing += 1
      console.error(`There is no run ${id}.`)
      continue
    }
    counts[replay.verdict] += 1
    if (replay.itemsOnly) itemsOnly += 1
    console.log(lines(replay, performance.now() - started).join('\n'))
  }
  const { matches, differs, unsealed } = counts
  console.log(
    `Replayed ${matches + differs}: ${matches} match, ${differs} differ` +
      `${itemsOnly > 0 ? `; of ${itemsOnly} from before, items only` : ''}${unsealed > 0 ? `; ${unsealed} not sealed yet` : ''}`,
  )
  return differs > 0 ? 1 : missing > 0 ? 2 : 0
}

/** Null where it cannot be understood what is wanted. */
function wanted(): { all: boolean; ids: bigint[] } | null {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { all: { type: 'boolean', default: false } },
    })
    if (values.all === positionals.length > 0) return null
    if (!positionals.every((text) => /^[1-9]\d{0,17}$/.test(text))) return null
    return { all: values.all, ids: positionals.map(BigInt) }
  } catch {
    return null
  }
}

const asked = wanted()
if (asked === null) {
  console.error('Say which: npm run replay -- <run id> … or npm run replay -- --all')
  process.exit(2)
}
const connection = connect(readDatabaseUrl(), 1, 'aval-replay')
try {
  const all = inPages(
    (after, limit) => runIds(connection.db, after, limit),
    (id) => id,
  )
  process.exitCode = await replayAll(connection.db, asked.all ? all : asked.ids)
} finally {
  await connection.close()
}
