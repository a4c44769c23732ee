/**
 * Verifying codes: at the second step of a sign-in, before an operator's decision, before a member's money leaves. The
 * set-up is in `totp-setup.commands.ts`, the terms are in `second-factor.rules.ts`.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Db, Tx } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import { type CommitOnRefusalTx, CommittedRefusal, commitOnRefusal } from '../../../core/committed-refusal.ts'
import type { Context, Decision } from '../../../core/context.ts'
import type { Device } from '../../../core/device.ts'
import { Refusal } from '../../../core/refusal.ts'
import { unseal } from '../../../core/seal.ts'
import { findKnownDevice } from '../known-devices/known-devices.commands.ts'
import { countFailedTry } from '../security-log/failed-tries.commands.ts'
import { recordSecurityEvent } from '../security-log/security-log.commands.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import {
  CHALLENGE_LIFETIME,
  CHALLENGE_TRIES,
  readTyped,
  secondsToWait,
  TRIES,
} from './second-factor.rules.ts'
import * as store from './second-factor.sql.ts'
import { totpStep } from './totp.ts'

const TOKEN_BYTES = 32
/** Sign-ins of a member share one count of tries, except that each known device has its own, and so has each session, under its id. */
const SIGN_IN = 'sign-in'
const placeOf = (knownDevice: string | null) =>
  knownDevice === null ? SIGN_IN : `device ${knownDevice.slice(0, 24)}`

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** Bound into a sealed secret, so that it cannot be copied to another member's row. */
export const totpOwner = (memberId: bigint) => `totp ${memberId}`

/** A code as it was typed, and where. */
export interface CodeAttempt {
  readonly memberId: bigint
  /** Where tries are counted: a session's id, or `SIGN_IN`. */
  readonly place: string
  readonly typed: string
  /** The hash of the call it confirms, which may be sent again with the same code; null otherwise. */
  readonly use: string | null
  /** Whether a recovery code is accepted too. */
  readonly recovery: boolean
}

/** Uses the code up. @returns what it was; null when it is none, or was used before */
async function spendTyped(
  context: Context,
  tx: Tx,
  sealed: string,
  { memberId, typed, use, recovery }: CodeAttempt,
  now: Date,
): Promise<'totp' | 'recovery' | null> {
  const { sealKey } = context.config
  const read = readTyped(typed)
  if (read?.kind === 'totp') {
    const step = totpStep(unseal(sealKey, sealed, totpOwner(memberId)), read.text, now)
    return step !== null && (await store.useStep(tx, memberId, step, use)) ? 'totp' : null
  }
  if (read === null || !recovery) return null
  const salt = await store.selectRecoverySalt(tx, memberId)
  if (salt === null) return null
  const hash = await hashRecoveryCode(sealKey, memberId, salt, read.text)
  return (await store.useRecoveryCode(tx, memberId, hash, now)) ? 'recovery' : null
}

/**
 * Verifies a code against a sealed secret and uses it up. The try is counted before anything is compared, so a hundred at
 * once count as a hundred, and the count is committed even when the code is refused.
 * @returns what the code was
 * @throws CommittedRefusal `otp_required`, `otp_invalid`, `too_many_requests`
 */
export async function verifyCode(
  context: Context,
  tx: CommitOnRefusalTx,
  sealed: string,
  attempt: CodeAttempt,
  now: Date,
): Promise<'totp' | 'recovery'> {
  const { memberId, place, typed } = attempt
  if (typed.trim() === '') throw new CommittedRefusal(tx, 'otp_required')
  const forgetBefore = new Date(now.getTime() - TRIES.within)
  const { tries, since } = await store.countTry(tx, { memberId, place, forgetBefore }, now)
  const seconds = secondsToWait(tries, since, now)
  if (seconds > 0) throw new CommittedRefusal(tx, 'too_many_requests', { seconds })
  const kind = await spendTyped(context, tx, sealed, attempt, now)
  if (kind === null) throw new CommittedRefusal(tx, 'otp_invalid')
  await store.uncountTry(tx, memberId, place)
  return kind
}

/** @param obligatory a member without a second factor is refused; otherwise asked for nothing */
async function stepUp(
  context: Context,
  tx: CommitOnRefusalTx,
  decision: Decision,
  now: Date,
  { obligatory, recovery }: { obligatory: boolean; recovery: boolean },
): Promise<'totp' | 'recovery' | null> {
  const { memberId, sessionId, action } = decision
  // It may come out of a URL. Text that the trail cannot hold would keep a wrong code from being counted.
  const subject = decision.subject.replace(/[^\x20-\x7e]/g, '?')
  const attempt = { memberId, place: sessionId, typed: decision.otp ?? '', use: decision.attempt }
  const totp = await store.selectTotp(tx, memberId)
  const isOn = totp !== undefined && totp.confirmed_at !== null
  if (!isOn && !obligatory) return null
  try {
    if (!isOn) throw new CommittedRefusal(tx, 'two_factor_required')
    return await verifyCode(context, tx, totp.secret, { ...attempt, recovery }, now)
  } catch (error) {
    // Ten wrong codes of a session are enough for the trail, and a member's missing code is no incident.
    const isRecorded =
      error instanceof Refusal &&
      error.code !== 'too_many_requests' &&
      (obligatory || error.code !== 'otp_required')
    if (!isRecorded) throw error
    const details = { code: error.code }
    await recordAudit(tx, { at: now, actorId: memberId, action, outcome: 'refused', subject, details })
    throw error
  }
}

/**
 * Asks for the fresh code that every operator's decision about money needs. A route calls it before anything else.
 *
 * It has its own transaction: the code is used up, or a wrong one counted, whatever becomes of the decision. Rolled back
 * with a refused decision, one code could be tried on decision after decision. The same call sent again under its
 * Idempotency-Key passes with the code it came with: it decides nothing new.
 *
 * @param now system time
 * @throws Refusal `otp_required`, `otp_invalid` (wrong, or used before), each in the audit trail; `too_many_requests` after
 * ten wrong ones in a session
 */
export async function confirmDecision(context: Context, decision: Decision, now: Date): Promise<void> {
  await commitOnRefusal(context.db, (tx) =>
    stepUp(context, tx, decision, now, { obligatory: true, recovery: false }),
  )
}

/**
 * The same for members whose money leaves, if they have a second factor; without one nothing is asked. Runs in the
 * transaction of what it confirms: a later refusal rolls the use of the code back.
 *
 * @param now system time
 * @param options.recovery whether a recovery code will do, as it does for turning two-factor off
 * @returns what the code was; null where nothing was asked
 * @throws CommittedRefusal as `confirmDecision`
 */
export async function stepUpIfEnabled(
  context: Context,
  tx: CommitOnRefusalTx,
  decision: Decision,
  now: Date,
  { recovery = false }: { readonly recovery?: boolean } = {},
): Promise<'totp' | 'recovery' | null> {
  return stepUp(context, tx, decision, now, { obligatory: false, recovery })
}

/** Begins the second step of a sign-in whose password was right. @returns the token that stands for it */
export async function openChallenge(tx: Tx, memberId: bigint, now: Date): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const expires_at = new Date(now.getTime() + CHALLENGE_LIFETIME)
  await store.insertChallenge(tx, { token_hash: hashOf(token), member_id: memberId, expires_at })
  return token
}

/** Whose sign-in waits for its second step. @throws Refusal `otp_token_invalid` */
export async function requireChallenged(db: Db, token: string, now: Date): Promise<bigint> {
  const memberId = await store.selectChallenged(db, hashOf(token), CHALLENGE_TRIES, now)
  if (memberId === null) throw new Refusal('otp_token_invalid')
  return memberId
}

/**
 * The second step of a sign-in by what is no code and cannot be guessed. It has the challenge's five tries, and no share
 * in those of codes.
 * @param prove throws what is committed where the proof is none
 * @returns the member who answered
 * @throws CommittedRefusal `otp_token_invalid`
 */
export async function answerChallengeBy(
  tx: CommitOnRefusalTx,
  token: string,
  prove: (memberId: bigint) => Promise<unknown>,
  now: Date,
): Promise<bigint> {
  const tokenHash = hashOf(token)
  const memberId = await store.tryChallenge(tx, tokenHash, CHALLENGE_TRIES, now)
  if (memberId === null) throw new CommittedRefusal(tx, 'otp_token_invalid')
  await prove(memberId)
  await store.deleteChallenge(tx, tokenHash)
  return memberId
}

/**
 * The second step of a sign-in: five tries a challenge, and ten in a quarter of an hour for all sign-ins of a member on devices that
 * are not known. A third party who knows the password can so block sign-ins on new devices, but not on those that the member used
 * before, nor the codes asked for in a live session.
 *
 * @returns the member who answered
 * @throws CommittedRefusal `otp_token_invalid`, `otp_required`, `otp_wrong`, `too_many_requests`
 */
export async function answerChallenge(
  context: Context,
  tx: CommitOnRefusalTx,
  answer: {
    readonly token: string
    readonly code: string
    readonly device: Device
    readonly deviceToken: string | null
  },
  now: Date,
): Promise<bigint> {
  const tokenHash = hashOf(answer.token)
  const memberId = await store.tryChallenge(tx, tokenHash, CHALLENGE_TRIES, now)
  const totp = memberId === null ? undefined : await store.selectTotp(tx, memberId)
  if (memberId === null || totp === undefined || totp.confirmed_at === null)
    throw new CommittedRefusal(tx, 'otp_token_invalid')
  const { device } = answer
  const place = placeOf(await findKnownDevice(tx, memberId, answer.deviceToken))
  const attempt = { memberId, place, typed: answer.code, use: null, recovery: true }
  const kind = await verifyCode(context, tx, totp.secret, attempt, now).catch(async (error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== 'otp_invalid') throw error
    await countFailedTry(tx, { memberId, kind: 'second_factor_failed', device }, now)
    // Before the sign-in a wrong code is 401, not 403.
    throw new CommittedRefusal(tx, 'otp_wrong')
  })
  await store.deleteChallenge(tx, tokenHash)
  if (kind === 'recovery')
    await recordSecurityEvent(tx, { memberId, kind: 'recovery_code_used', at: now, device })
  return memberId
}
