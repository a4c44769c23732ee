import * as contract from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../../core/ids.ts'
import { Refusal } from '../../../core/refusal.ts'
import { route, routes } from '../../../http/route.ts'
import { askForPreview } from './previews.commands.ts'
import { type StoredPreview, selectPreview } from './previews.sql.ts'

const operator = { access: 'operator', tags: ['operator'] } as const
/** Bytes. A plan takes one or two thousand. */
const PLAN_LIMIT = 65_536

async function readPreview(
  db: Parameters<typeof selectPreview>[0],
  key: string,
): Promise<contract.PlanPreview> {
  const id = readId(key)
  const sha256 = /^[0-9a-f]{64}$/.test(key) ? key : null
  const found =
    sha256 !== null
      ? await selectPreview(db, { sha256 })
      : id === null
        ? undefined
        : await selectPreview(db, { id })
  if (found === undefined) throw new Refusal('plan_preview_not_found')
  return present(found)
}

function present({ id, done, total, asked_by, asked_at, finished_at, result, ...stored }: StoredPreview) {
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
    call: 'POST /operator/plans/previews/',
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
      return readPreview(call.tx, String(id))
    },
  }),
  readPlanPreview: route({
    ...operator,
    call: 'GET /operator/plans/previews/:key/',
    ability: 'plan.read',
    summary: 'What a plan would have paid, by the number of its preview or the SHA-256 of its document',
    params: z.object({ key: z.string() }),
    response: { 200: contract.planPreview },
    refuses: ['plan_preview_not_found'],
    handler: ({ params }, call) => readPreview(call.db, params.key),
  }),
})
