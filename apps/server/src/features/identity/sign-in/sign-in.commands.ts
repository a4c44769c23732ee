import type { PasskeyAssertion, PasskeyRequest, SignInAnswer, TokenPair } from '@aval/contract'
import { inTransaction, type Tx } from '@aval/db'
import { commitOnRefusal } from '../../../core/committed-refusal.ts'
import type { Context } from '../../../core/context.ts'
import type { Device } from '../../../core/device.ts'
import { fold } from '../../../core/fold.rules.ts'
import { Refusal } from '../../../core/refusal.ts'
import { selectAccount, selectMember } from '../members/members.sql.ts'
import { isPassword } from '../members/password-hash.ts'
import {
  acceptPasskey,
  descriptorsOf,
  openPasskeyChallenge,
  passkeyRequestFor,
  requireRelyingParty,
} from '../passkeys/assertions.commands.ts'
import { hasPasskey } from '../passkeys/passkeys.queries.ts'
import {
  answerChallenge,
  answerChallengeBy,
  openChallenge,
  requireChallenged,
} from '../second-factor/second-factor.commands.ts'
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
    if (await hasSecondFactor(tx, account.id)) {
      const answer = { otp_required: true, otp_token: await openChallenge(tx, account.id, now) } as const
      return (await hasPasskey(tx, account.id)) ? { ...answer, passkey: true as const } : answer
    }
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

/**
 * What a browser is asked for where somebody signs in with a passkey. It is the same for everybody, and says nothing of
 * who has one.
 * @param now system time
 * @throws Refusal `passkeys_unavailable`
 */
export async function beginPasskeySignIn(context: Context, now: Date): Promise<PasskeyRequest> {
  const party = requireRelyingParty(context)
  return passkeyRequestFor(party, await openPasskeyChallenge(context.db, 'sign_in', null, now))
}

/**
 * Signs in with a passkey, whose device has recognised its owner: that is both factors.
 * @param now system time
 * @throws Refusal `passkey_wrong`, `passkeys_unavailable`
 */
export async function signInWithPasskey(
  context: Context,
  { credential, device }: { readonly credential: PasskeyAssertion; readonly device: Device },
  now: Date,
): Promise<TokenPair> {
  return commitOnRefusal(context.db, async (tx) => {
    const answered = { credential, purpose: 'sign_in', memberId: null, device } as const
    const memberId = await acceptPasskey(context, tx, answered, now)
    return openReportedSession(context, tx, { memberId, device, secondFactor: true }, now)
  })
}

/**
 * What a browser is asked for where a passkey stands for the code. The password was right, so it names the member's own.
 * @param now system time
 * @throws Refusal `otp_token_invalid`, `passkeys_unavailable`
 */
export async function beginPasskeyStep(context: Context, token: string, now: Date): Promise<PasskeyRequest> {
  const party = requireRelyingParty(context)
  const memberId = await requireChallenged(context.db, token, now)
  const challenge = await openPasskeyChallenge(context.db, 'second_factor', memberId, now)
  return passkeyRequestFor(party, challenge, await descriptorsOf(context.db, memberId))
}

/**
 * The second step of a sign-in by a passkey of the member whose password was right.
 * @param now system time
 * @throws Refusal `otp_token_invalid`, `passkey_wrong`, `passkeys_unavailable`
 */
export async function signInWithPasskeyStep(
  context: Context,
  visitor: { readonly token: string; readonly credential: PasskeyAssertion; readonly device: Device },
  now: Date,
): Promise<TokenPair> {
  const { token, credential, device } = visitor
  return commitOnRefusal(context.db, async (tx) => {
    const prove = (memberId: bigint) =>
      acceptPasskey(context, tx, { credential, purpose: 'second_factor', memberId, device }, now)
    const memberId = await answerChallengeBy(tx, token, prove, now)
    return openReportedSession(context, tx, { memberId, device, secondFactor: true }, now)
  })
}
