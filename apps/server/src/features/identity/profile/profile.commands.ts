import { createHash, randomUUID } from 'node:crypto'
import { type Db, inTransaction, type Tx } from '@aval/db'
import type { Context } from '../../../core/context.ts'
import type { Device } from '../../../core/device.ts'
import { Refusal } from '../../../core/refusal.ts'
import { standingTransaction } from '../../../core/standing.ts'
import { queueMail } from '../../mail/mail.commands.ts'
import { makeCode, spendCode } from '../email-codes/email-codes.commands.ts'
import { fold } from '../registration/registration.rules.ts'
import { notMeUrl } from '../security-log/not-me-link.ts'
import { requireLiveSession } from '../security-log/security-log.commands.ts'
import { languageOf, maskEmail } from '../security-log/security-log.rules.ts'
import { drawPortrait } from './avatar-image.ts'
import { applyGuarded, atField } from './guarded-changes.commands.ts'
import {
  bindingOf,
  type GuardedChange,
  guardedChange,
  isPayable,
  nameOfChange,
  type ProfileChange,
} from './profile.rules.ts'
import {
  selectAvatar,
  selectEmailOwner,
  selectIsOurs,
  selectProfile,
  updateProfile,
  upsertAvatar,
} from './profile.sql.ts'

/** Who changes what is theirs, and from where. */
export interface Self {
  readonly memberId: bigint
  readonly sessionId: string
  readonly device: Device
}

/**
 * Whether this wallet may be a member's to be paid to.
 * @throws Refusal `wallet_invalid`: no address, the token's contract, or nobody's; `wallet_ours`: one of this product's
 */
export async function requireWallet(context: Context, db: Db, wallet: string, field: string): Promise<void> {
  if (!isPayable(wallet, context.config.usdtContract)) throw atField('wallet_invalid', field)
  if (await selectIsOurs(db, wallet)) throw atField('wallet_ours', field)
}

async function requirePossible(context: Context, memberId: bigint, change: GuardedChange): Promise<void> {
  if (change.wallet !== null) await requireWallet(context, context.db, change.wallet, 'usdt_wallet')
  if (change.email === null) return
  const owner = await selectEmailOwner(context.db, fold(change.email))
  if (owner !== null && owner !== memberId) throw atField('email_taken', 'email')
}

/** What changes without more ado. */
function columnsOf(change: ProfileChange) {
  const columns = {
    first_name: change.firstName,
    last_name: change.lastName,
    phone_number: change.phoneNumber,
    locale: change.locale,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

/** E-mails a code for this change to the address that the account has now. */
async function sendCode(
  context: Context,
  tx: Tx,
  self: Self,
  change: GuardedChange,
  now: Date,
): Promise<string> {
  const { memberId, sessionId: session, device } = self
  const { email, locale } = await selectProfile(tx, memberId)
  const owner = { memberId, purpose: 'profile', session, device: device.userAgent } as const
  const code = await makeCode(context, tx, { ...owner, binding: bindingOf(change), now })
  const event = `profile_code:${randomUUID()}`
  await queueMail(
    tx,
    {
      memberId,
      to: email,
      locale: languageOf(locale),
      event,
      template: 'profile_code',
      params: {
        code,
        change: nameOfChange(change),
        ...(change.email === null ? {} : { newEmail: change.email }),
        ...(change.wallet === null ? {} : { newWallet: change.wallet }),
        at: now,
        device: device.userAgent,
        ip: device.ip,
        notMeUrl: notMeUrl(context.config, memberId, event, now),
      },
    },
    now,
  )
  return maskEmail(email)
}

/** `saved`, or `code_sent`: nothing has changed, and a code is on its way to an address told in part. */
export type ProfileOutcome =
  | { readonly kind: 'saved' }
  | { readonly kind: 'code_sent'; readonly to: string; readonly change: 'email' | 'wallet' | 'both' }

/**
 * Changes a member's profile: all of it or nothing. A new e-mail or wallet takes a code, which this sends when none came.
 * @param code as it was typed; null when none came
 * @param allowCode asked before a code is made, so that mailboxes are not flooded
 * @param now system time
 * @throws Refusal `email_taken`, `wallet_invalid`, `wallet_ours`, `not_signed_in`, and those of `spendCode`
 */
export async function changeProfile(
  context: Context,
  self: Self,
  asked: { readonly change: ProfileChange; readonly code: string | null; readonly portrait: Buffer | null },
  allowCode: () => Promise<void>,
  now: Date,
): Promise<ProfileOutcome> {
  const { memberId, sessionId, device } = self
  const guarded = guardedChange(await selectProfile(context.db, memberId), asked.change)
  if (guarded !== null) await requirePossible(context, memberId, guarded)
  if (guarded !== null && asked.code === null) {
    await allowCode()
    const to = await inTransaction(context.db, (tx) => sendCode(context, tx, self, guarded, now))
    return { kind: 'code_sent', to, change: nameOfChange(guarded) }
  }
  const image = asked.portrait === null ? null : await drawPortrait(asked.portrait)
  await standingTransaction(context.db, async (tx) => {
    if (guarded !== null) {
      const owner = { memberId, purpose: 'profile', session: sessionId, device: device.userAgent } as const
      const bindings = [bindingOf(guarded)]
      await spendCode(context, tx, { ...owner, code: asked.code ?? '', bindings, field: 'secret_code', now })
      await requireLiveSession(tx, self)
      await applyGuarded(context, tx, memberId, guarded, { device, now, takesBack: false })
    }
    const avatar = image === null ? {} : { avatar: await keepPortrait(tx, memberId, image, now) }
    await updateProfile(tx, memberId, { ...columnsOf(asked.change), ...avatar })
  })
  return { kind: 'saved' }
}

/** @returns the picture's name, another one for another picture */
async function keepPortrait(tx: Tx, memberId: bigint, image: Buffer, at: Date): Promise<string> {
  const name = createHash('sha256').update(image).digest('hex').slice(0, 32)
  await upsertAvatar(tx, memberId, { name, image, at })
  return name
}

/** A member's picture by its name. @throws Refusal `not_found` */
export async function findPortrait(db: Db, memberId: bigint, name: string): Promise<Buffer> {
  const image = await selectAvatar(db, memberId, name)
  if (image === null) throw new Refusal('not_found')
  return image
}
