/** A member's own passkeys: adding, naming and removing them. Times are system time. */
import type { PasskeyCreation, PasskeyItem, PasskeyRegistration } from '@aval/contract'
import type { Tx } from '@aval/db'
import { type CommitOnRefusalTx, CommittedRefusal, commitOnRefusal } from '../../../core/committed-refusal.ts'
import type { Context } from '../../../core/context.ts'
import type { Actor } from '../../../core/device.ts'
import { namesOfDevice } from '../../../core/device-names.rules.ts'
import { Refusal } from '../../../core/refusal.ts'
import { lockMember } from '../members/members.sql.ts'
import { requireCurrentPassword } from '../members/present-password.commands.ts'
import { stepUpIfEnabled } from '../second-factor/second-factor.commands.ts'
import { hasSecondFactor } from '../second-factor/second-factor.queries.ts'
import { announceSecurityEvent, recordSecurityEvent } from '../security-log/security-log.commands.ts'
import { requireLiveSession } from '../sessions/sessions.commands.ts'
import { endSessions } from '../sessions/sessions.sql.ts'
import {
  descriptorsOf,
  openPasskeyChallenge,
  requireRelyingParty,
  takePasskeyChallenge,
} from './assertions.commands.ts'
import { isPasskeyPinned } from './passkeys.queries.ts'
import {
  ALGORITHMS,
  CHALLENGE_LIFETIME,
  defaultName,
  MOST_PASSKEYS,
  NOT_ME_REACH,
  userHandleOf,
} from './passkeys.rules.ts'
import * as store from './passkeys.sql.ts'
import { type VerifiedPasskey, verifyRegistration } from './webauthn.ts'

/** What a change of passkeys takes besides the session. */
export interface PasskeyProof {
  readonly current: string
  /** A code of the authenticator app, where two-factor is on. */
  readonly otp: string | null
}

type Action = 'passkey.add' | 'passkey.remove'

/**
 * Password and code, then the member's row for this transaction.
 * @throws Refusal `two_factor_required` for an operator who has no app, `current_password_wrong`, `not_signed_in`, `otp_required`, `otp_invalid`, `too_many_requests`
 */
async function afterStepUp<Result>(
  context: Context,
  actor: Actor,
  { current, otp, action }: PasskeyProof & { readonly action: Action },
  now: Date,
  work: (tx: CommitOnRefusalTx, member: Awaited<ReturnType<typeof lockMember>>) => Promise<Result>,
): Promise<Result> {
  const { memberId, sessionId } = actor
  await requireCurrentPassword(context, memberId, { current, action }, now)
  return commitOnRefusal(context.db, async (tx) => {
    const member = await lockMember(tx, memberId)
    await requireLiveSession(tx, actor)
    // With the password alone a passkey would become the second factor, or the last one would go.
    if (member.is_operator && !(await hasSecondFactor(tx, memberId))) throw new Refusal('two_factor_required')
    const decision = { memberId, sessionId, otp, attempt: null, action, subject: `member:${memberId}` }
    await stepUpIfEnabled(context, tx, decision, now)
    return work(tx, member)
  })
}

async function requireRoom(tx: Tx, memberId: bigint): Promise<void> {
  if ((await store.countPasskeys(tx, memberId)) < MOST_PASSKEYS) return
  throw new Refusal('too_many_passkeys', { most: MOST_PASSKEYS })
}

/**
 * Begins to add a passkey. Password and code are asked for here; the challenge stands for them until it is answered.
 * @throws Refusal `passkeys_unavailable`, `too_many_passkeys`, and as `afterStepUp`
 */
export async function beginPasskey(
  context: Context,
  actor: Actor,
  proof: PasskeyProof,
  now: Date,
): Promise<PasskeyCreation> {
  const { memberId } = actor
  const party = requireRelyingParty(context)
  return afterStepUp(context, actor, { ...proof, action: 'passkey.add' }, now, async (tx, { username }) => {
    await requireRoom(tx, memberId)
    const challenge = await openPasskeyChallenge(tx, 'enrol', memberId, now)
    return {
      challenge,
      rp: { id: party.id, name: 'Aval' },
      user: {
        id: Buffer.from(userHandleOf(memberId)).toString('base64url'),
        name: username,
        displayName: username,
      },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
      timeout: CHALLENGE_LIFETIME,
      excludeCredentials: await descriptorsOf(tx, memberId),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
    }
  })
}

/** The answer to a challenge of this member's. @throws CommittedRefusal `passkey_not_made` */
async function readNewPasskey(
  context: Context,
  tx: CommitOnRefusalTx,
  memberId: bigint,
  credential: PasskeyRegistration,
  now: Date,
): Promise<VerifiedPasskey> {
  const wanted = { purpose: 'enrol', memberId } as const
  const challenge = await takePasskeyChallenge(tx, credential.response, wanted, now)
  const party = requireRelyingParty(context)
  const made = challenge === null ? null : await verifyRegistration(party, credential, challenge)
  if (made === null) throw new CommittedRefusal(tx, 'passkey_not_made')
  return made
}

/**
 * Adds the passkey that was asked for. Money cools, as after other changes of what protects the account.
 * @param given without a name it is called after the device
 * @throws Refusal `passkey_not_made`, `passkey_known`, `too_many_passkeys`, `not_signed_in`
 */
export async function addPasskey(
  context: Context,
  actor: Actor,
  given: { readonly credential: PasskeyRegistration; readonly name: string },
  now: Date,
): Promise<PasskeyItem> {
  const { memberId, device } = actor
  const { credential } = given
  return commitOnRefusal(context.db, async (tx) => {
    const member = await lockMember(tx, memberId)
    await requireLiveSession(tx, actor)
    const { credentialId, publicKey, algorithm, counter } = await readNewPasskey(
      context,
      tx,
      memberId,
      credential,
      now,
    )
    await requireRoom(tx, memberId)
    if (!(await store.claimCredential(tx, memberId, credentialId)))
      throw new CommittedRefusal(tx, 'passkey_known')
    const name = given.name === '' ? defaultName(namesOfDevice(device.userAgent)) : given.name
    await store.insertPasskey(tx, {
      member_id: memberId,
      credential_id: credentialId,
      public_key: publicKey,
      algorithm,
      counter: BigInt(counter),
      transports: credential.response.transports ?? [],
      name,
      made_at: now,
    })
    const event = { memberId, kind: 'passkey_added', at: now, device } as const
    await announceSecurityEvent(context.config, tx, event, member, (params) => ({
      template: 'passkey_changed',
      params: { added: true, ...params },
    }))
    return { id: credentialId, name, made_at: now.toISOString(), used_at: null }
  })
}

/** @throws Refusal `passkey_not_found` */
export async function renamePasskey(
  context: Context,
  memberId: bigint,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  if (!(await store.updatePasskey(context.db, memberId, id, { name }))) throw new Refusal('passkey_not_found')
}

/**
 * Removes a passkey. All other sessions end, since one of them may have begun with it; money cools.
 * @throws Refusal `passkey_not_found`, `passkey_pinned`, and as `afterStepUp`
 */
export async function removePasskey(
  context: Context,
  actor: Actor,
  { id, ...proof }: PasskeyProof & { readonly id: string },
  now: Date,
): Promise<void> {
  const { memberId, sessionId, device } = actor
  await afterStepUp(context, actor, { ...proof, action: 'passkey.remove' }, now, async (tx, member) => {
    if (await isPasskeyPinned(tx, memberId, id)) throw new Refusal('passkey_pinned')
    if ((await store.deletePasskey(tx, memberId, id)) === null) throw new Refusal('passkey_not_found')
    await endSessions(tx, memberId, 'two_factor', now, { except: sessionId })
    const event = { memberId, kind: 'passkey_removed', at: now, device } as const
    await announceSecurityEvent(context.config, tx, event, member, (params) => ({
      template: 'passkey_changed',
      params: { added: false, ...params },
    }))
  })
}

/**
 * Removes passkeys that were added since a week before a mail to which the member answered "this was not me": otherwise
 * the thief's would go on opening the account after the password was reset.
 */
export async function undoPasskeys(
  tx: Tx,
  { memberId, device }: Pick<Actor, 'memberId' | 'device'>,
  writtenAt: Date,
  now: Date,
): Promise<void> {
  await lockMember(tx, memberId)
  const since = new Date(writtenAt.getTime() - NOT_ME_REACH)
  const removed = await store.deletePasskeysMadeSince(tx, memberId, since)
  if (removed > 0) await recordSecurityEvent(tx, { memberId, kind: 'passkey_removed', at: now, device })
}
