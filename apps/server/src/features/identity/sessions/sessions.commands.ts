/** Sessions once they have begun: tokens, renewal, and every way to end one. Times are system time throughout. */
import { createHash, randomBytes } from 'node:crypto'
import type { TokenPair } from '@aval/contract'
import { type Db, inTransaction, type Tx } from '@aval/db'
import { readAccess, signAccess } from '../../../core/access-token.ts'
import { recordAudit } from '../../../core/audit.sql.ts'
import type { Context } from '../../../core/context.ts'
import type { Actor } from '../../../core/device.ts'
import { Refusal } from '../../../core/refusal.ts'
import { recordSecurityEvent } from '../security-log/security-log.commands.ts'
import { countSessions } from './sessions.queries.ts'
import { judgeRefresh, refreshUntil } from './sessions.rules.ts'
import * as store from './sessions.sql.ts'

const TOKEN_BYTES = 32

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

interface SessionKey {
  readonly memberId: bigint
  readonly sessionId: string
}

export interface IssuedTokens extends TokenPair {
  /** System time after which `refresh` is good no more. */
  readonly refreshUntil: Date
}

async function issuePair(
  context: Context,
  tx: Tx,
  session: SessionKey & { readonly startedAt: Date },
  now: Date,
): Promise<IssuedTokens> {
  const refresh = randomBytes(TOKEN_BYTES).toString('base64url')
  const { memberId: member_id, sessionId: session_id } = session
  await store.insertRefreshToken(tx, { token_hash: hashOf(refresh), member_id, session_id, issued_at: now })
  const access = await signAccess(context.config.jwtKey, session, now)
  return { access, refresh, refreshUntil: refreshUntil(session, now) }
}

/** @param session.secondFactor whether the sign-in included a code */
export async function openSession(
  context: Context,
  tx: Tx,
  session: {
    readonly memberId: bigint
    readonly userAgent: string
    readonly ip?: string
    readonly secondFactor?: boolean
  },
  now: Date,
): Promise<IssuedTokens> {
  const { memberId, userAgent, ip = '', secondFactor = false } = session
  const sessionId = await store.insertSession(tx, {
    member_id: memberId,
    started_at: now,
    user_agent: userAgent,
    ip,
    second_factor_at: secondFactor ? now : null,
  })
  return issuePair(context, tx, { memberId, sessionId, startedAt: now }, now)
}

/** What to do with a token, decided under the session's lock. */
async function judgeToken(tx: Tx, hash: string, now: Date) {
  const found = await store.selectRefreshToken(tx, hash)
  if (found === undefined) return null
  const key = { memberId: found.member_id, sessionId: found.session_id }
  const state = await store.lockSession(tx, key.memberId, key.sessionId)
  // Read again: another tab may have used it while we waited for the lock.
  const token = await store.selectRefreshToken(tx, hash)
  if (state === undefined || token === undefined) return null
  const session = { ...key, startedAt: state.started_at }
  const verdict = judgeRefresh(
    {
      startedAt: session.startedAt,
      actedAt: state.acted_at,
      ended: state.ended_at !== null,
      operator: state.is_operator,
    },
    { issuedAt: token.issued_at, usedAt: token.used_at },
    now,
  )
  return { session, verdict }
}

/**
 * Exchanges a refresh token for a new pair.
 * @throws Refusal `refresh_invalid`; where the token had been used before, its whole session has ended. `session_idle` and
 * `session_expired` for operators
 */
export async function refreshSession(context: Context, refresh: string | null | undefined, now: Date) {
  if (!refresh) throw new Refusal('refresh_invalid')
  // The refusal is thrown outside: the end of a session must be committed.
  const renewed = await inTransaction(context.db, async (tx) => {
    const judged = await judgeToken(tx, hashOf(refresh), now)
    if (judged === null) return 'refresh_invalid'
    const { session, verdict } = judged
    switch (verdict) {
      case 'refuse':
        return 'refresh_invalid'
      case 'session_idle':
      case 'session_expired':
        return verdict
      case 'reuse':
        await store.endSessions(tx, session.memberId, 'reuse', now, { only: session.sessionId })
        return 'refresh_invalid'
      case 'rotate':
        await store.markTokensUsed(tx, session.memberId, session.sessionId, now)
        return issuePair(context, tx, session, now)
      case 'fork':
        return issuePair(context, tx, session, now)
      default:
        return verdict satisfies never
    }
  })
  if (typeof renewed === 'string') throw new Refusal(renewed)
  return renewed
}

/** The tokens that a client sends when it signs out; null where it sent none. */
interface SignOutTokens {
  readonly refresh: string | null
  readonly access: string | null
}

async function sessionOf(
  context: Context,
  tx: Tx,
  { refresh, access }: SignOutTokens,
): Promise<SessionKey | null> {
  const found = refresh === null ? undefined : await store.selectRefreshToken(tx, hashOf(refresh))
  if (found !== undefined) return { memberId: found.member_id, sessionId: found.session_id }
  return access === null ? null : readAccess(context.config.jwtKey, access)
}

/** Ends the session that the refresh token belongs to, else the access token's, if there is one. */
export async function signOut(context: Context, tokens: SignOutTokens, now: Date): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const session = await sessionOf(context, tx, tokens)
    if (session !== null)
      await store.endSessions(tx, session.memberId, 'logout', now, { only: session.sessionId })
  })
}

/**
 * The session is live and stays so until this transaction ends. A call is authorised when it arrives; this catches a
 * session that was ended since.
 * @throws Refusal `not_signed_in`
 */
export async function requireLiveSession(tx: Tx, { memberId, sessionId }: SessionKey): Promise<void> {
  if ((await store.holdSession(tx, memberId, sessionId)) === undefined) throw new Refusal('not_signed_in')
}

async function recordEnded(tx: Tx, { memberId, device }: Actor, count: number, now: Date): Promise<void> {
  const details = { count }
  await recordSecurityEvent(tx, { memberId, kind: 'sessions_ended', at: now, device, details })
  const entry = { action: 'session.end', outcome: 'done', subject: `member:${memberId}` } as const
  await recordAudit(tx, { at: now, actorId: memberId, ...entry, details })
}

/**
 * Ends one of the member's own sessions, which may be the current one. Its tokens are refused from the next call on.
 * @throws Refusal `session_not_found`: unknown, another member's, or ended before; `not_signed_in`
 */
export async function endOwnSession(db: Db, actor: Actor, sessionId: string, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    // A session that was ended meanwhile ends no other.
    if (sessionId !== actor.sessionId) await requireLiveSession(tx, actor)
    const ended = await store.endSessions(tx, actor.memberId, 'ended', now, { only: sessionId })
    if (ended === 0) throw new Refusal('session_not_found')
    await recordEnded(tx, actor, 1, now)
  })
}

/**
 * Ends every session of the member but the current one.
 * @returns how many
 * @throws Refusal `not_signed_in`
 */
export async function endOtherSessions(db: Db, actor: Actor, now: Date): Promise<number> {
  return inTransaction(db, async (tx) => {
    await requireLiveSession(tx, actor)
    const { memberId, sessionId } = actor
    const live = await countSessions(tx, memberId, now)
    await store.endSessions(tx, memberId, 'ended', now, { except: sessionId })
    const count = Math.max(0, live - 1)
    if (count > 0) await recordEnded(tx, actor, count, now)
    return count
  })
}
