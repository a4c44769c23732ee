/** Asking passkeys: challenges, and the answers to them. Times are system time. */
import { randomBytes } from 'node:crypto'
import type { PasskeyAssertion, PasskeyRequest } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { type CommitOnRefusalTx, CommittedRefusal } from '../../../core/committed-refusal.ts'
import type { Context } from '../../../core/context.ts'
import type { Device } from '../../../core/device.ts'
import { Refusal } from '../../../core/refusal.ts'
import { recordSecurityEvent } from '../security-log/security-log.commands.ts'
import { countEventsSince } from '../security-log/security-log.sql.ts'
import {
  CHALLENGE_LIFETIME,
  isAlgorithm,
  REFUSALS_LOGGED,
  REFUSALS_WITHIN,
  type RelyingParty,
  relyingPartyOf,
} from './passkeys.rules.ts'
import * as store from './passkeys.sql.ts'
import { challengeIn, hashOfChallenge, verifyAssertion } from './webauthn.ts'

const CHALLENGE_BYTES = 32

/** @throws Refusal `passkeys_unavailable` where people reach the product at an IP address */
export function requireRelyingParty({ config }: Pick<Context, 'config'>): RelyingParty {
  const party = relyingPartyOf(config.publicUrl)
  if (party === null) throw new Refusal('passkeys_unavailable')
  return party
}

/** Makes a challenge that is good once. @param memberId null for a sign-in: who it will be is not known */
export async function openPasskeyChallenge(
  db: Db,
  purpose: store.Purpose,
  memberId: bigint | null,
  now: Date,
): Promise<string> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url')
  const expires_at = new Date(now.getTime() + CHALLENGE_LIFETIME)
  await store.insertChallenge(db, {
    hash: hashOfChallenge(challenge),
    purpose,
    member_id: memberId,
    expires_at,
  })
  return challenge
}

/** Takes the challenge that an answer is to, so that no other answer to it counts. @returns null where it is none of ours */
export async function takePasskeyChallenge(
  tx: Tx,
  answer: { readonly clientDataJSON: string },
  wanted: { readonly purpose: store.Purpose; readonly memberId: bigint | null },
  now: Date,
): Promise<string | null> {
  const challenge = challengeIn(answer)
  if (challenge === null) return null
  const taken = await store.takeChallenge(tx, hashOfChallenge(challenge))
  const isWanted =
    taken !== undefined && taken.purpose === wanted.purpose && taken.member_id === wanted.memberId
  return isWanted && taken.expires_at > now ? challenge : null
}

/** The passkeys of a member, as a browser is given them. */
export async function descriptorsOf(db: Db, memberId: bigint): Promise<PasskeyRequest['allowCredentials']> {
  const rows = await store.selectPasskeys(db, memberId)
  return rows.map(({ credential_id: id, transports }) => ({
    id,
    type: 'public-key' as const,
    ...(transports.length > 0 && {
      transports: transports as NonNullable<PasskeyRequest['allowCredentials'][number]['transports']>,
    }),
  }))
}

/** What a browser is asked for. @param allowCredentials none: any passkey of this address */
export function passkeyRequestFor(
  { id: rpId }: RelyingParty,
  challenge: string,
  allowCredentials: PasskeyRequest['allowCredentials'] = [],
): PasskeyRequest {
  return { challenge, rpId, timeout: CHALLENGE_LIFETIME, allowCredentials, userVerification: 'required' }
}

/**
 * Whether a member's passkey has signed a challenge, with its owner recognised by the device. Where it has, its counter
 * and its last use are stored. The caller knows that the challenge is good, and takes care that it is so once.
 */
export async function hasSigned(
  context: Pick<Context, 'config'>,
  tx: Tx,
  memberId: bigint,
  signed: { readonly credential: PasskeyAssertion; readonly challenge: string },
  now: Date,
): Promise<boolean> {
  const { credential, challenge } = signed
  const party = requireRelyingParty(context)
  const row = await store.lockPasskey(tx, memberId, credential.id)
  if (row === undefined || !isAlgorithm(row.algorithm)) return false
  const { public_key: publicKey, algorithm } = row
  const known = { memberId, credentialId: credential.id, publicKey, algorithm, counter: Number(row.counter) }
  const counter = await verifyAssertion(party, known, credential, challenge)
  if (counter === null) return false
  return store.updatePasskey(tx, memberId, credential.id, { counter: BigInt(counter), used_at: now })
}

export interface Answered {
  readonly credential: PasskeyAssertion
  readonly purpose: store.Purpose
  /** Whose it has to be; null for anybody's. */
  readonly memberId: bigint | null
  readonly device: Device
}

/** Writes a refused answer into the log of its member, as long as there are few of them. */
async function recordRefusal(tx: Tx, memberId: bigint, device: Device, now: Date): Promise<void> {
  const since = new Date(now.getTime() - REFUSALS_WITHIN)
  if ((await countEventsSince(tx, memberId, 'passkey_refused', since)) >= REFUSALS_LOGGED) return
  await recordSecurityEvent(tx, { memberId, kind: 'passkey_refused', at: now, device })
}

/**
 * Takes a passkey's answer. Whatever is wrong with it is one refusal, and stands in the log of the member whose passkey
 * it is or was; its challenge is over in any case.
 * @returns whose it is
 * @throws CommittedRefusal `passkey_wrong`
 */
export async function acceptPasskey(
  context: Pick<Context, 'config'>,
  tx: CommitOnRefusalTx,
  { credential, purpose, memberId, device }: Answered,
  now: Date,
): Promise<bigint> {
  const challenge = await takePasskeyChallenge(tx, credential.response, { purpose, memberId }, now)
  const owner = await store.selectOwner(tx, credential.id)
  const isExpected = owner !== null && (memberId === null || memberId === owner)
  const signed = challenge === null ? null : { credential, challenge }
  if (isExpected && signed !== null && (await hasSigned(context, tx, owner, signed, now))) return owner
  const known = memberId ?? owner
  if (known !== null) await recordRefusal(tx, known, device, now)
  throw new CommittedRefusal(tx, 'passkey_wrong')
}
