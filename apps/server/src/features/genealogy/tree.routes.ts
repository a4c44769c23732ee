import {
  treeMember,
  treeNode,
  treePath,
  treePathQuery,
  treeQuery,
  treeSearch,
  treeSearchQuery,
} from '@aval/contract'
import { z } from 'zod'
import { route, routes } from '../../http/route.ts'
import { presentNodes, presentPath, presentSearch, presentSheet } from './tree.presenter.ts'
import { readMember, readPath, readTree, searchTree } from './tree.queries.ts'

const member = { access: 'member', tags: ['genealogy'] } as const

const treeRoute = route({
  ...member,
  method: 'GET',
  path: '/tree/get-binary-tree/',
  operationId: 'readTree',
  summary: "The caller's tree or a part of it, breadth first, or a page of a member's children",
  query: treeQuery,
  response: { 200: z.array(treeNode) },
  refuses: ['not_found'],
  handler: async ({ query }, call) => {
    const nodes = await readTree(call.db, call.caller.memberId, query, await call.now())
    // Children are shown with their parent, which is in the caller's downline.
    const topId = query.children_of === undefined ? (nodes[0]?.id ?? null) : null
    return presentNodes(nodes, topId, call.config.publicUrl)
  },
})

const searchRoute = route({
  ...member,
  method: 'GET',
  path: '/tree/search/',
  operationId: 'searchTree',
  summary: "Members of the caller's downline by name, username or e-mail",
  query: treeSearchQuery,
  response: { 200: treeSearch },
  handler: async ({ query: { q, view } }, { db, caller }) =>
    presentSearch(await searchTree(db, caller.memberId, view, q)),
})

const pathRoute = route({
  ...member,
  method: 'GET',
  path: '/tree/path/',
  operationId: 'readTreePath',
  summary: 'The path from the caller down to a member',
  query: treePathQuery,
  response: { 200: treePath },
  refuses: ['not_found'],
  handler: async ({ query }, call) => {
    const path = await readPath(call.db, call.caller.memberId, query, await call.now())
    return presentPath(path, call.config.publicUrl)
  },
})

const memberRoute = route({
  ...member,
  method: 'GET',
  path: '/tree/members/:id/',
  operationId: 'readTreeMember',
  summary: "One member of the caller's downline",
  params: z.object({ id: z.string() }),
  response: { 200: treeMember },
  refuses: ['not_found'],
  handler: async ({ params }, { db, caller, config }) =>
    presentSheet(await readMember(db, caller.memberId, params.id), config.publicUrl),
})

export const treeRoutes = routes(treeRoute, searchRoute, pathRoute, memberRoute)
