import { createHash, randomBytes } from 'node:crypto'
import type { TokenPair } from '@aval/contract'
import { type Db, inTransaction, type Tx } from '@aval/db'
import { signAccess } from '../../core/access-token.ts'
import type { Context } from '../../core/context.ts'
import { Refusal } from '../../core/refusal.ts'
import { fold } from './accounts.rules.ts'
import { deleteExpiredCaptchas } from './captcha.sql.ts'
import { isPassword } from './passwords.ts'
import { judge, LONGEST, type Verdict } from './sessions.rules.ts'
import {
  deleteTokensIssuedBefore,
  endSession,
  insertRefreshToken,
  insertSession,
  lockSession,
  selectAccount,
  selectRefreshToken,
  useUpTokens,
} from './sessions.sql.ts'

const TOKEN_BYTES = 32

/** What attempts to sign in are counted by: every spelling of one account is that account. */
export const accountKey = (login: string) => fold(login)

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

interface SessionKey {
  readonly memberId: bigint
  readonly sessionId: string
}

async function issuePair(context: Context, tx: Tx, session: SessionKey, now: Date): Promise<TokenPair> {
  const refresh = randomBytes(TOKEN_BYTES).toString('base64url')
  await insertRefreshToken(tx, { hash: hashOf(refresh), ...session }, now)
  return { access: await signAccess(context.config.jwtKey, session, now), refresh }
}

/** Begins a session. @param now the system's time, as everywhere here */
export async function openSession(
  context: Context,
  tx: Tx,
  who: { readonly memberId: bigint; readonly userAgent: string },
  now: Date,
): Promise<TokenPair> {
  const sessionId = await insertSession(tx, who.memberId, who.userAgent, now)
  return issuePair(context, tx, { memberId: who.memberId, sessionId }, now)
}

/**
 * Signs in by e-mail or username. The same answer, after the same work, whether or not there is such an account.
 * @throws Refusal `credentials_wrong`
 */
export async function signIn(
  context: Context,
  visitor: { readonly login: string; readonly password: string; readonly userAgent: string },
  now: Date,
): Promise<TokenPair> {
  const account = await selectAccount(context.db, fold(visitor.login))
  const isRight = await isPassword(account?.password_hash ?? null, visitor.password)
  if (account === undefined || !isRight) throw new Refusal('credentials_wrong')
  const who = { memberId: account.id, userAgent: visitor.userAgent }
  return inTransaction(context.db, (tx) => openSession(context, tx, who, now))
}

/** What to do with a token, decided under the session's lock. */
async function judgeToken(
  tx: Tx,
  hash: string,
  now: Date,
): Promise<{ session: SessionKey; verdict: Verdict } | null> {
  const found = await selectRefreshToken(tx, hash)
  if (found === undefined) return null
  const session = { memberId: found.member_id, sessionId: found.session_id }
  const state = await lockSession(tx, session.memberId, session.sessionId)
  // Read again: another tab may have used it while we waited for the lock.
  const token = await selectRefreshToken(tx, hash)
  if (state === undefined || token === undefined) return null
  const verdict = judge(
    { startedAt: state.started_at, ended: state.ended_at !== null },
    { issuedAt: token.issued_at, usedAt: token.used_at },
    now,
  )
  return { session, verdict }
}

/**
 * Exchanges a refresh token for a new pair.
 * @throws Refusal `refresh_invalid`; where the token had been used before, its whole session has ended
 */
export async function refreshSession(
  context: Context,
  refresh: string | null | undefined,
  now: Date,
): Promise<TokenPair> {
  if (!refresh) throw new Refusal('refresh_invalid')
  // The refusal is thrown outside: the end of a session must be stored, not rolled back.
  const pair = await inTransaction(context.db, async (tx) => {
    const judged = await judgeToken(tx, hashOf(refresh), now)
    if (judged === null) return null
    const { session, verdict } = judged
    switch (verdict) {
      case 'refuse':
        return null
      case 'reuse':
        await endSession(tx, session.memberId, session.sessionId, 'reuse', now)
        return null
      case 'rotate':
        await useUpTokens(tx, session.memberId, session.sessionId, now)
        return issuePair(context, tx, session, now)
      case 'fork':
        return issuePair(context, tx, session, now)
      default:
        return verdict satisfies never
    }
  })
  if (pair === null) throw new Refusal('refresh_invalid')
  return pair
}

/** Ends the session that a refresh token belongs to; nothing where there is none. */
export async function signOut(
  context: Context,
  refresh: string | null | undefined,
  now: Date,
): Promise<void> {
  if (!refresh) return
  await inTransaction(context.db, async (tx) => {
    const found = await selectRefreshToken(tx, hashOf(refresh))
    if (found !== undefined) await endSession(tx, found.member_id, found.session_id, 'logout', now)
  })
}

/** Drops what can no longer matter: tokens older than any session, spent captchas that have expired. */
export async function forgetExpired(db: Db, now: Date): Promise<void> {
  await deleteTokensIssuedBefore(db, new Date(now.getTime() - LONGEST))
  await deleteExpiredCaptchas(db, now)
}
