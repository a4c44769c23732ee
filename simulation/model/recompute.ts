/** Runs computed again when everything has moved on. */
import type { Database, Db } from '@aval/db'
import { sql } from 'kysely'
import { computeDirect } from '../../apps/server/src/features/payout-runs/calculate/calculate.commands.ts'
import { inputHash } from '../../apps/server/src/features/payout-runs/pay/pay.commands.ts'
import { replayRun } from '../../apps/server/src/features/payout-runs/replay/replay.queries.ts'
import { selectRun } from '../../apps/server/src/features/payout-runs/runs/runs.sql.ts'

/** From how many investments on there are many: from one, or never. */
const WAYS = [1, 1_000_000]

type Row = readonly (string | number | bigint | null)[]

/** The runs that their replay finds to differ, a sentence each. */
export async function replayAll(db: Database): Promise<string[]> {
  const found: string[] = []
  for (const { id } of await db.selectFrom('payout_run').select('id').orderBy('id').execute()) {
    const replay = await replayRun(db, id)
    if (replay?.verdict === 'matches') continue
    const { kind, period, inputs, differences } = replay ?? {}
    const what = [...(inputs ?? []), ...(differences ?? []).map((one) => Object.values(one).join(' '))]
    found.push(`${kind} run ${period} does not replay: ${what.join('; ')}`)
  }
  return found
}

/**
 * The direct runs that come to something else now, a sentence each, both by reading chain by chain and by reading the
 * whole network at once.
 */
export async function recomputeDirect(db: Db): Promise<string[]> {
  const found: string[] = []
  for (const { id } of await db
    .selectFrom('payout_run')
    .select('id')
    .where('kind', '=', 'direct')
    .execute()) {
    const run = await selectRun(db, id)
    if (run === undefined) throw new Error(`run ${id} is gone`)
    for (const many of WAYS) {
      const { items, missed, sections } = await computeDirect(db, run, many)
      if (inputHash(run, sections) !== run.input_hash)
        found.push(`direct run ${run.period} reads other inputs when it reads them again`)
      const rows = [
        ...items.map(
          (i): Row => [i.memberId, i.leg, i.kind, i.amount, i.percentage, i.level, i.investmentId],
        ),
        ...missed.map((m): Row => [m.memberId, m.leg, m.kind, m.amount, m.reason, m.level, m.investmentId]),
      ]
      if (asLines(rows) !== (await storedLines(db, id)))
        found.push(`direct run ${run.period} comes to something else when it is computed again`)
    }
  }
  return found
}

const asLines = (rows: readonly Row[]) => rows.map((row) => row.join('|')).join('\n')

async function storedLines(db: Db, runId: bigint): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    SELECT array_to_string(ARRAY[member_id::text, leg::text, kind::text, amount::text, more, level::text, investment_id::text], '|', '') AS line
    FROM (SELECT 1 AS part, member_id, leg, kind, amount, percentage::text AS more, level, investment_id FROM payout_item WHERE run_id = ${runId}
      UNION ALL SELECT 2, member_id, leg, kind, amount, reason::text, level, investment_id FROM payout_missed WHERE run_id = ${runId}) line
    ORDER BY part, member_id, leg`.execute(db)
  return rows.map(({ line }) => line).join('\n')
}
