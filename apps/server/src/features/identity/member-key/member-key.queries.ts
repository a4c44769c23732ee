import { randomBytes } from 'node:crypto'
import { MEMBER_PROOF_MS } from '@aval/approvals'
import type { MemberKeyParts, MemberKeyState } from '@aval/contract'
import type { Db } from '@aval/db'
import type { Context } from '../../../core/context.ts'
import { Refusal } from '../../../core/refusal.ts'
import { listPublicKeys } from '../passkeys/passkeys.queries.ts'
import { relyingPartyOf } from '../passkeys/passkeys.rules.ts'
import { isWaiting } from './member-key.rules.ts'
import { type KeyRow, selectKeys, selectNetwork } from './member-key.sql.ts'

/** The key that counts. */
export interface KeyInForce {
  readonly credentialId: string
  readonly publicKey: string
  readonly algorithm: NonNullable<KeyRow['algorithm']>
  readonly usableFrom: Date
}

export function inForce(sealed: KeyRow | undefined): KeyInForce | null {
  if (sealed === undefined || sealed.kind === 'off') return null
  const { credential_id: credentialId, public_key: publicKey, algorithm, usable_from: usableFrom } = sealed
  if (credentialId === null || publicKey === null || algorithm === null || usableFrom === null)
    throw new Error('a sealed key has all of its parts')
  return { credentialId, publicKey, algorithm, usableFrom }
}

/** The passkey that alone moves a member's money; null where none does. */
export async function findKeyInForce(db: Db, memberId: bigint): Promise<KeyInForce | null> {
  return inForce((await selectKeys(db, memberId)).sealed)
}

/** For calls that ask for no passkey. @throws Refusal `passkey_required` */
export async function requireNoMemberKey(db: Db, memberId: bigint): Promise<void> {
  if ((await findKeyInForce(db, memberId)) !== null) throw new Refusal('passkey_required')
}

export async function readState(db: Db, memberId: bigint, now: Date): Promise<MemberKeyState> {
  const { newest, sealed } = await selectKeys(db, memberId)
  const key = inForce(sealed)
  const waits = isWaiting(newest, now)
  return {
    on: key !== null,
    credential_id: key?.credentialId ?? null,
    usable_from: key === null || key.usableFrom <= now ? null : key.usableFrom.toISOString(),
    waiting:
      newest === undefined || !waits
        ? null
        : { kind: newest.kind, submitted_at: newest.submitted_at.toISOString() },
    refused:
      newest?.state === 'refused'
        ? newest.refusal
        : newest?.state === 'submitted' && !waits
          ? 'member_key_expired'
          : null,
  }
}

/** What an app computes a challenge from. @throws Refusal `passkeys_unavailable` */
export async function readParts(
  { db, config }: Context,
  memberId: bigint,
  now: Date,
): Promise<MemberKeyParts> {
  const party = relyingPartyOf(config.publicUrl)
  if (party === null) throw new Refusal('passkeys_unavailable')
  const { newest, sealed } = await selectKeys(db, memberId)
  return {
    network: await selectNetwork(db),
    member_id: Number(memberId),
    version: (newest?.version ?? 0) + 1,
    nonce: randomBytes(32).toString('hex'),
    expires_at: new Date(now.getTime() + MEMBER_PROOF_MS).toISOString(),
    rp_id: party.id,
    credential_id: inForce(sealed)?.credentialId ?? null,
    passkeys: await listPublicKeys(db, memberId),
  }
}
