import * as contract from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../core/ids.ts'
import { say } from '../../core/messages.ts'
import type { Caller } from '../../http/access.ts'
import { operator, operatorAct, route, routes } from '../../http/route.ts'
import { presentTemplate } from './conversations.presenter.ts'
import { addTemplate, changeTemplate } from './templates.commands.ts'
import { fillTemplates, listTemplates, readVersions } from './templates.queries.ts'

const params = z.object({ template: z.string() })

const editorOf = ({ caller, systemNow }: { caller: Caller; systemNow: Date }) => ({
  operator: { id: caller.memberId, username: caller.username },
  now: systemNow,
})

export const supportTemplatesOperatorRoutes = routes({
  listSupportTemplates: route({
    ...operator,
    call: 'GET /operator/support/templates/',
    ability: 'support.read',
    summary: 'Ready texts for answers, in both languages, by name',
    response: { 200: contract.supportTemplates },
    handler: async (_input, { db, locale }) => ({
      results: (await listTemplates(db, locale)).map(presentTemplate),
    }),
  }),
  addSupportTemplate: route({
    ...operator,
    call: 'POST /operator/support/templates/',
    ability: 'support.answer',
    summary: 'Adds a ready text',
    stepUp: 'recent',
    body: contract.supportTemplateBody,
    response: { 201: contract.supportTemplate },
    transaction: 'idempotent',
    refuses: ['support_placeholder_unknown', 'support_too_many_templates'],
    handler: async ({ body }, call) => presentTemplate(await addTemplate(call.tx, editorOf(call), body)),
  }),
  readSupportTemplate: route({
    ...operator,
    call: 'GET /operator/support/templates/:template/',
    ability: 'support.read',
    summary: 'What a ready text said so far, newest first',
    params,
    response: { 200: contract.supportTemplates },
    refuses: ['support_template_not_found'],
    handler: async ({ params }, { db }) => ({
      results: (await readVersions(db, readId(params.template))).map(presentTemplate),
    }),
  }),
  changeSupportTemplate: route({
    ...operator,
    call: 'POST /operator/support/templates/:template/',
    ability: 'support.answer',
    summary: 'Changes a ready text',
    stepUp: 'recent',
    params,
    body: contract.supportTemplateEdit,
    response: { 200: contract.supportTemplate },
    transaction: 'idempotent',
    refuses: ['support_template_not_found', 'support_template_changed', 'support_placeholder_unknown'],
    handler: async ({ params, body: { version, ...texts } }, call) =>
      presentTemplate(
        await changeTemplate(call.tx, editorOf(call), { id: readId(params.template), version, texts }),
      ),
  }),
  removeSupportTemplate: route({
    ...operatorAct,
    call: 'POST /operator/support/templates/:template/remove/',
    ability: 'support.answer',
    summary: 'Removes a ready text; what it said stays in its history',
    stepUp: 'recent',
    params,
    body: contract.supportTemplateRemoval,
    refuses: ['support_template_not_found', 'support_template_changed'],
    handler: async ({ params, body: { version } }, call) => {
      await changeTemplate(call.tx, editorOf(call), { id: readId(params.template), version, texts: null })
      return { message: say(call.locale, 'support_template_removed') }
    },
  }),
  fillSupportTemplates: route({
    ...operator,
    call: 'GET /operator/support/:member/templates/',
    ability: 'support.read',
    summary: 'The ready texts as they would be sent to a member, in the member’s language',
    params: z.object({ member: z.string() }),
    response: { 200: contract.supportFilledTemplates },
    refuses: ['member_not_found'],
    handler: async ({ params }, { db, locale }) => fillTemplates(db, readId(params.member), locale),
  }),
})
