/**
 * A call of an operator who sees an account as its member does (decision 078). It reads, whatever the route: everything but GET is refused
 * here, before a route is asked, and so is what opens an account or brings it back. What was read is in the audit trail, once a view and
 * route. It is no act and no session of the member.
 */
import { may, type OperatorRole } from '@aval/contract'
import type { FastifyRequest } from 'fastify'
import { recordAudit } from '../core/audit.sql.ts'
import type { Context } from '../core/context.ts'
import { endOfOperatorSession } from '../core/operator-session.rules.ts'
import { Refusal } from '../core/refusal.ts'
import type { LogPlace } from '../core/replica.ts'
import { readView } from '../core/view-token.ts'
import { selectView } from './views.sql.ts'

/** The member as the operator sees them. */
interface Seen {
  readonly memberId: bigint
  /** The view's: no session has this number. */
  readonly sessionId: string
  readonly accessUntil: number
  readonly username: string
  readonly timeZone: string
  readonly region: string | null
  readonly isFundator: boolean
  readonly place: LogPlace
  /** The operator. */
  readonly viewer: bigint
}

/** Who is seen, and by whom. @throws Refusal `not_signed_in` where the view is over */
async function findViewer(context: Context, token: string, now: Date): Promise<Seen> {
  const claims = await readView(context.config.jwtKey, token)
  const row = claims === null ? undefined : await selectView(context.db, claims.memberId, claims.viewId, now)
  if (claims === null || row === undefined) throw new Refusal('not_signed_in')
  const { operator_id: viewer, username, time_zone: timeZone, region, is_fundator: isFundator, place } = row
  const session = { startedAt: row.started_at, actedAt: row.acted_at }
  if (!may(row.operator_role as OperatorRole | null, 'members.impersonate'))
    throw new Refusal('not_signed_in')
  if (endOfOperatorSession(session, now) !== null) throw new Refusal('not_signed_in')
  return {
    memberId: claims.memberId,
    sessionId: claims.viewId,
    accessUntil: row.ends_at.getTime(),
    username,
    timeZone,
    region,
    isFundator,
    place,
    viewer,
  }
}

/** What each view has read so far, as far as this process knows: another one records it once more. */
const MOST_REMEMBERED = 10_000
const recorded = new Set<string>()

async function recordRead(
  context: Context,
  { memberId, sessionId: view, viewer }: Seen,
  route: string,
  at: Date,
): Promise<void> {
  const key = `${view} ${route}`
  if (recorded.has(key)) return
  const [oldest] = recorded
  if (recorded.size >= MOST_REMEMBERED && oldest !== undefined) recorded.delete(oldest)
  const entry = { action: 'member.view_page', outcome: 'done', subject: `member:${memberId}` } as const
  await recordAudit(context.db, { at, actorId: viewer, ...entry, details: { view, call: route } })
  recorded.add(key)
}

/**
 * Judges a call with the token of a view.
 * @returns who calls; null on a public route, which reads for anybody
 * @throws Refusal `read_only_view`, `not_signed_in`
 */
export async function enterView(
  context: Context,
  request: FastifyRequest,
  token: string,
  now: Date,
): Promise<Seen | null> {
  const { method, routeOptions } = request
  const { access, route } = routeOptions.config
  const isRead = method === 'GET' || method === 'HEAD'
  if (!isRead || access === 'operator' || route?.notInViews === true) throw new Refusal('read_only_view')
  if (access === 'public') return null
  const caller = await findViewer(context, token, now)
  await recordRead(context, caller, `GET ${routeOptions.url ?? ''}`, now)
  return caller
}
