import { createHash, randomUUID } from 'node:crypto'
import type { MemberProof } from '@aval/contract'
import { inTransaction, type Tx } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import { type CommitOnRefusalTx, commitOnRefusal } from '../../../core/committed-refusal.ts'
import type { Context } from '../../../core/context.ts'
import type { Actor, Device } from '../../../core/device.ts'
import { fold } from '../../../core/fold.rules.ts'
import { queueMail } from '../../mail/mail.commands.ts'
import { createEmailCode, revokeEmailCodes, spendEmailCode } from '../email-codes/email-codes.commands.ts'
import { maskEmail } from '../email-codes/email-codes.rules.ts'
import { requireNotFrozen } from '../freezing/freezing.queries.ts'
import { requireWalletSigned } from '../member-key/member-key.commands.ts'
import { requireNoMemberKey } from '../member-key/member-key.queries.ts'
import * as store from '../members/members.sql.ts'
import { requireOwnName } from '../names/names.ts'
import { stepUpIfEnabled } from '../second-factor/second-factor.commands.ts'
import { notMeUrl } from '../security-log/not-me-link.ts'
import { announceSecurityEvent } from '../security-log/security-log.commands.ts'
import { requireLiveSession } from '../sessions/sessions.commands.ts'
import { encodeAvatar } from './avatar-image.ts'
import { sendConfirmation } from './confirm-email.commands.ts'
import { refusalAt, requireWallet } from './profile.queries.ts'
import {
  bindingOf,
  type GuardedChange,
  guardedChange,
  nameOfChange,
  type ProfileChange,
} from './profile.rules.ts'
import { upsertAvatar } from './profile.sql.ts'

/** Where a change comes from, and when. */
interface Circumstances {
  /** Null where an operator makes it. */
  readonly device: Device | null
  readonly now: Date
  /** Who makes it where it is not the member. */
  readonly operatorId?: bigint
  /** Of one that takes an earlier change back: when that was made. Null for every other. */
  readonly undoes: Date | null
}

interface FieldChange {
  readonly field: 'wallet' | 'email'
  readonly previous: string
  readonly next: string
}

/** Records one change in both logs, and e-mails the member at the address that the account had before. */
async function announce(
  context: Context,
  tx: Tx,
  member: { readonly memberId: bigint; readonly email: string; readonly locale: string },
  { field, previous, next }: FieldChange,
  { device, now, undoes, operatorId }: Circumstances,
): Promise<void> {
  const { memberId } = member
  const back = undoes !== null && { takes_back: true, since: undoes }
  const by = operatorId !== undefined && { by: 'operator' }
  const details = { previous, [field]: next, ...back, ...by }
  const entry = { action: `profile.${field}`, outcome: 'done', subject: `member:${memberId}` } as const
  await recordAudit(tx, { at: now, actorId: operatorId ?? memberId, ...entry, details })
  const event = { memberId, kind: `${field}_changed`, at: now, device, details } as const
  await announceSecurityEvent(
    context.config,
    tx,
    event,
    member,
    (params) =>
      field === 'wallet'
        ? { template: 'wallet_changed', params: { wallet: next, previous, ...params } }
        : { template: 'email_changed', params: { email: next, previous, ...params } },
    undoes === null,
  )
}

/**
 * Gives a member another e-mail. The former one is kept, for the link in the mail about it to return to. A new one is not proven, unless
 * an operator corrected it with a code that was sent to it. One that was returned to is: to leave it took such a code.
 */
async function moveEmail(
  tx: Tx,
  memberId: bigint,
  previous: string,
  next: string,
  { now, undoes, operatorId }: Circumstances,
): Promise<void> {
  if (!(await store.reclaimEmail(tx, memberId, fold(next)))) {
    const claimed = await store.claimIdentifiers(tx, memberId, [['email', fold(next)]])
    if (claimed.length === 0) throw refusalAt('email', 'email_taken')
  }
  await store.leaveEmail(tx, memberId, fold(previous), now)
  const isProven = undoes !== null || operatorId !== undefined
  await store.updateMember(tx, memberId, { email: next, email_proven_at: isProven ? now : null })
}

/**
 * Changes a member's e-mail or wallet. Live codes are revoked, because they went to the former address or name the former
 * wallet; both logs record it; an e-mail to the former address says so, and one to the new address asks to confirm it.
 * @throws Refusal `email_taken`
 */
export async function applyGuarded(
  context: Context,
  tx: Tx,
  memberId: bigint,
  { email, wallet }: GuardedChange,
  circumstances: Circumstances,
): Promise<void> {
  const current = await store.lockMember(tx, memberId)
  await revokeEmailCodes(tx, memberId, circumstances.now)
  const member = { memberId, email: current.email, locale: current.locale }
  if (wallet !== null && wallet !== current.usdt_wallet) {
    await store.updateMember(tx, memberId, { usdt_wallet: wallet })
    const change = { field: 'wallet', previous: current.usdt_wallet, next: wallet } as const
    await announce(context, tx, member, change, circumstances)
  }
  if (email !== null && email !== current.email) {
    // Another case of the same address is the same mailbox.
    const isOther = fold(current.email) !== fold(email)
    if (isOther) await moveEmail(tx, memberId, current.email, email, circumstances)
    else await store.updateMember(tx, memberId, { email })
    const change = { field: 'email', previous: current.email, next: email } as const
    await announce(context, tx, member, change, circumstances)
    const { device, now, undoes } = circumstances
    if (isOther && undoes === null && device !== null)
      await sendConfirmation(context, tx, { memberId, device }, now)
  }
}

/** Said to who may have a code made, or has one: whether an e-mail is somebody's is not to be asked as often as one likes. */
async function requireFreeEmail(context: Context, memberId: bigint, email: string | null): Promise<void> {
  if (email === null) return
  const owner = await store.selectEmailHolder(context.db, fold(email))
  if (owner !== null && owner !== memberId) throw refusalAt('email', 'email_taken')
}

/** The columns that change without a code. */
function columnsOf({ first_name, last_name, phone_number, locale, time_zone, region }: ProfileChange) {
  const columns = { first_name, last_name, phone_number, locale, time_zone, region }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

const codeOwner = ({ memberId }: Actor) => ({ memberId, purpose: 'profile' }) as const

/** E-mails a code for this change to the current address. @returns that address, masked */
async function sendCode(context: Context, tx: Tx, actor: Actor, change: GuardedChange, now: Date) {
  const { memberId, device } = actor
  const { email: to, locale, username, email_proven_at: provenAt } = await store.selectMember(tx, memberId)
  const code = await createEmailCode(context, tx, {
    ...codeOwner(actor),
    binding: bindingOf(change),
    to,
    now,
  })
  const event = `profile_code:${randomUUID()}`
  const params = {
    code,
    ...(provenAt === null && { unprovenFor: username }),
    change: nameOfChange(change),
    ...(change.email !== null && { newEmail: change.email }),
    ...(change.wallet !== null && { newWallet: change.wallet }),
    at: now,
    device: device.userAgent,
    ip: device.ip,
    notMeUrl: notMeUrl(context.config, memberId, event, now),
  }
  await queueMail(tx, { memberId, to, locale, event, template: 'profile_code', params }, now)
  return maskEmail(to)
}

/** `code_sent`: nothing has changed, and a code is on its way to the masked address `to`. */
export type ProfileOutcome =
  | { readonly kind: 'saved' }
  | { readonly kind: 'code_sent'; readonly to: string; readonly change: 'email' | 'wallet' | 'both' }

export interface ProfileRequest {
  readonly change: ProfileChange
  readonly code: string | null
  readonly otp: string | null
  readonly picture: Buffer | null
}

/** The app's code first: without one, or with a wrong one, the code from the e-mail is not used up. */
async function spendCodes(
  context: Context,
  tx: CommitOnRefusalTx,
  actor: Actor,
  change: GuardedChange,
  { code, otp }: Pick<ProfileRequest, 'code' | 'otp'>,
  now: Date,
): Promise<void> {
  const { memberId, sessionId } = actor
  await store.lockMember(tx, memberId)
  await requireLiveSession(tx, actor)
  const action = `profile.${nameOfChange(change)}` as const
  const decision = { memberId, sessionId, otp, attempt: null, action, subject: `member:${memberId}` }
  await stepUpIfEnabled(context, tx, decision, now)
  const spending = { ...codeOwner(actor), code: code ?? '', bindings: [bindingOf(change)] }
  await spendEmailCode(context, tx, { ...spending, field: 'secret_code', now })
}

/**
 * Changes a member's profile: all of it or nothing. A new e-mail or wallet takes a code; without one, it is sent.
 * @param wanted.code as it was typed; null when none came
 * @param wanted.otp of the authenticator app, asked for with the code where two-factor is on; null when none came
 * @param allowCode called before a code is made; refuses when there were too many
 * @param now system time
 * @throws Refusal `name_link`, `name_reserved`, `email_taken`, `wallet_invalid`, `wallet_ours`, `not_signed_in`, `account_frozen`, `passkey_required`,
 * `otp_required`, `otp_invalid`, `too_many_requests`, and those of `spendEmailCode`
 */
export async function changeProfile(
  context: Context,
  actor: Actor,
  wanted: ProfileRequest,
  allowCode: () => Promise<void>,
  now: Date,
): Promise<ProfileOutcome> {
  const { memberId, device } = actor
  const current = await store.selectMember(context.db, memberId)
  requireOwnName(current, wanted.change)
  const guarded = guardedChange(current, wanted.change)
  if (guarded !== null) await requireNotFrozen(context.db, memberId)
  if (guarded?.wallet != null) {
    await requireWallet(context, context.db, guarded.wallet, 'usdt_wallet')
    await requireNoMemberKey(context.db, memberId)
  }
  if (guarded !== null && wanted.code === null) {
    await allowCode()
    await requireFreeEmail(context, memberId, guarded.email)
    const to = await inTransaction(context.db, (tx) => sendCode(context, tx, actor, guarded, now))
    return { kind: 'code_sent', to, change: nameOfChange(guarded) }
  }
  const image =
    wanted.picture === null ? null : await encodeAvatar(context.config.picturesSocket, wanted.picture)
  await commitOnRefusal(context.db, async (tx) => {
    if (guarded !== null) {
      await spendCodes(context, tx, actor, guarded, wanted, now)
      await requireNotFrozen(tx, memberId)
      if (guarded.wallet !== null) await requireNoMemberKey(tx, memberId)
      await applyGuarded(context, tx, memberId, guarded, { device, now, undoes: null })
    }
    const avatar = image === null ? {} : { avatar: await storeAvatar(tx, memberId, image, now) }
    await store.updateMember(tx, memberId, { ...columnsOf(wanted.change), ...avatar })
  })
  return { kind: 'saved' }
}

/**
 * Changes the wallet by the passkey that alone moves the member's money. Everything else is as after a code.
 * @throws Refusal `wallet_invalid`, `wallet_ours`, `not_signed_in`, `account_frozen`, and those of `requireWalletSigned`
 */
export async function changeWallet(
  context: Context,
  actor: Actor,
  { wallet, passkey }: { readonly wallet: string; readonly passkey: MemberProof },
  now: Date,
): Promise<void> {
  const { memberId, device } = actor
  const change = { email: null, wallet }
  await requireWallet(context, context.db, wallet, 'usdt_wallet')
  await inTransaction(context.db, async (tx) => {
    await store.lockMember(tx, memberId)
    await requireLiveSession(tx, actor)
    await requireNotFrozen(tx, memberId)
    await requireWalletSigned(context, tx, { memberId, wallet }, passkey, now)
    await applyGuarded(context, tx, memberId, change, { device, now, undoes: null })
  })
}

/** @returns the picture's name, which is different for every picture */
async function storeAvatar(tx: Tx, memberId: bigint, image: Buffer, at: Date): Promise<string> {
  const name = createHash('sha256').update(image).digest('hex').slice(0, 32)
  await upsertAvatar(tx, memberId, { name, image, at })
  return name
}
