/** How two-factor is turned on and off: by its member, or for an operator by whoever runs the installation. */
import type { TwoFactor } from '@aval/contract'
import { type Db, inTransaction, type Tx } from '@aval/db'
import type { Context } from '../../../core/context.ts'
import type { Device } from '../../../core/device.ts'
import { Refusal } from '../../../core/refusal.ts'
import { seal } from '../../../core/seal.ts'
import { standingTransaction } from '../../../core/standing.ts'
import { queueMail } from '../../mail/mail.commands.ts'
import { notMeUrl } from '../security-log/not-me-link.ts'
import { coolsUntil, recordSecurityEvent } from '../security-log/security-log.commands.ts'
import { languageOf } from '../security-log/security-log.rules.ts'
import { endSessions } from '../security-log/security-log.sql.ts'
import { ownerOfSecret, weigh } from './second-factor.commands.ts'
import { RECOVERY_CODES, readTyped } from './second-factor.rules.ts'
import {
  confirmTotp,
  countRecoveryCodes,
  deleteTotp,
  forgetSecondFactors,
  insertRecoveryCodes,
  lockOwner,
  putTotp,
  selectTotp,
  setSecondFactor,
  wasTurnedOnSince,
} from './second-factor.sql.ts'
import { hashRecovery, newRecoveryCode, newSecret, uriOf } from './totp.ts'

/** The signed-in member who changes the setting. */
export interface Owner extends Device {
  readonly memberId: bigint
  readonly sessionId: string
}

type Member = Awaited<ReturnType<typeof lockOwner>>

export async function readTwoFactor(db: Db, memberId: bigint, isOperator: boolean): Promise<TwoFactor> {
  const since = (await selectTotp(db, memberId))?.confirmed_at ?? null
  return {
    on: since !== null,
    since: since?.toISOString() ?? null,
    recovery_codes_left: since === null ? 0 : await countRecoveryCodes(db, memberId),
    obligatory: isOperator,
  }
}

const sealed = (context: Pick<Context, 'config'>, memberId: bigint, secret: string) =>
  seal(context.config.sealKey, secret, ownerOfSecret(memberId))

/**
 * Makes a secret for the member's authenticator app. It counts for nothing until a code of it was seen; another call
 * makes another.
 * @throws Refusal `two_factor_on`
 */
export async function setUp(
  context: Context,
  memberId: bigint,
  now: Date,
): Promise<{ secret: string; uri: string }> {
  return inTransaction(context.db, async (tx) => {
    const member = await lockOwner(tx, memberId)
    if ((await selectTotp(tx, memberId))?.confirmed_at) throw new Refusal('two_factor_on')
    const secret = newSecret()
    await putTotp(tx, { memberId, secret: sealed(context, memberId, secret), confirmedAt: null }, now)
    return { secret, uri: uriOf(secret, member.username) }
  })
}

/** Writes the change down, and tells the member by mail. */
async function tell(
  context: Context,
  tx: Tx,
  { memberId, userAgent, ip }: Owner,
  { on, member }: { on: boolean; member: Member },
  now: Date,
): Promise<void> {
  const { config } = context
  const kind = on ? 'two_factor_on' : 'two_factor_off'
  const event = `${kind}:${await recordSecurityEvent(tx, { memberId, kind, at: now, userAgent, ip })}`
  const until = await coolsUntil(tx, memberId, config, now)
  await queueMail(
    tx,
    {
      memberId,
      to: member.email,
      locale: languageOf(member.locale),
      event,
      template: 'two_factor_changed',
      params: {
        on,
        at: now,
        device: userAgent,
        ip,
        notMeUrl: notMeUrl(config, memberId, event, now),
        ...(until === null ? {} : { coolsUntil: until }),
      },
    },
    now,
  )
}

/** Ten recovery codes in the place of any others. */
async function freshRecoveryCodes(context: Context, tx: Tx, memberId: bigint): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  const hashes = codes.map((code) =>
    hashRecovery(context.config.sealKey, memberId, readTyped(code)?.text ?? ''),
  )
  await insertRecoveryCodes(tx, memberId, hashes)
  return codes
}

/**
 * Turns two-factor on with a first code. This session has shown its second factor then; all others end.
 * @returns ten recovery codes, told this once
 * @throws Refusal `two_factor_on`, `two_factor_off` when nothing was set up, `otp_invalid`, `too_many_requests`
 */
export async function confirmSetUp(
  context: Context,
  owner: Owner,
  typed: string,
  now: Date,
): Promise<string[]> {
  const { memberId, sessionId } = owner
  return standingTransaction(context.db, async (tx) => {
    const member = await lockOwner(tx, memberId)
    const totp = await selectTotp(tx, memberId)
    if (totp === undefined) throw new Refusal('two_factor_off')
    if (totp.confirmed_at !== null) throw new Refusal('two_factor_on')
    await weigh(
      context,
      tx,
      totp.secret,
      { memberId, place: sessionId, typed, use: null, recovery: false },
      now,
    )
    await confirmTotp(tx, memberId, now)
    const codes = await freshRecoveryCodes(context, tx, memberId)
    await endSessions(tx, memberId, 'two_factor', sessionId, now)
    await setSecondFactor(tx, memberId, sessionId, now)
    await tell(context, tx, owner, { on: true, member }, now)
    return codes
  })
}

/**
 * Makes new recovery codes; the ones before are over. It takes a code of the app: whoever has no more than one recovery
 * code must not make ten of it.
 * @returns ten of them, told this once
 * @throws Refusal `two_factor_off`, `otp_invalid`, `too_many_requests`
 */
export async function renewRecoveryCodes(
  context: Context,
  owner: Owner,
  typed: string,
  now: Date,
): Promise<string[]> {
  const { memberId, sessionId, userAgent, ip } = owner
  return standingTransaction(context.db, async (tx) => {
    const member = await lockOwner(tx, memberId)
    const totp = await selectTotp(tx, memberId)
    if (totp === undefined || totp.confirmed_at === null) throw new Refusal('two_factor_off')
    const attempt = { memberId, place: sessionId, typed, use: null, recovery: false }
    await weigh(context, tx, totp.secret, attempt, now)
    const codes = await freshRecoveryCodes(context, tx, memberId)
    const kind = 'recovery_codes_renewed'
    const event = `${kind}:${await recordSecurityEvent(tx, { memberId, kind, at: now, userAgent, ip })}`
    const told = { memberId, to: member.email, locale: languageOf(member.locale), event }
    const params = {
      at: now,
      device: userAgent,
      ip,
      notMeUrl: notMeUrl(context.config, memberId, event, now),
    }
    await queueMail(tx, { ...told, template: kind, params }, now)
    return codes
  })
}

/**
 * Turns two-factor off with a code, or with a recovery code.
 * @throws Refusal `two_factor_off`, `two_factor_obligatory` for operators, `otp_invalid`, `too_many_requests`
 */
export async function turnOff(context: Context, owner: Owner, typed: string, now: Date): Promise<void> {
  const { memberId, sessionId } = owner
  await standingTransaction(context.db, async (tx) => {
    const member = await lockOwner(tx, memberId)
    const totp = await selectTotp(tx, memberId)
    if (member.is_operator) throw new Refusal('two_factor_obligatory')
    if (totp === undefined || totp.confirmed_at === null) throw new Refusal('two_factor_off')
    await weigh(
      context,
      tx,
      totp.secret,
      { memberId, place: sessionId, typed, use: null, recovery: true },
      now,
    )
    await deleteTotp(tx, memberId)
    await forgetSecondFactors(tx, memberId)
    await tell(context, tx, owner, { on: false, member }, now)
  })
}

/**
 * Turns two-factor off where it was turned on with or after a change that the member says was somebody else's: otherwise
 * that somebody's phone would keep the member out, whatever the password. An operator's secret is never theirs.
 *
 * @param change the number of a security event
 */
export async function undoSetUp(
  tx: Tx,
  { memberId, userAgent, ip }: Omit<Owner, 'sessionId'>,
  change: bigint,
  now: Date,
): Promise<void> {
  const member = await lockOwner(tx, memberId)
  if (member.is_operator || !(await wasTurnedOnSince(tx, memberId, change))) return
  await deleteTotp(tx, memberId)
  await forgetSecondFactors(tx, memberId)
  await recordSecurityEvent(tx, { memberId, kind: 'two_factor_off', at: now, userAgent, ip })
}

/**
 * Gives a member a secret that counts at once, in the place of any other: for operators, whose secret is handed over by
 * whoever runs the installation. Every session ends; the next sign-in asks for a code.
 */
export async function giveSecret(
  context: { readonly db: Db; readonly config: Pick<Context['config'], 'sealKey'> },
  memberId: bigint,
  secret: string,
  now: Date,
): Promise<{ secret: string; uri: string }> {
  return inTransaction(context.db, async (tx) => {
    const member = await lockOwner(tx, memberId)
    const text = seal(context.config.sealKey, secret, ownerOfSecret(memberId))
    await deleteTotp(tx, memberId)
    await putTotp(tx, { memberId, secret: text, confirmedAt: now }, now)
    await endSessions(tx, memberId, 'two_factor', null, now)
    await recordSecurityEvent(tx, { memberId, kind: 'two_factor_on', at: now, userAgent: '', ip: '' })
    return { secret, uri: uriOf(secret, member.username) }
  })
}
