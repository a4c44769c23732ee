import {
  auditActions,
  auditFilter,
  auditPage,
  auditQuery,
  auditVerificationAnswer,
  messageObject,
} from '@aval/contract'
import { say } from '../../core/messages.ts'
import type { ExportColumn } from '../../http/exported-text.ts'
import { exportRoute, MOST_ABOUT } from '../../http/exports.ts'
import { route, routes } from '../../http/route.ts'
import { readActions, readTrail, trailOf } from './list.queries.ts'
import { askVerification, readVerification } from './verification.commands.ts'

const operator = { access: 'operator', ability: 'audit.read', tags: ['operator'] } as const

/** A row of the file. */
type TrailEntry = Awaited<ReturnType<ReturnType<typeof trailOf>['read']>>[number]

function signedInBy({ signed_in: kept }: TrailEntry, what: string): string | null {
  const value = kept?.[what]
  return typeof value === 'string' ? value : null
}

/** Of the file. */
const COLUMNS: readonly ExportColumn<TrailEntry>[] = [
  { name: 'id', value: ({ id }) => Number(id) },
  { name: 'at', value: ({ at }) => at },
  { name: 'actor_id', value: (row) => (row.actor_id === null ? null : Number(row.actor_id)) },
  { name: 'actor', value: ({ actor }) => actor },
  { name: 'action', value: ({ action }) => action },
  { name: 'outcome', value: ({ outcome }) => outcome },
  { name: 'subject', value: ({ subject }) => subject },
  { name: 'about', value: ({ about }) => about },
  { name: 'details', value: ({ details }) => details },
  { name: 'erased', value: ({ erased }) => erased },
  { name: 'signed_in_at', value: (row) => row.signed_in_at },
  { name: 'browser', value: (row) => signedInBy(row, 'browser') },
  { name: 'system', value: (row) => signedInBy(row, 'system') },
  { name: 'network', value: (row) => signedInBy(row, 'network') },
]

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
  exportAudit: exportRoute({
    call: 'GET /operator/audit/export/',
    ability: 'audit.read',
    summary: 'The same as a file',
    query: auditFilter,
    list: (filter, { caller }) => {
      const trail = trailOf(filter, caller.timeZone)
      return {
        name: 'audit',
        columns: COLUMNS,
        about: (tx) => trail.count(tx, MOST_ABOUT),
        read: trail.read,
      }
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
