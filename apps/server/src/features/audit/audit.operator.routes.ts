import { Readable } from 'node:stream'
import {
  auditActions,
  auditExportQuery,
  auditPage,
  auditQuery,
  auditVerificationAnswer,
  messageObject,
} from '@aval/contract'
import { z } from 'zod'
import { say } from '../../core/messages.ts'
import { route, routes } from '../../http/route.ts'
import { noteExport } from './audit.commands.ts'
import { exportTrail, readActions, readTrail } from './list.queries.ts'
import { askVerification, readVerification } from './verification.commands.ts'

const operator = { access: 'operator', ability: 'audit.read', tags: ['operator'] } as const

export const auditOperatorRoutes = routes({
  listAudit: route({
    ...operator,
    call: 'GET /operator/audit/',
    replica: true,
    summary: 'Who did what, newest first',
    query: auditQuery,
    response: { 200: auditPage },
    handler: ({ query: { before, ...filter } }, { db, caller, locale }) =>
      readTrail(db, filter, { locale, zone: caller.timeZone }, before),
  }),
  listAuditActions: route({
    ...operator,
    call: 'GET /operator/audit/actions/',
    replica: true,
    summary: 'Every action that the audit trail has',
    response: { 200: auditActions },
    handler: (_input, { db }) => readActions(db),
  }),
  exportAudit: route({
    ...operator,
    call: 'GET /operator/audit/export/',
    summary: 'The same as a file, CSV or a JSON object a line; that it was made stands in the trail',
    query: auditExportQuery,
    response: { 200: z.instanceof(Readable) },
    produces: 'application/octet-stream',
    handler: async ({ query: { format, ...filter } }, call) => {
      const { db, caller, locale, systemNow: now } = call
      await noteExport(db, caller.memberId, { format, ...filter }, now)
      const day = now.toISOString().slice(0, 10)
      call.header('content-disposition', `attachment; filename="audit-${day}.${format}"`)
      return Readable.from(exportTrail(db, { filter, locale, zone: caller.timeZone, format }, now))
    },
  }),
  readAuditVerification: route({
    ...operator,
    call: 'GET /operator/audit/verification/',
    summary: 'The last verification of the audit trail, or the one under way',
    response: { 200: auditVerificationAnswer },
    handler: (_input, { db }) => readVerification(db),
  }),
  verifyAudit: route({
    ...operator,
    call: 'POST /operator/audit/verify/',
    summary: 'Has the whole audit trail verified, by a job',
    response: { 200: messageObject },
    transaction: 'idempotent',
    stepUp: 'none',
    handler: async (_input, { tx, caller, locale, systemNow }) => {
      await askVerification(tx, caller.memberId, systemNow)
      return { message: say(locale, 'audit_verification_asked') }
    },
  }),
})
