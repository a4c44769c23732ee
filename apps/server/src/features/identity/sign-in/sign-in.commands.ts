import type { SignInAnswer, TokenPair } from '@aval/contract'
import { inTransaction, type Tx } from '@aval/db'
import { commitOnRefusal } from '../../../core/committed-refusal.ts'
import type { Context } from '../../../core/context.ts'
import type { Device } from '../../../core/device.ts'
import { fold } from '../../../core/fold.rules.ts'
import { Refusal } from '../../../core/refusal.ts'
import { selectAccount, selectMember } from '../members/members.sql.ts'
import { isPassword } from '../passwords/password-hash.ts'
import { answerChallenge, openChallenge } from '../second-factor/second-factor.commands.ts'
import { hasSecondFactor } from '../second-factor/second-factor.queries.ts'
import { announceSecurityEvent } from '../security-log/security-log.commands.ts'
import { openSession } from '../sessions/sessions.commands.ts'
import { isNewDevice } from '../sessions/sessions.rules.ts'
import { selectUserAgents } from '../sessions/sessions.sql.ts'

/** More than any member has. */
const MAX_DEVICES = 200

/** Reports a sign-in from a new device, then opens the session, which makes the device a known one. */
async function openReportedSession(
  context: Context,
  tx: Tx,
  session: { readonly memberId: bigint; readonly device: Device; readonly secondFactor: boolean },
  now: Date,
): Promise<TokenPair> {
  const { memberId, device, secondFactor } = session
  const known = await selectUserAgents(tx, memberId, MAX_DEVICES)
  if (isNewDevice(device.userAgent, known)) {
    const member = await selectMember(tx, memberId)
    const event = { memberId, kind: 'signed_in_new', at: now, device } as const
    await announceSecurityEvent(context.config, tx, event, member, (params) => ({
      template: 'signed_in_new',
      params,
    }))
  }
  return openSession(context, tx, { memberId, ...device, secondFactor }, now)
}

/**
 * Signs in by e-mail or username. An unknown account gets the same answer after the same work. With a second factor the
 * answer is no session yet but a token that stands for the right password.
 * @param now system time
 * @throws Refusal `credentials_wrong`
 */
export async function signIn(
  context: Context,
  visitor: { readonly login: string; readonly password: string; readonly device: Device },
  now: Date,
): Promise<SignInAnswer> {
  const { login, password, device } = visitor
  const account = await selectAccount(context.db, fold(login))
  const isRight = await isPassword(account?.password_hash ?? null, password)
  if (account === undefined || !isRight) throw new Refusal('credentials_wrong')
  const session = { memberId: account.id, device, secondFactor: false }
  return inTransaction(context.db, async (tx) => {
    if (await hasSecondFactor(tx, account.id))
      return { otp_required: true as const, otp_token: await openChallenge(tx, account.id, now) }
    return openReportedSession(context, tx, session, now)
  })
}

/**
 * The second step of a sign-in: a code of the authenticator app, or a recovery code.
 * @param now system time
 * @throws Refusal `otp_token_invalid`, `otp_wrong`, `too_many_requests`
 */
export async function signInWithCode(
  context: Context,
  visitor: { readonly token: string; readonly code: string; readonly device: Device },
  now: Date,
): Promise<TokenPair> {
  return commitOnRefusal(context.db, async (tx) => {
    const memberId = await answerChallenge(context, tx, visitor, now)
    return openReportedSession(context, tx, { memberId, device: visitor.device, secondFactor: true }, now)
  })
}
