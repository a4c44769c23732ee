/**
 * Who works for the company, as admins decide it in the console (decision 075). The API asks, by functions of the database that say who may;
 * the worker applies what was asked, and e-mails every operator in the same transaction.
 */
import { createHash, randomBytes } from 'node:crypto'
import { type OperatorRole, REFUSALS, type RefusalCode } from '@aval/contract'
import { inTransaction, type Tx } from '@aval/db'
import type { Context } from '../../../core/context.ts'
import type { Actor } from '../../../core/device.ts'
import { eachIsolated } from '../../../core/isolated.ts'
import { enqueue } from '../../../core/jobs.sql.ts'
import { Refusal } from '../../../core/refusal.ts'
import { queueMail } from '../../mail/mail.commands.ts'
import { noteJoined } from '../../notifications/find.commands.ts'
import { findMember, selectMember } from '../members/members.sql.ts'
import { afterProof, type Proof } from '../privacy/proof.commands.ts'
import { endSessions } from '../sessions/sessions.sql.ts'
import { alertOfOperators, announceOperators } from './announce.commands.ts'
import * as store from './operators.sql.ts'

/** 256 bits: the link is not guessed. */
const LINK_BYTES = 32
export const hashOfLink = (token: string) => createHash('sha256').update(token).digest('hex')

/** What a function of the database answered. @throws Refusal where that is not what was hoped for */
function hoped(answer: string, wanted: string): void {
  if (answer === wanted) return
  if (!Object.hasOwn(REFUSALS, answer)) throw new Error(`an operator's change came to ${answer}`)
  throw new Refusal(answer as RefusalCode)
}

/** What waits is done by the worker, which alone may. */
const doSoon = (tx: Tx) => enqueue(tx, 'operators.change', {}, 'operators.change')

/**
 * An admin invites a member, who gets an e-mail.
 * @param now system time
 * @throws Refusal `member_not_found`, `operator_own`, `operator_already`, `operator_former`, `operator_change_waits`
 */
export async function invite(
  tx: Tx,
  { by, memberId, role }: { by: bigint; memberId: bigint | null; role: OperatorRole },
  now: Date,
): Promise<void> {
  if (memberId === null) throw new Refusal('member_not_found')
  hoped(await store.askChange(tx, { by, memberId, kind: 'invitation', role }, now), 'asked')
  await doSoon(tx)
}

/**
 * An admin gives an operator another role.
 * @param from the role that the admin saw
 * @param now system time
 * @throws Refusal `operator_not_found`, `operator_own`, `operator_changed`, `operator_last_admin`, `operator_change_waits`
 */
export async function changeRole(
  tx: Tx,
  {
    by,
    memberId,
    from,
    role,
  }: { by: bigint; memberId: bigint | null; from: OperatorRole; role: OperatorRole },
  now: Date,
): Promise<void> {
  const row = (await store.selectOperatorRows(tx)).find(({ id }) => id === memberId)
  if (memberId === null || row === undefined) throw new Refusal('operator_not_found')
  if (row.role !== from) throw new Refusal('operator_changed')
  hoped(await store.askChange(tx, { by, memberId, kind: 'role', role }, now), 'asked')
  await doSoon(tx)
}

/** @param now system time @throws Refusal `invitation_ended` */
export async function withdrawInvitation(
  tx: Tx,
  { by, byName, id }: { by: bigint; byName: string; id: bigint | null },
  now: Date,
): Promise<void> {
  const change = id === null ? undefined : await store.selectChange(tx, id)
  if (id === null || change === undefined) throw new Refusal('invitation_ended')
  hoped(await store.withdrawChange(tx, by, id, now), 'withdrawn')
  const { member_id: memberId, username } = change
  await alertOfOperators(tx, 'withdrawn', { memberId, username, by: byName }, now)
}

/**
 * An admin takes an operator's rights away: at once, and every session with them.
 * @param now system time
 * @throws Refusal `operator_not_found`, `operator_own`, `operator_last_admin`
 */
export async function dismissBy(
  tx: Tx,
  { by, byName, memberId }: { by: bigint; byName: string; memberId: bigint | null },
  now: Date,
): Promise<void> {
  if (memberId === null) throw new Refusal('operator_not_found')
  const former = await findMember(tx, memberId)
  hoped(await store.dismissOperator(tx, by, memberId, now), 'dismissed')
  if (former === undefined) throw new Error(`operator ${memberId} is no member`)
  await endSessions(tx, memberId, 'ended', now)
  await alertOfOperators(tx, 'removed', { memberId, username: former.username, by: byName }, now)
}

/**
 * The member accepts, with password and code; every session ends.
 * @param now system time
 * @throws Refusal `invitation_ended`, `two_factor_off`, and as `afterProof`
 */
export async function acceptInvitation(
  context: Context,
  actor: Actor,
  { token, ...proof }: Proof & { readonly token: string },
  now: Date,
): Promise<void> {
  const { memberId } = actor
  await afterProof(context, actor, { ...proof, action: 'operator.accept' }, now, async (tx) => {
    hoped(await store.acceptInvitation(tx, memberId, token, now), 'accepted')
    await endSessions(tx, memberId, 'two_factor', now)
    await doSoon(tx)
  })
}

/** E-mails the member a link, and all operators that there is one. */
async function sendInvitation(context: Context, id: bigint, now: Date): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const token = randomBytes(LINK_BYTES).toString('base64url')
    const change = await store.selectChange(tx, id)
    if (change === undefined || !(await store.setLink(tx, id, hashOfLink(token)))) return
    const { member_id: memberId, role, expires_at: expiresAt, asked_by_name: by } = change
    const { email: to, locale, username } = await selectMember(tx, memberId)
    // Behind the #, where neither a log nor another site sees it.
    const invitationUrl = `${context.config.publicUrl}/operator/invitation#${token}`
    const params = { by, role, username, expiresAt, invitationUrl }
    const event = `operator_invited:${id}`
    await queueMail(tx, { memberId, to, locale, event, template: 'operator_invited', params }, now)
    await alertOfOperators(tx, 'invited', { memberId, username, by, role }, now)
  })
}

async function apply(context: Context, id: bigint, now: Date): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const change = await store.selectChange(tx, id)
    if (change === undefined) return
    const { member_id: memberId, username, role, asked_by: actorId, asked_by_name: by } = change
    const before = (await store.selectOperatorRows(tx)).find((row) => row.id === memberId)?.role ?? null
    if ((await store.applyChange(tx, id, now)) !== 'applied') return
    const isNew = change.kind === 'invitation'
    // A session that began as a member's does not become a console.
    if (isNew) await endSessions(tx, memberId, 'two_factor', now)
    const about = { memberId, username, by, role, actorId }
    const details = isNew ? { role, by } : { before, after: role, by }
    await announceOperators(tx, isNew ? 'joined' : 'role_changed', about, details, now)
    if (isNew) await noteJoined(tx, { memberId, username, role, by }, now)
  })
}

/** Does what operators asked for, the worker's part of it. @param now system time */
export async function applyChanges(context: Context, now: Date): Promise<void> {
  const waiting = await store.selectUnfinishedChanges(context.db, now)
  await eachIsolated(waiting, ({ id, state }) =>
    state === 'open' ? sendInvitation(context, id, now) : apply(context, id, now),
  )
}
