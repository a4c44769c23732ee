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
import { callerOf } from '../../http/access.ts'
import type { FeatureRoutes } from '../../http/api.ts'
import { readMember, readPath, readTree, searchTree } from './tree.commands.ts'
import { presentNodes, presentPath, presentSearch, presentSheet } from './tree.presenter.ts'

const config = { access: 'member' } as const
const tags = ['genealogy']

export const treeRoutes: FeatureRoutes = (api, { db, clock, config: { publicUrl } }) => {
  api.get(
    '/tree/get-binary-tree/',
    {
      config,
      schema: {
        tags,
        summary: "The caller's tree or a part of it, breadth first, or a page of somebody's children",
        querystring: treeQuery,
        response: { 200: z.array(treeNode) },
      },
    },
    async (request) => {
      const { query } = request
      const nodes = await readTree(db, callerOf(request).memberId, query, await clock.now())
      // Children are told with whom they belong to, who is in the caller's downline.
      const topId = query.children_of === undefined ? (nodes[0]?.id ?? null) : null
      return presentNodes(nodes, topId, publicUrl)
    },
  )

  api.get(
    '/tree/search/',
    {
      config,
      schema: {
        tags,
        summary: "Members of the caller's downline by name, username or e-mail",
        querystring: treeSearchQuery,
        response: { 200: treeSearch },
      },
    },
    async (request) => {
      const { q, view } = request.query
      return presentSearch(await searchTree(db, callerOf(request).memberId, view, q))
    },
  )

  api.get(
    '/tree/path/',
    {
      config,
      schema: {
        tags,
        summary: 'The way from the caller down to a member',
        querystring: treePathQuery,
        response: { 200: treePath },
      },
    },
    async (request) => {
      const { memberId } = callerOf(request)
      return presentPath(await readPath(db, memberId, request.query, await clock.now()), publicUrl)
    },
  )

  api.get(
    '/tree/members/:id/',
    {
      config,
      schema: {
        tags,
        summary: "One member of the caller's downline",
        params: z.object({ id: z.string() }),
        response: { 200: treeMember },
      },
    },
    async (request) =>
      presentSheet(await readMember(db, callerOf(request).memberId, request.params.id), publicUrl),
  )
}
