/** Turning the second factor on and off: by the member, or by the person who runs the installation. */
import { type Db, inTransaction, type Tx } from '@aval/db'
import type { Config } from '../../../config.ts'
import { recordAudit } from '../../../core/audit.sql.ts'
import { type CommitOnRefusalTx, commitOnRefusal } from '../../../core/committed-refusal.ts'
import type { Context } from '../../../core/context.ts'
import type { Actor } from '../../../core/device.ts'
import { Refusal } from '../../../core/refusal.ts'
import { seal } from '../../../core/seal.ts'
import { revokeEmailCodes } from '../email-codes/email-codes.commands.ts'
import { findByUsername } from '../members/members.queries.ts'
import { lockMember } from '../members/members.sql.ts'
import { requireCurrentPassword } from '../members/present-password.commands.ts'
import { announceSecurityEvent, recordSecurityEvent } from '../security-log/security-log.commands.ts'
import { clearSecondFactors, endSessions, isVerified, setSecondFactor } from '../sessions/sessions.sql.ts'
import { hashRecoveryCode, newRecoveryCode, newRecoverySalt } from './recovery-codes.ts'
import { totpOwner, verifyCode } from './second-factor.commands.ts'
import { hasSecondFactor } from './second-factor.queries.ts'
import { RECOVERY_CODES, readTyped } from './second-factor.rules.ts'
import * as store from './second-factor.sql.ts'
import { newTotpSecret, totpUri } from './totp.ts'

type Sealing = { readonly config: Pick<Config, 'sealKey'> }

const sealed = ({ config }: Sealing, memberId: bigint, secret: string) =>
  seal(config.sealKey, secret, totpOwner(memberId))

/** @throws Refusal `two_factor_off` */
async function requireOn(tx: Tx, memberId: bigint): Promise<string> {
  const totp = await store.selectTotp(tx, memberId)
  if (totp === undefined || totp.confirmed_at === null) throw new Refusal('two_factor_off')
  return totp.secret
}

/**
 * Makes a secret for the member's authenticator app. It has no effect until a code of it was seen; another call makes
 * another secret. The password is asked for: the phone of a thief who has a session alone must not become the second factor.
 * @param current the password that the member has
 * @throws Refusal `current_password_wrong`, `two_factor_on`
 */
export async function beginTotpSetup(context: Context, memberId: bigint, current: string, now: Date) {
  await requireCurrentPassword(context, memberId, { current, action: 'two_factor.setup' }, now)
  return inTransaction(context.db, async (tx) => {
    const member = await lockMember(tx, memberId)
    if ((await store.selectTotp(tx, memberId))?.confirmed_at) throw new Refusal('two_factor_on')
    const secret = newTotpSecret()
    const stored = sealed(context, memberId, secret)
    await store.putTotp(tx, memberId, { secret: stored, made_at: now, confirmed_at: null })
    return { secret, uri: totpUri(secret, member.username) }
  })
}

/** Replaces the member's recovery codes with ten new ones. */
async function replaceRecoveryCodes(context: Context, tx: Tx, memberId: bigint): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  const salt = newRecoverySalt()
  const hashes = await Promise.all(
    codes.map((code) =>
      hashRecoveryCode(context.config.sealKey, memberId, salt, readTyped(code)?.text ?? ''),
    ),
  )
  await store.insertRecoveryCodes(tx, memberId, salt, hashes)
  return codes
}

const verify = (
  context: Context,
  tx: CommitOnRefusalTx,
  secret: string,
  { memberId, sessionId: place }: Actor,
  code: { readonly typed: string; readonly recovery: boolean },
  now: Date,
) => verifyCode(context, tx, secret, { memberId, place, use: null, ...code }, now)

/**
 * Turns the second factor on with a first code. This session counts as verified; all others end.
 * @returns ten recovery codes, shown only now
 * @throws Refusal `two_factor_on`, `two_factor_off` when nothing was set up, `two_factor_required` for an operator in a session without a second factor, `otp_invalid`, `too_many_requests`
 */
export async function confirmTotpSetup(context: Context, actor: Actor, typed: string, now: Date) {
  const { memberId, sessionId, device } = actor
  return commitOnRefusal(context.db, async (tx) => {
    const member = await lockMember(tx, memberId)
    const totp = await store.selectTotp(tx, memberId)
    if (totp === undefined) throw new Refusal('two_factor_off')
    if (totp.confirmed_at !== null) throw new Refusal('two_factor_on')
    // The password alone must not make a second factor that opens the console.
    if (member.is_operator && !(await isVerified(tx, memberId, sessionId)))
      throw new Refusal('two_factor_required')
    await verify(context, tx, totp.secret, actor, { typed, recovery: false }, now)
    await store.confirmTotp(tx, memberId, now)
    const codes = await replaceRecoveryCodes(context, tx, memberId)
    await endSessions(tx, memberId, 'two_factor', now, { except: sessionId })
    await setSecondFactor(tx, memberId, sessionId, now)
    const event = { memberId, kind: 'two_factor_on', at: now, device } as const
    await announceSecurityEvent(context.config, tx, event, member, (params) => ({
      template: 'two_factor_changed',
      params: { on: true, ...params },
    }))
    return codes
  })
}

/**
 * Makes new recovery codes; the ones before are void. It takes a code of the app: a person with a single recovery code
 * must not turn it into ten.
 * @returns ten of them, shown only now
 * @throws Refusal `two_factor_off`, `otp_invalid`, `too_many_requests`
 */
export async function renewRecoveryCodes(context: Context, actor: Actor, typed: string, now: Date) {
  const { memberId, device } = actor
  return commitOnRefusal(context.db, async (tx) => {
    const member = await lockMember(tx, memberId)
    await verify(context, tx, await requireOn(tx, memberId), actor, { typed, recovery: false }, now)
    const codes = await replaceRecoveryCodes(context, tx, memberId)
    const event = { memberId, kind: 'recovery_codes_renewed', at: now, device } as const
    await announceSecurityEvent(context.config, tx, event, member, (params) => ({
      template: 'recovery_codes_renewed',
      params,
    }))
    return codes
  })
}

/**
 * Turns the second factor off with a code of the app or a recovery code.
 * @throws Refusal `two_factor_off`, `two_factor_obligatory` for operators, `otp_invalid`, `too_many_requests`
 */
export async function disableSecondFactor(context: Context, actor: Actor, typed: string, now: Date) {
  const { memberId, device } = actor
  await commitOnRefusal(context.db, async (tx) => {
    const member = await lockMember(tx, memberId)
    if (member.is_operator) throw new Refusal('two_factor_obligatory')
    await verify(context, tx, await requireOn(tx, memberId), actor, { typed, recovery: true }, now)
    await store.deleteTotp(tx, memberId)
    await clearSecondFactors(tx, memberId)
    const event = { memberId, kind: 'two_factor_off', at: now, device } as const
    await announceSecurityEvent(context.config, tx, event, member, (params) => ({
      template: 'two_factor_changed',
      params: { on: false, ...params },
    }))
  })
}

/**
 * Turns the second factor off if it was turned on with or after a change that the member did not make: otherwise the
 * thief's phone would lock the member out whatever the password. An operator's secret is kept: it was handed over, not
 * set up.
 * @param change the number of a security event
 */
export async function undoTotpSetup(
  tx: Tx,
  { memberId, device }: Pick<Actor, 'memberId' | 'device'>,
  change: bigint,
  now: Date,
): Promise<void> {
  const member = await lockMember(tx, memberId)
  if (member.is_operator || !(await store.wasTurnedOnSince(tx, memberId, change))) return
  await store.deleteTotp(tx, memberId)
  await clearSecondFactors(tx, memberId)
  await recordSecurityEvent(tx, { memberId, kind: 'two_factor_off', at: now, device })
}

/**
 * Gives a member a secret that takes effect at once and replaces any other: for operators, to whom the person running the
 * installation hands the secret over. Every session ends; the next sign-in asks for a code.
 */
export async function assignTotpSecret(
  context: Sealing & { readonly db: Db },
  memberId: bigint,
  secret: string,
  now: Date,
): Promise<{ secret: string; uri: string }> {
  return inTransaction(context.db, async (tx) => {
    const member = await lockMember(tx, memberId)
    await store.deleteTotp(tx, memberId)
    const stored = sealed(context, memberId, secret)
    await store.putTotp(tx, memberId, { secret: stored, made_at: now, confirmed_at: now })
    await endSessions(tx, memberId, 'two_factor', now)
    await recordSecurityEvent(tx, { memberId, kind: 'two_factor_on', at: now, device: null })
    return { secret, uri: totpUri(secret, member.username) }
  })
}

/** Who decided it, and how the member was identified. */
export interface Identified {
  readonly username: string
  /** The person at the console. */
  readonly by: string
  readonly how: string
}

/**
 * `nobody`: no member has that name. `not_on`: there is nothing to turn off. `operator`: an operator always has a second
 * factor, and gets another secret instead.
 */
export type Release = 'released' | 'nobody' | 'not_on' | 'operator'

/**
 * Turns the second factor off for a member who lost the phone and the recovery codes, and was identified. All sessions end, codes are revoked, money cools; the audit trail,
 * the security log and an e-mail with a "this was not me" link say so.
 * @param now system time
 */
export async function releaseSecondFactor(
  { db, config }: { db: Db; config: Pick<Config, 'jwtKey' | 'publicUrl' | 'coolingHours'> },
  { username, by, how }: Identified,
  now: Date,
): Promise<Release> {
  return inTransaction(db, async (tx) => {
    const memberId = await findByUsername(tx, username)
    if (memberId === null) return 'nobody'
    const member = await lockMember(tx, memberId)
    if (member.is_operator) return 'operator'
    if (!(await hasSecondFactor(tx, memberId))) return 'not_on'
    await turnOffByOperators(config, tx, memberId, now)
    const entry = { action: 'two_factor.release', outcome: 'done', subject: `member:${memberId}` } as const
    await recordAudit(tx, { at: now, actorId: null, ...entry, details: { by, how } })
    return 'released'
  })
}

/**
 * Turns the second factor of a member off, who is locked and was identified. All sessions end, codes are revoked, money cools; the
 * security log and an e-mail with a "this was not me" link say so. The caller writes the audit entry.
 */
export async function turnOffByOperators(
  config: Pick<Config, 'jwtKey' | 'publicUrl' | 'coolingHours'>,
  tx: Tx,
  memberId: bigint,
  now: Date,
): Promise<void> {
  const member = await lockMember(tx, memberId)
  await store.deleteTotp(tx, memberId)
  await store.deleteChallengesOf(tx, memberId)
  await revokeEmailCodes(tx, memberId, now)
  await endSessions(tx, memberId, 'two_factor', now)
  const details = { by: 'operator' }
  const event = { memberId, kind: 'two_factor_off', at: now, device: null, details } as const
  await announceSecurityEvent(config, tx, event, member, (params) => ({
    template: 'two_factor_changed',
    params: { on: false, byOperator: true, ...params },
  }))
}
