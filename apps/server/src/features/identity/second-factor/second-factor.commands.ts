/**
 * Codes, wherever one is asked for: at the second step of a sign-in, before an operator's decision, before a member's
 * money leaves. How two-factor is set up is in `two-factor-setup.commands.ts`, the terms are in `two-factor.rules.ts`.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Db, Tx } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import type { Context } from '../../../core/context.ts'
import type { Device } from '../../../core/device.ts'
import { Refusal } from '../../../core/refusal.ts'
import { unseal } from '../../../core/seal.ts'
import { StandingRefusal, type StandingTx, standingTransaction } from '../../../core/standing.ts'
import { recordSecurityEvent } from '../security-log/security-log.commands.ts'
import { CHALLENGE_LIVES, CHALLENGE_TRIES, readTyped, secondsToWait, TRIES } from './second-factor.rules.ts'
import {
  countTry,
  deleteChallenge,
  deleteOldTries,
  giveTryBack,
  insertChallenge,
  selectTotp,
  tryChallenge,
  useRecoveryCode,
  useStep,
} from './second-factor.sql.ts'
import { hashRecovery, stepOf } from './totp.ts'

const TOKEN_BYTES = 32
/** Where the tries of all sign-ins of a member are counted; those of a session are counted under its number. */
const AT_THE_DOOR = 'sign-in'

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** What a secret is sealed under, so that no row can be given another member's. */
export const ownerOfSecret = (memberId: bigint) => `totp ${memberId}`

export async function hasTwoFactor(db: Db, memberId: bigint): Promise<boolean> {
  const totp = await selectTotp(db, memberId)
  return totp !== undefined && totp.confirmed_at !== null
}

/** Counts a try before anything is compared, so that a hundred at once are no more than ten. @returns seconds to wait */
async function takeTry(tx: Tx, memberId: bigint, place: string, now: Date): Promise<number> {
  const forgetBefore = new Date(now.getTime() - TRIES.within)
  const { tries, since } = await countTry(tx, { memberId, place, forgetBefore }, now)
  return secondsToWait(tries, since, now)
}

interface Code {
  readonly memberId: bigint
  /** As it was typed. */
  readonly typed: string
  /** The hash of the call it confirms; null for what is never sent again. */
  readonly use: string | null
}

/** Whether it is a code of this secret, not used before; it is from now on. */
async function spendCode(
  context: Context,
  tx: Tx,
  sealed: string,
  { memberId, typed, use }: Code,
  now: Date,
): Promise<boolean> {
  const read = readTyped(typed)
  if (read?.kind !== 'code') return false
  const secret = unseal(context.config.sealKey, sealed, ownerOfSecret(memberId))
  const step = stepOf(secret, read.text, now)
  return step !== null && (await useStep(tx, memberId, step, use))
}

/** Whether it is one of the member's recovery codes, not used before; it is from now on. */
async function spendRecovery(context: Context, tx: Tx, code: Code, now: Date): Promise<boolean> {
  const read = readTyped(code.typed)
  if (read?.kind !== 'recovery') return false
  const hash = hashRecovery(context.config.sealKey, code.memberId, read.text)
  return useRecoveryCode(tx, code.memberId, hash, now)
}

/** A code, or a recovery code in its place, at the door or in a session. */
export interface Attempt extends Code {
  readonly place: string
  readonly recovery: boolean
}

/**
 * Weighs a code for a secret, and uses it up. What it counts stands whatever becomes of the rest.
 *
 * @returns what it was
 * @throws StandingRefusal `otp_required`, `otp_invalid`, `too_many_requests`
 */
export async function weigh(
  context: Context,
  tx: StandingTx,
  sealed: string,
  attempt: Attempt,
  now: Date,
): Promise<'code' | 'recovery'> {
  const { memberId, place, typed } = attempt
  if (typed.trim() === '') throw new StandingRefusal(tx, 'otp_required')
  const seconds = await takeTry(tx, memberId, place, now)
  if (seconds > 0) throw new StandingRefusal(tx, 'too_many_requests', { seconds })
  const isCode = await spendCode(context, tx, sealed, attempt, now)
  const isRecovery = !isCode && attempt.recovery && (await spendRecovery(context, tx, attempt, now))
  if (!isCode && !isRecovery) throw new StandingRefusal(tx, 'otp_invalid')
  await giveTryBack(tx, memberId, place)
  return isCode ? 'code' : 'recovery'
}

/** A call that a code has to confirm, and who makes it. */
export interface Decision {
  readonly memberId: bigint
  readonly sessionId: string
  /** The code as it was typed; null when none came. */
  readonly otp: string | null
  /** The call's hash where it has a key to be sent again under; null otherwise. */
  readonly attempt: string | null
  /** For the audit trail, `noun.verb`: `pool.fund`. */
  readonly action: string
  /** For the audit trail, `noun:id`: `pool:profit`. */
  readonly subject: string
}

/** @param obligatory whether a member without two-factor is refused, or not asked at all */
async function confirm(
  context: Context,
  tx: StandingTx,
  decision: Decision,
  now: Date,
  { obligatory }: { obligatory: boolean },
): Promise<void> {
  const { memberId, sessionId, action } = decision
  // It may come out of an address. What the trail cannot hold would keep a wrong code from being counted.
  const subject = decision.subject.replace(/[^\x20-\x7e]/g, '?')
  const attempt = { memberId, place: sessionId, typed: decision.otp ?? '', use: decision.attempt }
  const totp = await selectTotp(tx, memberId)
  const isOn = totp !== undefined && totp.confirmed_at !== null
  if (!isOn && !obligatory) return
  try {
    if (!isOn) throw new StandingRefusal(tx, 'two_factor_required')
    await weigh(context, tx, totp.secret, { ...attempt, recovery: false }, now)
  } catch (error) {
    // After ten wrong codes the trail knows enough of a session, and of a member who typed none it needs nothing.
    const isTold =
      error instanceof Refusal &&
      error.code !== 'too_many_requests' &&
      (obligatory || error.code !== 'otp_required')
    if (!isTold) throw error
    const details = { code: error.code }
    await recordAudit(tx, { at: now, actorId: memberId, action, outcome: 'refused', subject, details })
    throw error
  }
}

/**
 * Asks for the fresh code that every operator's decision about money needs. A route calls it first, before anything else
 * is looked at.
 *
 * It has a transaction of its own: the code is used up, and a wrong one counted, whatever becomes of the decision
 * afterwards. Rolled back with a decision that is refused, one code could be tried on decision after decision. The very
 * same call sent again under its Idempotency-Key passes with the code it came with: it decides nothing new.
 *
 * @param now system time
 * @throws Refusal `otp_required`, `otp_invalid` (wrong, or used before), each in the audit trail; `too_many_requests` after
 * ten wrong ones in a session
 */
export async function confirmDecision(context: Context, decision: Decision, now: Date): Promise<void> {
  await standingTransaction(context.db, (tx) => confirm(context, tx, decision, now, { obligatory: true }))
}

/**
 * The same for members whose money leaves, where they have two-factor on; without it nothing is asked for. In the
 * transaction of what it confirms: a code is used up with it, and is good still where something else was in the way.
 *
 * @param now system time
 * @throws StandingRefusal as `confirmDecision`
 */
export async function requireOtpIfOn(
  context: Context,
  tx: StandingTx,
  decision: Decision,
  now: Date,
): Promise<void> {
  await confirm(context, tx, decision, now, { obligatory: false })
}

/** Begins the second step of a sign-in whose password was right. @returns the token that stands for it */
export async function openChallenge(tx: Tx, memberId: bigint, now: Date): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const expiresAt = new Date(now.getTime() + CHALLENGE_LIVES)
  await insertChallenge(tx, { tokenHash: hashOf(token), memberId, expiresAt })
  return token
}

/**
 * The second step of a sign-in. Five tries a challenge, ten in a quarter of an hour for all sign-ins of a member
 * together: whoever knows a password can keep its member from signing in anew so, but not from what a session is asked.
 *
 * @returns who answered
 * @throws StandingRefusal `otp_token_invalid`, `otp_required`, `otp_wrong`, `too_many_requests`
 */
export async function answerChallenge(
  context: Context,
  tx: StandingTx,
  answer: { readonly token: string; readonly code: string; readonly device: Device },
  now: Date,
): Promise<bigint> {
  const tokenHash = hashOf(answer.token)
  const memberId = await tryChallenge(tx, tokenHash, CHALLENGE_TRIES, now)
  const totp = memberId === null ? undefined : await selectTotp(tx, memberId)
  if (memberId === null || totp === undefined || totp.confirmed_at === null)
    throw new StandingRefusal(tx, 'otp_token_invalid')
  const attempt = { memberId, place: AT_THE_DOOR, typed: answer.code, use: null, recovery: true }
  const how = await weigh(context, tx, totp.secret, attempt, now).catch((error: unknown) => {
    // Nobody is signed in yet, so it is not forbidden but unauthorised.
    throw error instanceof Refusal && error.code === 'otp_invalid'
      ? new StandingRefusal(tx, 'otp_wrong')
      : error
  })
  await deleteChallenge(tx, tokenHash)
  if (how === 'recovery')
    await recordSecurityEvent(tx, { memberId, kind: 'recovery_code_used', at: now, ...answer.device })
  return memberId
}

/** Drops challenges that expired and counts that are over. */
export async function forgetTries(db: Db, now: Date): Promise<void> {
  await deleteOldTries(db, now, new Date(now.getTime() - TRIES.within))
}
