/** The trees below one member, as operators see them: as the member does, with every place, and nothing that is above. */
import * as contract from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../core/ids.ts'
import type { OperatorCall } from '../../http/call.ts'
import { route, routes } from '../../http/route.ts'
import { presentNodes, presentPath } from '../genealogy/tree.presenter.ts'
import { readPath, readTree } from '../genealogy/tree.queries.ts'
import { requireMember } from './file.queries.ts'

const below = {
  access: 'operator',
  ability: 'members.read',
  tags: ['operator'],
  params: z.object({ id: z.string() }),
  replica: true,
  refuses: ['member_not_found', 'not_found'],
} as const

const shownTo = ({ config, locale }: OperatorCall) => ({ publicUrl: config.publicUrl, locale })

export const treesOperatorRoutes = routes({
  readTreeOfMember: route({
    ...below,
    call: 'GET /operator/members/:id/tree/',
    summary: 'The tree below a member or a part of it, breadth first, or a page of somebody’s children',
    query: contract.treeQuery,
    response: { 200: z.array(contract.treeNode) },
    handler: async ({ params, query }, call) => {
      const { id } = await requireMember(call.db, readId(params.id))
      const nodes = await readTree(call.db, id, query, await call.now())
      const topId = query.children_of === undefined ? (nodes[0]?.id ?? null) : null
      return presentNodes(nodes, topId, shownTo(call))
    },
  }),
  readPathBelowMember: route({
    ...below,
    call: 'GET /operator/members/:id/tree/path/',
    summary: 'The path from a member down to another one',
    query: contract.treePathQuery,
    response: { 200: contract.treePath },
    handler: async ({ params, query }, call) => {
      const { id } = await requireMember(call.db, readId(params.id))
      return presentPath(await readPath(call.db, id, query, await call.now()), shownTo(call))
    },
  }),
})
