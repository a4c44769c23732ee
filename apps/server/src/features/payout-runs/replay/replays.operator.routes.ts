import * as contract from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../../core/ids.ts'
import { say } from '../../../core/messages.ts'
import { Refusal } from '../../../core/refusal.ts'
import { operator, operatorAct, route, routes } from '../../../http/route.ts'
import { askForReplay } from './replays.commands.ts'
import { type AskedReplay, replaysOf } from './replays.queries.ts'

const params = z.object({ id: z.string() })

export const replaysOperatorRoutes = routes({
  listReplays: route({
    ...operator,
    call: 'GET /operator/runs/:id/replays/',
    ability: 'runs.read',
    summary: 'How often a run was computed again, the last ten times first, and what came out',
    params,
    response: { 200: z.array(contract.runReplay) },
    refuses: ['run_not_found'],
    handler: async ({ params }, call) => {
      const id = readId(params.id)
      if (id === null) throw new Refusal('run_not_found')
      return (await replaysOf(call.db, id)).map(present)
    },
  }),
  replayRun: route({
    ...operatorAct,
    call: 'POST /operator/runs/:id/replays/',
    ability: 'runs.read',
    summary: 'Has a run computed again, to compare it with what was sealed; changes nothing of it',
    // It is computed beside everything else, and writes only that it was.
    stepUp: 'none',
    params,
    audit: { action: 'run.replay' },
    refuses: ['run_not_found', 'replay_waits'],
    handler: async ({ params }, call) => {
      await askForReplay(call.tx, readId(params.id), call.caller.memberId, await call.now())
      return { message: say(call.locale, 'run_replay_asked') }
    },
  }),
})

function present({
  id,
  run_id: _,
  done,
  total,
  asked_by,
  asked_at,
  finished_at,
  result,
  ...stored
}: AskedReplay) {
  return {
    ...stored,
    id: Number(id),
    asked_by: asked_by ?? '',
    asked_at: asked_at.toISOString(),
    progress: { done, total },
    finished_at: finished_at?.toISOString() ?? null,
    result: contract.runReplay.shape.result.parse(result),
  }
}
