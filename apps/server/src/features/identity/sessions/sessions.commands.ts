import { createHash, randomBytes } from 'node:crypto'
import type { SignInAnswer, TokenPair } from '@aval/contract'
import { type Db, inTransaction, type Tx } from '@aval/db'
import { signAccess } from '../../../core/access-token.ts'
import type { Context } from '../../../core/context.ts'
import type { Device } from '../../../core/device.ts'
import { Refusal } from '../../../core/refusal.ts'
import { standingTransaction } from '../../../core/standing.ts'
import { deleteCodesExpiredBefore } from '../email-codes/email-codes.sql.ts'
import { isPassword } from '../passwords/password-hash.ts'
import { deleteExpiredCaptchas } from '../registration/captcha.sql.ts'
import { fold } from '../registration/registration.rules.ts'
import {
  answerChallenge,
  forgetTries,
  hasTwoFactor,
  openChallenge,
} from '../second-factor/second-factor.commands.ts'
import { noteSignIn } from '../sign-in/sign-in.commands.ts'
import { judge, LONGEST, type Verdict } from './sessions.rules.ts'
import {
  deleteSessionsBegunBefore,
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
/** How long what ended is kept, for whoever has to look into it. */
const KEPT = 3 * LONGEST

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

/**
 * Begins a session.
 * @param who.secondFactor whether a code was seen, too
 * @param now the system's time, as everywhere here
 */
export async function openSession(
  context: Context,
  tx: Tx,
  who: {
    readonly memberId: bigint
    readonly userAgent: string
    readonly ip?: string
    readonly secondFactor?: boolean
  },
  now: Date,
): Promise<TokenPair> {
  const { memberId, userAgent, ip = '', secondFactor = false } = who
  const secondFactorAt = secondFactor ? now : null
  const sessionId = await insertSession(tx, { memberId, userAgent, ip, secondFactorAt }, now)
  return issuePair(context, tx, { memberId, sessionId }, now)
}

/**
 * Signs in by e-mail or username. The same answer, after the same work, whether or not there is such an account. With
 * two-factor on, the answer is no session yet but a token that stands for the right password.
 * @throws Refusal `credentials_wrong`
 */
export async function signIn(
  context: Context,
  visitor: {
    readonly login: string
    readonly password: string
    readonly userAgent: string
    readonly ip?: string
  },
  now: Date,
): Promise<SignInAnswer> {
  const account = await selectAccount(context.db, fold(visitor.login))
  const isRight = await isPassword(account?.password_hash ?? null, visitor.password)
  if (account === undefined || !isRight) throw new Refusal('credentials_wrong')
  const device = { userAgent: visitor.userAgent, ip: visitor.ip ?? '' }
  const who = { memberId: account.id, ...device }
  return inTransaction(context.db, async (tx) => {
    if (await hasTwoFactor(tx, who.memberId))
      return { otp_required: true as const, otp_token: await openChallenge(tx, who.memberId, now) }
    await noteSignIn(context, tx, { memberId: who.memberId, device }, now)
    return openSession(context, tx, who, now)
  })
}

/**
 * The second step of a sign-in: a code of the authenticator app, or a recovery code.
 * @throws Refusal `otp_token_invalid`, `otp_wrong`, `too_many_requests`
 */
export async function signInWithCode(
  context: Context,
  visitor: { readonly token: string; readonly code: string; readonly device: Device },
  now: Date,
): Promise<TokenPair> {
  return standingTransaction(context.db, async (tx) => {
    const memberId = await answerChallenge(context, tx, visitor, now)
    const { device } = visitor
    await noteSignIn(context, tx, { memberId, device }, now)
    return openSession(context, tx, { memberId, ...device, secondFactor: true }, now)
  })
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

/**
 * Drops what can no longer matter: tokens older than any session, spent captchas and sign-ins that have expired, and, much
 * later, sessions and codes that are over.
 */
export async function forgetExpired(db: Db, now: Date): Promise<void> {
  await deleteTokensIssuedBefore(db, new Date(now.getTime() - LONGEST))
  await deleteExpiredCaptchas(db, now)
  await forgetTries(db, now)
  const kept = new Date(now.getTime() - KEPT)
  await deleteCodesExpiredBefore(db, kept)
  await deleteSessionsBegunBefore(db, kept)
}
