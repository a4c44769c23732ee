/**
 * A forgotten password: asking for an e-mail, and choosing another by its code or its link. Times are system time.
 *
 * Each way locks the member before the resets, of which a code locks all from the oldest on and a link first its own: without the
 * member's row in front of them they would wait for each other. No password is hashed while a row is held.
 */
import { createHash, randomBytes } from 'node:crypto'
import { inTransaction, type Tx } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import { type CommitOnRefusalTx, CommittedRefusal, commitOnRefusal } from '../../../core/committed-refusal.ts'
import type { Context } from '../../../core/context.ts'
import type { Device } from '../../../core/device.ts'
import { fold } from '../../../core/fold.rules.ts'
import { enqueue } from '../../../core/jobs.sql.ts'
import { Refusal } from '../../../core/refusal.ts'
import { queueMail } from '../../mail/mail.commands.ts'
import { drawCode, isCodeOf } from '../email-codes/email-codes.commands.ts'
import { MAX_TRIES } from '../email-codes/email-codes.rules.ts'
import { isSent, lookBack, RESET_LIFETIME, withLiveCode } from '../email-codes/resets.rules.ts'
import {
  countWrongTries,
  insertReset,
  lockResets,
  selectLinkOwner,
  useLink,
} from '../email-codes/resets.sql.ts'
import { lockIfMember, lockMember, selectIdentifierOwner, selectMember } from '../members/members.sql.ts'
import { hashPassword, isPassword } from '../members/password-hash.ts'
import { countFailedTry } from '../security-log/failed-tries.commands.ts'
import { NOBODY } from '../security-log/failed-tries.rules.ts'
import { ownerOf, passwordRefusal, requireGoodPassword, requireUnlikeOwner } from './new-password.ts'
import { setPassword } from './passwords.commands.ts'

/** 256 bits: the link is not guessed. */
const LINK_BYTES = 32

/** A request to reset a password; there may be no such member. */
export interface ResetRequest {
  readonly email: string
  readonly device: Device
}

const codeOwner = (memberId: bigint) => ({ memberId, purpose: 'reset' }) as const
const hashOfLink = (token: string) => createHash('sha256').update(token).digest('hex')

/** Queues the reset e-mail. Only a job looks the address up, so the answer takes as long for an unknown one. */
export async function requestReset(context: Context, { email, device }: ResetRequest, now: Date) {
  const folded = fold(email)
  const key = createHash('sha256').update(folded).digest('hex')
  const payload = { email: folded, ...device, at: now.toISOString() }
  await inTransaction(context.db, (tx) =>
    enqueue(tx, 'identity.send_password_reset', payload, `reset:${key}`),
  )
}

/** Stores a reset. @returns what the e-mail says */
async function makeReset(
  context: Context,
  tx: Tx,
  { memberId, to }: { readonly memberId: bigint; readonly to: string },
  requestedAt: Date,
  now: Date,
) {
  const { code, hash } = drawCode(context, codeOwner(memberId))
  const token = randomBytes(LINK_BYTES).toString('base64url')
  await insertReset(tx, {
    member_id: memberId,
    requested_at: requestedAt,
    made_at: now,
    expires_at: new Date(now.getTime() + RESET_LIFETIME),
    code_hash: hash,
    link_hash: hashOfLink(token),
    sent_to: to,
  })
  // Behind the #, where neither a log nor another site sees it.
  return { code, resetUrl: `${context.config.publicUrl}/auth/reset-password#${token}` }
}

/**
 * Answers a request by e-mail, if there is such a member and there were not too many; once a request, however often the job runs.
 * @param requestedAt identifies the request
 */
export async function sendReset(
  context: Context,
  { email, device }: ResetRequest,
  requestedAt: Date,
  now: Date,
): Promise<void> {
  const memberId = await selectIdentifierOwner(context.db, 'email', fold(email))
  if (memberId === null) return
  await inTransaction(context.db, async (tx) => {
    const { email: to, locale } = await lockMember(tx, memberId)
    const resets = await lockResets(tx, memberId, lookBack(now))
    if (resets.some((reset) => reset.requestedAt >= requestedAt) || !isSent(resets, now)) return
    const event = `reset_code:${requestedAt.toISOString()}`
    const made = await makeReset(context, tx, { memberId, to }, requestedAt, now)
    const params = { ...made, at: requestedAt, device: device.userAgent, ip: device.ip }
    await queueMail(tx, { memberId, to, locale, event, template: 'password_reset_code', params }, now)
  })
}

/** Refuses a code that is none, in the audit trail and in the tally of tries that failed. */
async function refuseCode(
  tx: CommitOnRefusalTx,
  memberId: bigint | null,
  { device, left }: { readonly device: Device; readonly left: number },
  now: Date,
): Promise<never> {
  const tried = { memberId: memberId ?? NOBODY, kind: 'reset_failed', device } as const
  await countFailedTry(tx, tried, now)
  const entry = {
    action: 'code.reset',
    outcome: 'refused',
    subject: `member:${memberId ?? 'unknown'}`,
  } as const
  await recordAudit(tx, { at: now, actorId: memberId, ...entry, details: { left } })
  throw new CommittedRefusal(tx, 'reset_refused', {}, [{ path: 'otp', key: 'reset_refused', params: {} }])
}

/** A try at a reset's code. */
interface CodeTry extends ResetRequest {
  readonly code: string
}

/**
 * The member whose code it is, whose row is held from here on. The same statements are made where there is no such member.
 * @throws CommittedRefusal `reset_refused`
 */
async function requireCode(context: Context, tx: CommitOnRefusalTx, tried: CodeTry, now: Date) {
  const { email, code, device } = tried
  const owner = await selectIdentifierOwner(tx, 'email', fold(email))
  const memberId = owner ?? NOBODY
  const member = await lockIfMember(tx, memberId)
  const live = withLiveCode(await lockResets(tx, memberId, lookBack(now)), now)
  const isRight = live.some(({ codeHash }) => isCodeOf(context, codeOwner(memberId), codeHash, code))
  if (member !== undefined && isRight) return { memberId, member }
  const ids = live.map(({ id }) => id)
  await countWrongTries(tx, memberId, ids)
  const left = Math.max(0, ...live.map(({ wrongTries }) => MAX_TRIES - wrongTries - 1))
  return refuseCode(tx, owner, { device, left }, now)
}

/**
 * Sets a new password with a code from an e-mail. All sessions end.
 *
 * The code is looked at first, and again when the password is set: a password is hashed for those alone who have it, or guesses at codes
 * would keep the processors from everybody else's sign-in. What is refused because of whose account it is, is said to the same ones,
 * and does not use the code up.
 * @throws CommittedRefusal `reset_refused`: no such member, or a wrong, expired or used code, indistinguishable from outside
 * @throws Refusal `password_same`, and those of `requireGoodPassword`
 */
export async function resetPassword(
  context: Context,
  { email, device }: ResetRequest,
  { code, password }: { readonly code: string; readonly password: string },
  now: Date,
): Promise<void> {
  await requireGoodPassword(context, password, null)
  const tried = { email, device, code }
  const { member } = await commitOnRefusal(context.db, (tx) => requireCode(context, tx, tried, now))
  const hash = await hashPassword(password)
  const isSame = await isPassword(member.password_hash, password)
  await commitOnRefusal(context.db, async (tx) => {
    const { memberId, member: owner } = await requireCode(context, tx, tried, now)
    if (isSame) throw passwordRefusal('password_same')
    requireUnlikeOwner(context, password, ownerOf(owner))
    await setPassword(context, tx, { memberId, hash, kind: 'password_reset', except: null, device }, now)
  })
}

/**
 * Sets a new password with the link of an e-mail, which works once and by itself. All sessions end.
 * @param chosen.token what stands behind the #
 * @throws Refusal `reset_link_invalid`, `password_same`, and those of `requireGoodPassword`; the link stays good but for the first
 */
export async function resetPasswordByLink(
  context: Context,
  { token, password }: { readonly token: string; readonly password: string },
  device: Device,
  now: Date,
): Promise<void> {
  await requireGoodPassword(context, password, null)
  const memberId = await selectLinkOwner(context.db, hashOfLink(token))
  if (memberId === null) throw new Refusal('reset_link_invalid')
  const hash = await hashPassword(password)
  const present = (await selectMember(context.db, memberId)).password_hash
  const isSame = await isPassword(present, password)
  await inTransaction(context.db, async (tx) => {
    const owner = ownerOf(await lockMember(tx, memberId))
    if (!(await useLink(tx, memberId, hashOfLink(token), now))) throw new Refusal('reset_link_invalid')
    if (isSame) throw passwordRefusal('password_same')
    requireUnlikeOwner(context, password, owner)
    await setPassword(context, tx, { memberId, hash, kind: 'password_reset', except: null, device }, now)
  })
}
