/** What a member's passkey signed about money: verified here first, so that mistakes are said at once. The signer verifies it again. */
import {
  memberKeyChallenge,
  memberKeyHash,
  memberWalletChallenge,
  memberWithdrawalChallenge,
} from '@aval/approvals'
import type { MemberKeyBody, MemberProof } from '@aval/contract'
import { constraintOf, type Tx } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import { type CommitOnRefusalTx, commitOnRefusal } from '../../../core/committed-refusal.ts'
import type { Context } from '../../../core/context.ts'
import type { Actor } from '../../../core/device.ts'
import { Refusal } from '../../../core/refusal.ts'
import { lockMember } from '../members/members.sql.ts'
import { requireCurrentPassword } from '../members/present-password.commands.ts'
import { listPublicKeys } from '../passkeys/passkeys.queries.ts'
import { isAlgorithm, relyingPartyOf } from '../passkeys/passkeys.rules.ts'
import { verifyAssertion } from '../passkeys/webauthn.ts'
import { stepUpIfEnabled } from '../second-factor/second-factor.commands.ts'
import { announceSecurityEvent } from '../security-log/security-log.commands.ts'
import { requireLiveSession } from '../sessions/sessions.commands.ts'
import { inForce, type KeyInForce } from './member-key.queries.ts'
import { EVENT_OF, isInTime, isWaiting } from './member-key.rules.ts'
import * as store from './member-key.sql.ts'

type Key = Pick<KeyInForce, 'credentialId' | 'publicKey' | 'algorithm'>

/** What a withdrawal is stored with. */
export interface WithdrawalProof {
  readonly credential_id: string
  readonly proof: store.StoredProof
  readonly expires_at: string
  readonly nonce: string
}

/** As the signer reads it. */
const storedProof = ({ credential: { id, response } }: MemberProof): store.StoredProof => ({
  kind: 'passkey',
  credential_id: id,
  client_data: response.clientDataJSON,
  authenticator_data: response.authenticatorData,
  signature: response.signature,
})

/** What every challenge of a member has. */
interface Signing {
  readonly network: string
  readonly memberId: bigint
  readonly expiresAt: number
  readonly nonce: string
}

interface Signed {
  readonly memberId: bigint
  readonly key: Key
  readonly proof: MemberProof
}

/** @throws Refusal `passkey_expired`, `passkey_invalid`, `passkeys_unavailable` */
async function requireSigned(
  { config }: Pick<Context, 'config'>,
  tx: Tx,
  { memberId, key, proof }: Signed,
  challengeOf: (signing: Signing) => Uint8Array,
  now: Date,
): Promise<void> {
  const party = relyingPartyOf(config.publicUrl)
  if (party === null) throw new Refusal('passkeys_unavailable')
  const expiresAt = new Date(proof.expires_at)
  if (!isInTime(expiresAt, now)) throw new Refusal('passkey_expired')
  const signing = {
    network: await store.selectNetwork(tx),
    memberId,
    expiresAt: expiresAt.getTime(),
    nonce: proof.nonce,
  }
  const challenge = Buffer.from(challengeOf(signing)).toString('base64url')
  const known = { ...key, memberId, counter: 0 }
  if ((await verifyAssertion(party, known, proof.credential, challenge)) === null)
    throw new Refusal('passkey_invalid')
}

/** The key in force, where it may sign now. @throws Refusal `passkey_only_waiting`, `passkey_required`, `passkey_only_off`, `cooling` */
async function keyFor(
  tx: Tx,
  memberId: bigint,
  proof: MemberProof | null,
  now: Date,
): Promise<KeyInForce | null> {
  const { newest, sealed } = await store.selectKeys(tx, memberId)
  const key = inForce(sealed)
  if (key !== null && proof === null) throw new Refusal('passkey_required')
  if (isWaiting(newest, now)) throw new Refusal('passkey_only_waiting')
  if (key === null && proof !== null) throw new Refusal('passkey_only_off')
  if (key !== null && key.usableFrom > now) throw new Refusal('cooling', { until: key.usableFrom })
  return key
}

/**
 * What a withdrawal is stored with; null where the member needs no passkey for it, and gave none.
 * @throws Refusal as `keyFor` and `requireSigned`
 */
export async function proofOfWithdrawal(
  context: Pick<Context, 'config'>,
  tx: Tx,
  asked: { readonly memberId: bigint; readonly amount: bigint; readonly wallet: string },
  proof: MemberProof | null,
  now: Date,
): Promise<WithdrawalProof | null> {
  const { memberId, amount, wallet } = asked
  const key = await keyFor(tx, memberId, proof, now)
  if (key === null || proof === null) return null
  const challenge = (signing: Signing) => memberWithdrawalChallenge({ ...signing, amount, wallet })
  await requireSigned(context, tx, { memberId, key, proof }, challenge, now)
  const { nonce, expires_at } = proof
  return { credential_id: key.credentialId, proof: storedProof(proof), expires_at, nonce }
}

/** Whether the member's passkey signed this wallet; its nonce is used up. @throws Refusal likewise */
export async function requireWalletSigned(
  context: Pick<Context, 'config'>,
  tx: Tx,
  { memberId, wallet }: { readonly memberId: bigint; readonly wallet: string },
  proof: MemberProof,
  now: Date,
): Promise<void> {
  const key = await keyFor(tx, memberId, proof, now)
  if (key === null) throw new Refusal('passkey_only_off')
  const challenge = (signing: Signing) => memberWalletChallenge({ ...signing, wallet })
  await requireSigned(context, tx, { memberId, key, proof }, challenge, now)
  await unlessUsed(() => store.spendNonce(tx, memberId, proof.nonce))
}

/** What was signed is good once. @throws Refusal `passkey_invalid` */
export async function unlessUsed<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw constraintOf(error) === 'member_nonce_used_once' ? new Refusal('passkey_invalid') : error
  }
}

/** Which key signs a change, and which one counts afterwards. */
async function keysOf(tx: Tx, memberId: bigint, body: MemberKeyBody, now: Date) {
  const { newest, sealed } = await store.selectKeys(tx, memberId)
  const before = inForce(sealed)
  if (isWaiting(newest, now)) throw new Refusal('passkey_only_waiting')
  if (body.kind === 'on' && before !== null) throw new Refusal('passkey_only_on')
  if (body.kind !== 'on' && before === null) throw new Refusal('passkey_only_off')
  if (await store.selectHasOpenWithdrawals(tx, memberId)) throw new Refusal('withdrawals_open')
  if (body.version !== (newest?.version ?? 0) + 1) throw new Refusal('passkey_invalid')
  const next = body.kind === 'off' ? null : await passkeyOf(tx, memberId, body.credential_id)
  const signing = body.kind === 'on' || body.kind === 'recovered' ? next : before
  const cools = signing === before && before !== null && before.usableFrom > now ? before.usableFrom : null
  if (cools !== null) throw new Refusal('cooling', { until: cools })
  if (signing === null) throw new Error('a change without a key that signs it')
  return { next, signing }
}

async function passkeyOf(tx: Tx, memberId: bigint, wanted: string | undefined): Promise<Key> {
  const passkeys = await listPublicKeys(tx, memberId)
  const found = passkeys.find(({ credential_id }) => credential_id === wanted)
  if (found === undefined || !isAlgorithm(found.algorithm)) throw new Refusal('passkey_not_found')
  return { credentialId: found.credential_id, publicKey: found.public_key, algorithm: found.algorithm }
}

/** Password and code, where a key was lost: the passkey that could confirm it is gone. */
async function stepUp(
  context: Context,
  tx: CommitOnRefusalTx,
  { memberId, sessionId }: Actor,
  otp: string | null,
  now: Date,
): Promise<void> {
  const decision = {
    memberId,
    sessionId,
    otp,
    attempt: null,
    action: 'member_key.recover' as const,
    subject: `member:${memberId}`,
  }
  await stepUpIfEnabled(context, tx, decision, now)
}

/**
 * Hands a change to the signer; `recovered` to operators.
 * @param now system time
 * @throws Refusal `passkey_only_waiting`, `passkey_only_on`, `passkey_only_off`, `withdrawals_open`, `passkey_not_found`, `cooling`,
 * `passkey_expired`, `passkey_invalid`, `passkeys_unavailable`, `not_signed_in`; for `recovered` those of password and code
 */
export async function submitMemberKey(
  context: Context,
  actor: Actor,
  body: MemberKeyBody,
  now: Date,
): Promise<void> {
  const { memberId, device } = actor
  const { kind, version, passkey: proof } = body
  if (kind === 'recovered') {
    const typed = { current: body.current_password ?? '', action: 'member_key.recover' } as const
    await requireCurrentPassword(context, memberId, typed, now)
  }
  await commitOnRefusal(context.db, async (tx) => {
    const member = await lockMember(tx, memberId)
    await requireLiveSession(tx, actor)
    if (kind === 'recovered') await stepUp(context, tx, actor, body.otp ?? null, now)
    const { next: key, signing } = await keysOf(tx, memberId, body, now)
    const hash = key === null ? '' : memberKeyHash(key)
    const challenge = (parts: Signing) => memberKeyChallenge({ ...parts, version, keyHash: hash })
    await requireSigned(context, tx, { memberId, key: signing, proof }, challenge, now)
    const expiresAt = new Date(proof.expires_at)
    const row = {
      memberId,
      version,
      kind,
      key,
      hash,
      proof: storedProof(proof),
      expiresAt,
      nonce: proof.nonce,
    }
    await unlessUsed(() => store.submitKey(tx, row))
    const entry = { action: `member_key.${kind}`, outcome: 'done', subject: `member:${memberId}` } as const
    await recordAudit(tx, { at: now, actorId: memberId, ...entry, details: { version, key: hash } })
    const event = { memberId, kind: EVENT_OF[kind], at: now, device } as const
    await announceSecurityEvent(context.config, tx, event, member, (params) => ({
      template: 'member_key_changed',
      params: { kind: EVENT_OF[kind], ...params },
    }))
  })
}

/** Takes back what waits for operators. @throws Refusal `passkey_only_off` where nothing does */
export async function cancelMemberKey(context: Context, actor: Actor, now: Date): Promise<void> {
  const { memberId } = actor
  await commitOnRefusal(context.db, async (tx) => {
    await requireLiveSession(tx, actor)
    if (!(await store.cancelKey(tx, memberId))) throw new Refusal('passkey_only_off')
    const entry = { action: 'member_key.cancel', outcome: 'done', subject: `member:${memberId}` } as const
    await recordAudit(tx, { at: now, actorId: memberId, ...entry })
  })
}
