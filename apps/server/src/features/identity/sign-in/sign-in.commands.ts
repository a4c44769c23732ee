import type { PasskeyAssertion, PasskeyRequest, ProofOfWork, SignInAnswer } from '@aval/contract'
import { inTransaction, type Tx } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import { commitOnRefusal } from '../../../core/committed-refusal.ts'
import type { Context } from '../../../core/context.ts'
import type { Device } from '../../../core/device.ts'
import { namesOfDevice } from '../../../core/device-names.rules.ts'
import { fold } from '../../../core/fold.rules.ts'
import type { Limits } from '../../../core/limits.ts'
import { networkOf } from '../../../core/networks.rules.ts'
import { Refusal } from '../../../core/refusal.ts'
import { findKnownDevice, rememberDevice } from '../known-devices/known-devices.commands.ts'
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
import { countFailedTry } from '../security-log/failed-tries.commands.ts'
import { NOBODY } from '../security-log/failed-tries.rules.ts'
import { announceSecurityEvent } from '../security-log/security-log.commands.ts'
import { type IssuedTokens, openSession } from '../sessions/sessions.commands.ts'
import { isNewDevice } from '../sessions/sessions.rules.ts'
import { selectUserAgents } from '../sessions/sessions.sql.ts'
import { amongFew, type BegunGuess, beginGuess, crowdedOut } from './guesses.commands.ts'

/** More than any member has. */
const MAX_DEVICES = 200

/** Where a sign-in comes from. */
interface Origin {
  readonly device: Device
  /** What the device holds from an earlier sign-in. */
  readonly deviceToken: string | null
}

/** What a sign-in came to, and what its device is to hold from now on; null where it is not over yet. */
export interface SignedIn<Answer> {
  readonly answer: Answer
  readonly deviceToken: string | null
}

/** What was proved. All but the password alone are both factors. */
type Proved = 'password' | 'password and code' | 'password and passkey' | 'passkey'

/** Every sign-in stands in the audit trail: how, with what kind of device, and from which network. */
async function recordSignIn(
  tx: Tx,
  memberId: bigint,
  proved: Proved,
  device: Device,
  now: Date,
): Promise<void> {
  const entry = { action: 'session.begin', outcome: 'done', subject: `member:${memberId}` } as const
  const details = { proved, ...namesOfDevice(device.userAgent), network: networkOf(device.ip) }
  await recordAudit(tx, { at: now, actorId: memberId, ...entry, details })
}

/** Reports a sign-in from a new device, then opens the session, which makes the device a known one. */
async function openReportedSession(
  context: Context,
  tx: Tx,
  session: Origin & { readonly memberId: bigint; readonly proved: Proved },
  now: Date,
): Promise<SignedIn<IssuedTokens>> {
  const { memberId, device, proved } = session
  const secondFactor = proved !== 'password'
  await recordSignIn(tx, memberId, proved, device, now)
  const known = await selectUserAgents(tx, memberId, MAX_DEVICES)
  if (isNewDevice(device.userAgent, known)) {
    const member = await selectMember(tx, memberId)
    const event = { memberId, kind: 'signed_in_new', at: now, device } as const
    await announceSecurityEvent(context.config, tx, event, member, (params) => ({
      template: 'signed_in_new',
      params,
    }))
  }
  const deviceToken = await rememberDevice(tx, memberId, session.deviceToken, now)
  return { answer: await openSession(context, tx, { memberId, ...device, secondFactor }, now), deviceToken }
}

/** Somebody at the door with a password. */
interface Visitor extends Origin {
  readonly login: string
  readonly password: string
  readonly proof: ProofOfWork | null
  /** Counts against a limit. @throws Refusal `too_many_requests` */
  readonly take: (limit: keyof Limits) => Promise<void>
}

/** Compares a password when its turn comes. @throws Refusal of `crowdedOut`; the guess is then not counted */
async function compareInTurn(
  { config }: Context,
  {
    guess,
    login,
    stored,
  }: { readonly guess: BegunGuess; readonly login: string; readonly stored: string | null },
  password: string,
  now: Date,
): Promise<boolean> {
  try {
    return await isPassword(stored, password, guess.turn)
  } catch (error) {
    await guess.takeBack()
    // Others came while this one was counted.
    throw error instanceof Refusal && guess.turn !== 'first' ? crowdedOut(config, login, now) : error
  }
}

/**
 * Signs in by e-mail or username. An unknown account gets the same answer after the same work. With a second factor the
 * answer is no session yet but a token that stands for the right password.
 * @param now system time
 * @throws Refusal `credentials_wrong`, and those of `beginGuess`
 */
export function signIn(context: Context, visitor: Visitor, now: Date): Promise<SignedIn<SignInAnswer>> {
  const login = fold(visitor.login)
  const isStranger = visitor.proof === null && visitor.deviceToken === null
  return amongFew(context.config, { login, isStranger }, now, () =>
    signInAs(context, { ...visitor, login }, now),
  )
}

/** @param visitor.login folded */
async function signInAs(
  context: Context,
  { login, password, proof, take, device, deviceToken }: Visitor,
  now: Date,
): Promise<SignedIn<SignInAnswer>> {
  const account = await selectAccount(context.db, login)
  const knownDevice = await findKnownDevice(context.db, account?.id ?? NOBODY, deviceToken)
  const guess = await beginGuess(context, { login, ip: device.ip, proof, knownDevice, take }, now)
  const isRight = await compareInTurn(
    context,
    { guess, login, stored: account?.password_hash ?? null },
    password,
    now,
  )
  if (account === undefined || !isRight) {
    await countFailedTry(context.db, { memberId: account?.id ?? NOBODY, kind: 'sign_in_failed', device }, now)
    throw new Refusal('credentials_wrong')
  }
  await guess.takeBack()
  const session = { memberId: account.id, device, deviceToken, proved: 'password' } as const
  return inTransaction(context.db, async (tx) => {
    if (await hasSecondFactor(tx, account.id)) {
      const answer = { otp_required: true, otp_token: await openChallenge(tx, account.id, now) } as const
      const withPasskey = (await hasPasskey(tx, account.id)) ? { passkey: true as const } : {}
      return { answer: { ...answer, ...withPasskey }, deviceToken: null }
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
  visitor: Origin & { readonly token: string; readonly code: string },
  now: Date,
): Promise<SignedIn<IssuedTokens>> {
  const { device, deviceToken } = visitor
  return commitOnRefusal(context.db, async (tx) => {
    const memberId = await answerChallenge(context, tx, visitor, now)
    return openReportedSession(
      context,
      tx,
      { memberId, device, deviceToken, proved: 'password and code' },
      now,
    )
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
  { credential, device, deviceToken }: Origin & { readonly credential: PasskeyAssertion },
  now: Date,
): Promise<SignedIn<IssuedTokens>> {
  return commitOnRefusal(context.db, async (tx) => {
    const answered = { credential, purpose: 'sign_in', memberId: null, device } as const
    const memberId = await acceptPasskey(context, tx, answered, now)
    return openReportedSession(context, tx, { memberId, device, deviceToken, proved: 'passkey' }, now)
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
  visitor: Origin & { readonly token: string; readonly credential: PasskeyAssertion },
  now: Date,
): Promise<SignedIn<IssuedTokens>> {
  const { token, credential, device, deviceToken } = visitor
  return commitOnRefusal(context.db, async (tx) => {
    const prove = (memberId: bigint) =>
      acceptPasskey(context, tx, { credential, purpose: 'second_factor', memberId, device }, now)
    const memberId = await answerChallengeBy(tx, token, prove, now)
    return openReportedSession(
      context,
      tx,
      { memberId, device, deviceToken, proved: 'password and passkey' },
      now,
    )
  })
}
