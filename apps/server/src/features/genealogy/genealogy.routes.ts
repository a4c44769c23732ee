import * as contract from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../core/ids.ts'
import { say } from '../../core/messages.ts'
import type { MemberCall } from '../../http/call.ts'
import { presentList, readPage } from '../../http/paging.ts'
import { route, routes } from '../../http/route.ts'
import { activateMaster, setPlacementSide } from './genealogy.commands.ts'
import { findPlacementSide } from './genealogy.queries.ts'
import { listReferrals } from './referrals.queries.ts'
import { presentNodes, presentPath, presentSearch, presentSheet } from './tree.presenter.ts'
import { readMember, readPath, readTree, searchTree } from './tree.queries.ts'

const member = { access: 'member', tags: ['genealogy'] } as const

const shownTo = ({ config, locale }: MemberCall) => ({ publicUrl: config.publicUrl, locale })

export const genealogyRoutes = routes({
  activateMasterCode: route({
    ...member,
    call: 'POST /tree/get-referrals/:id/activate-master-code/',
    summary: 'Makes a direct referral a master, for good',
    params: z.object({ id: z.string() }),
    response: { 200: contract.messageObject },
    transaction: 'idempotent',
    refuses: ['not_fundator', 'referral_not_found', 'master_already', 'too_many_masters'],
    handler: async ({ params }, call) => {
      // No member has the number 0; who is no fundator is refused for that first.
      await activateMaster(call.tx, call.caller.memberId, readId(params.id) ?? 0n, await call.now())
      return { message: say(call.locale, 'master_activated') }
    },
  }),
  listReferrals: route({
    ...member,
    call: 'GET /tree/get-referrals/',
    replica: true,
    summary:
      'The members whom the caller introduced, newest first, with what they invested, brought and earned the caller',
    query: contract.referralQuery,
    response: { 200: contract.pageOf(contract.referral) },
    refuses: ['too_many_referrals'],
    handler: async ({ query }, call) => {
      const wanted = {
        ...readPage(query),
        status: query.status,
        q: query.q,
        order: query.sort,
        locale: call.locale,
      }
      return presentList(call, query, await listReferrals(call.db, call.caller.memberId, wanted))
    },
  }),
  readPlacementSide: route({
    ...member,
    call: 'GET /tree/placement-side/',
    summary: "On which side of the binary tree the caller's next referrals are placed",
    response: { 200: contract.placementSide },
    handler: async (_input, { db, caller }) => ({ side: await findPlacementSide(db, caller.memberId) }),
  }),
  setPlacementSide: route({
    ...member,
    call: 'POST /tree/placement-side/',
    summary: 'Sets it, from the next registration on; nobody who has a place moves',
    body: contract.placementSide,
    response: { 200: contract.messageObject },
    handler: async ({ body: { side } }, { db, caller, locale }) => {
      await setPlacementSide(db, caller.memberId, side)
      return { message: say(locale, `placement_side_${side}`) }
    },
  }),
  readTree: route({
    ...member,
    call: 'GET /tree/get-binary-tree/',
    replica: true,
    summary: "The caller's tree or a part of it, breadth first, or a page of a member's children",
    query: contract.treeQuery,
    response: { 200: z.array(contract.treeNode) },
    refuses: ['not_found'],
    handler: async ({ query }, call) => {
      const nodes = await readTree(call.db, call.caller.memberId, query, await call.now())
      // Children are shown with their parent, which is in the caller's downline.
      const topId = query.children_of === undefined ? (nodes[0]?.id ?? null) : null
      return presentNodes(nodes, topId, shownTo(call))
    },
  }),
  searchTree: route({
    ...member,
    call: 'GET /tree/search/',
    replica: true,
    summary: "Members of the caller's downline by name, username or e-mail",
    query: contract.treeSearchQuery,
    response: { 200: contract.treeSearch },
    handler: async ({ query: { q, view } }, { db, caller, locale }) =>
      presentSearch(await searchTree(db, caller.memberId, view, q), locale),
  }),
  readTreePath: route({
    ...member,
    call: 'GET /tree/path/',
    replica: true,
    summary: 'The path from the caller down to a member',
    query: contract.treePathQuery,
    response: { 200: contract.treePath },
    refuses: ['not_found'],
    handler: async ({ query }, call) => {
      const path = await readPath(call.db, call.caller.memberId, query, await call.now())
      return presentPath(path, shownTo(call))
    },
  }),
  readTreeMember: route({
    ...member,
    call: 'GET /tree/members/:id/',
    replica: true,
    summary: "One member of the caller's downline",
    params: z.object({ id: z.string() }),
    response: { 200: contract.treeMember },
    refuses: ['not_found'],
    handler: async ({ params }, call) =>
      presentSheet(await readMember(call.db, call.caller.memberId, params.id), shownTo(call)),
  }),
})
