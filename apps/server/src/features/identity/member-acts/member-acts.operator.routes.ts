import * as contract from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../../core/ids.ts'
import { say } from '../../../core/messages.ts'
import type { OperatorCall } from '../../../http/call.ts'
import { operator, route, routes } from '../../../http/route.ts'
import { setFrozen } from '../freezing/freezing.commands.ts'
import { closeForOperator } from '../privacy/closing.commands.ts'
import { costOfExtraPoints, readActs } from './member-acts.queries.ts'
import { proposeExtraPoints, proposeFundator, readExtraPercent } from './terms.commands.ts'

const params = z.object({ member: z.string() })
const act = {
  ...operator,
  params,
  response: { 200: contract.messageObject },
  transaction: 'idempotent',
} as const
const NOBODY = ['own_account', 'member_not_found', 'member_closed', 'member_is_above'] as const
/** What speaks against any proposal. */
const WAITS = ['decision_waits', 'decision_waits_by', 'too_many_decisions'] as const

const subjectOf = ({ member }: { readonly member: string }) => `member:${member}`
/** Whom, and who does it. */
const actOn = ({ member }: { readonly member: string }, { caller }: OperatorCall) => ({
  memberId: readId(member),
  operatorId: caller.memberId,
})

export const memberActsOperatorRoutes = routes({
  readMemberActs: route({
    ...operator,
    call: 'GET /operator/members/:member/acts/',
    ability: 'members.read',
    summary: 'What can be done to a member’s account, and what each act would mean',
    params,
    response: { 200: contract.memberActs },
    refuses: ['member_not_found'],
    handler: async ({ params }, { db, caller, reader, now, systemNow: system }) =>
      readActs(db, readId(params.member), caller.memberId, reader, { business: await now(), system }),
  }),
  freezeMember: route({
    ...act,
    call: 'POST /operator/members/:member/freeze/',
    ability: 'members.freeze',
    summary: 'Freezes an account: no money leaves, and neither e-mail nor wallet changes',
    body: contract.freezeBody,
    decision: ({ params, body: { reason } }) => ({
      action: 'member.freeze',
      subject: subjectOf(params),
      details: { reason, before: { frozen: false }, after: { frozen: true } },
    }),
    refuses: [...NOBODY, 'member_frozen'],
    handler: async ({ params, body: { reason } }, call) => {
      const wanted = { ...actOn(params, call), reason, frozen: true }
      const username = await setFrozen(call, call.tx, wanted, call.systemNow)
      return { message: say(call.locale, 'member_was_frozen', { username }) }
    },
  }),
  unfreezeMember: route({
    ...act,
    call: 'POST /operator/members/:member/unfreeze/',
    ability: 'members.freeze',
    summary: 'Lets a frozen account go; withdrawals that waited go on',
    body: contract.freezeBody,
    decision: ({ params, body: { reason } }) => ({
      action: 'member.unfreeze',
      subject: subjectOf(params),
      details: { reason, before: { frozen: true }, after: { frozen: false } },
    }),
    refuses: [...NOBODY, 'member_not_frozen'],
    handler: async ({ params, body: { reason } }, call) => {
      const wanted = { ...actOn(params, call), reason, frozen: false }
      const username = await setFrozen(call, call.tx, wanted, call.systemNow)
      return { message: say(call.locale, 'member_was_unfrozen', { username }) }
    },
  }),
  decideFundator: route({
    ...act,
    call: 'POST /operator/members/:member/fundator/',
    ability: 'members.terms',
    summary: 'Proposes to make a member a fundator, or no longer',
    body: contract.fundatorBody,
    decision: ({ params, body: { reason, fundator } }) => ({
      action: 'member.propose_fundator',
      subject: subjectOf(params),
      details: { reason, before: { fundator: !fundator }, after: { fundator } },
    }),
    refuses: [...NOBODY, 'fundator_unchanged', ...WAITS],
    handler: async ({ params, body: { fundator, reason } }, call) => {
      const wanted = { ...actOn(params, call), fundator, reason, now: await call.now() }
      const username = await proposeFundator(call.tx, wanted)
      const key = fundator ? 'fundator_proposed' : 'no_fundator_proposed'
      return { message: say(call.locale, key, { username }) }
    },
  }),
  previewExtraPoints: route({
    ...operator,
    call: 'GET /operator/members/:member/extra-points/',
    ability: 'members.terms',
    summary: 'What extra points would have cost in the last 30 days',
    params,
    query: contract.extraPointsQuery,
    response: { 200: contract.extraPointsCost },
    refuses: ['member_not_found', 'extra_points_invalid'],
    handler: async ({ params, query: { percent } }, { db, now }) =>
      costOfExtraPoints(db, readId(params.member), readExtraPercent(percent), await now()),
  }),
  setExtraPoints: route({
    ...act,
    call: 'POST /operator/members/:member/extra-points/',
    ability: 'members.terms',
    summary: 'Proposes the percentage points that a member gets on top of the plan’s first level',
    body: contract.extraPointsBody,
    decision: ({ params, body: { reason, percent, was } }) => ({
      action: 'member.propose_extra_percent',
      subject: subjectOf(params),
      details: { reason, before: { percent: was }, after: { percent } },
    }),
    refuses: [...NOBODY, 'extra_points_invalid', 'extra_points_moved', 'extra_points_unchanged', ...WAITS],
    handler: async ({ params, body: { percent, was, reason } }, call) => {
      const wanted = { ...actOn(params, call), percent, was, reason, now: await call.now() }
      const set = await proposeExtraPoints(call.tx, wanted)
      const words = { username: set.username, percent: { decimal: set.percent }, count: Number(set.percent) }
      return { message: say(call.reader, 'extra_points_proposed', words) }
    },
  }),
  closeMember: route({
    ...act,
    call: 'POST /operator/members/:member/close/',
    ability: 'members.close',
    summary: 'Closes a member’s account in which nothing is left, for good',
    body: contract.closeMemberBody,
    decision: ({ params, body: { reason, username } }) => ({
      action: 'account.close',
      subject: subjectOf(params),
      details: { reason, username },
    }),
    refuses: [
      ...NOBODY,
      'account_of_operator',
      'account_of_company',
      'account_name_wrong',
      'account_not_empty',
    ],
    handler: async ({ params, body }, call) => {
      const moment = { now: call.systemNow, businessNow: await call.now() }
      const wanted = { ...actOn(params, call), username: body.username }
      const username = await closeForOperator(call, call.tx, wanted, moment)
      return { message: say(call.locale, 'member_was_closed', { username }) }
    },
  }),
})
