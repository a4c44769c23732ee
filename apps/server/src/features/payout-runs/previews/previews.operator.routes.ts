import * as contract from '@aval/contract'
import { z } from 'zod'
import { operator, route, routes } from '../../../http/route.ts'
import { askForPreview } from './previews.commands.ts'
import { type AskedPreview, readPreview } from './previews.queries.ts'

/** Bytes. A plan takes one or two thousand. */
const PLAN_LIMIT = 65_536

function present({ id, done, total, asked_by, asked_at, finished_at, result, ...stored }: AskedPreview) {
  return {
    ...stored,
    id: Number(id),
    asked_by: asked_by ?? '',
    asked_at: asked_at.toISOString(),
    progress: { done, total },
    finished_at: finished_at?.toISOString() ?? null,
    result: contract.planPreview.shape.result.parse(result),
  }
}

export const previewsOperatorRoutes = routes({
  previewPlan: route({
    ...operator,
    call: 'POST /operator/plan-previews/',
    ability: 'plan.propose',
    summary: 'Computes what a plan would have paid instead of the present one; writes no payment',
    stepUp: 'none',
    body: contract.planPreviewBody,
    bodyLimit: PLAN_LIMIT,
    response: { 200: contract.planPreview },
    transaction: 'idempotent',
    refuses: ['plan_refused'],
    handler: async ({ body: { document } }, call) => {
      const operatorId = call.caller.memberId
      const id = await askForPreview(call.tx, { document, operatorId, now: await call.now() })
      return present(await readPreview(call.tx, String(id)))
    },
  }),
  readPlanPreview: route({
    ...operator,
    call: 'GET /operator/plan-previews/:key/',
    ability: 'plan.read',
    summary: 'What a plan would have paid, by the number of its preview or the SHA-256 of its document',
    params: z.object({ key: z.string() }),
    response: { 200: contract.planPreview },
    refuses: ['plan_preview_not_found'],
    handler: async ({ params }, call) => present(await readPreview(call.db, params.key)),
  }),
})
