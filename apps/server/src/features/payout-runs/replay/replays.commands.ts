/** A replay by a press: asked for in the console, computed by a job, and kept with who asked for it. */
import { constraintOf, type Database, type Tx } from '@aval/db'
import { formatAmount } from '@aval/money'
import { enqueue } from '../../../core/jobs.sql.ts'
import { Refusal } from '../../../core/refusal.ts'
import { selectRun } from '../runs/runs.sql.ts'
import { type Replay, replayRun } from './replay.queries.ts'
import * as store from './replays.sql.ts'

/** @throws Refusal when there is no such run, or one of it is under way */
export async function askForReplay(
  tx: Tx,
  runId: bigint | null,
  operatorId: bigint,
  now: Date,
): Promise<void> {
  if (runId === null || (await selectRun(tx, runId)) === undefined) throw new Refusal('run_not_found')
  const other = await store.selectUnderWay(tx, runId)
  if (other !== undefined)
    throw new Refusal('replay_waits', { name: other.username ?? '', at: other.asked_at })
  try {
    await store.insertReplay(tx, runId, operatorId, now)
  } catch (error) {
    if (constraintOf(error) !== 'payout_replay_once') throw error
    throw new Refusal('replay_waits', { name: '', at: now })
  }
  await enqueue(tx, 'payout_runs.replay', {}, 'payout_runs.replay')
}

function resultOf({ count, sum, itemsOnly, inputs, differences, more }: Replay) {
  return {
    ...{ count, sum: formatAmount(sum), items_only: itemsOnly, inputs, more },
    differences: differences.map(({ memberId, ...rest }) => ({
      member: memberId === null ? null : Number(memberId),
      ...rest,
    })),
  }
}

/** What is left for another time, so that no job goes on for ever. */
const MOST_REPLAYS = 20

/** Does what is asked for and not finished, also what a killed worker left. */
export async function replayAsked(db: Database, now: Date): Promise<void> {
  for (const { id, run_id: runId } of await store.selectOpenReplays(db, MOST_REPLAYS)) {
    await store.updateReplay(db, id, 0, 1)
    const replay = await replayRun(db, runId, (done, total) => store.updateReplay(db, id, done, total))
    if (replay === undefined) throw new Error(`there is no run ${runId}`)
    await store.finishReplay(db, id, replay.verdict, JSON.stringify(resultOf(replay)), now)
  }
}
