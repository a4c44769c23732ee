/** Members whose own passkey alone moves their money: what the server would have stored of what they signed, right or wrong. */
import { randomBytes } from 'node:crypto'
import {
  type MemberKey,
  type MemberWithdrawalRequest,
  memberKeyChallenge,
  memberKeyHash,
  memberWithdrawalChallenge,
} from '@aval/approvals'
import { type AssertionChanges, type Authenticator, createAuthenticator } from '@aval/approvals/testing'
import { MEMBERS_ORIGIN } from '../../testing/approvers.ts'
import type { ApprovedWithdrawal, SignerHarness } from './signer-harness.ts'

const MINUTE = 60_000

/** How a change of a key differs from an honest one. */
export interface KeyDifferences {
  readonly kind?: 'on' | 'replaced' | 'off' | 'recovered'
  /** Who signs, where it is not the new key itself. */
  readonly by?: Authenticator
  readonly version?: number
  readonly expiresAt?: number
  readonly assertion?: AssertionChanges
  /** In the row's columns. */
  readonly row?: Readonly<Record<string, unknown>>
}

/** How a member's signature of a withdrawal differs from an honest one. */
export interface ProofDifferences {
  /** In what is signed. */
  readonly signed?: Partial<MemberWithdrawalRequest>
  readonly assertion?: AssertionChanges
  readonly expiresAt?: number
  readonly row?: Readonly<Record<string, unknown>>
}

export const newKey = (): Authenticator => createAuthenticator(MEMBERS_ORIGIN)
export const nonceOf = (): string => randomBytes(32).toString('hex')

const inserting =
  ({ rows }: SignerHarness) =>
  (table: string, columns: Readonly<Record<string, unknown>>) => {
    const names = Object.keys(columns)
    return rows(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, place) => `$${place + 1}`).join(', ')})`,
      Object.values(columns),
    )
  }

export function createMembers(harness: SignerHarness) {
  const { rows, now, memberKeys } = harness
  const insert = inserting(harness)
  const stateOf = async (memberId: bigint, version: number) => {
    const [found] = await rows<{ state: string; refusal: string | null; usable_from: Date | null }>(
      'SELECT state, refusal, usable_from FROM member_key WHERE member_id = $1 AND version = $2',
      [memberId, version],
    )
    return found
  }
  const submit = async (memberId: bigint, key: Authenticator | null, differences: KeyDifferences = {}) => {
    const { kind = 'on', version = 1, expiresAt = now().getTime() + 9 * MINUTE, assertion, row } = differences
    const pinned: MemberKey | null = key?.passkey ?? null
    const keyHash = pinned === null ? '' : memberKeyHash(pinned)
    const nonce = nonceOf()
    const challenge = memberKeyChallenge({ network: 'devnet', memberId, version, keyHash, expiresAt, nonce })
    const signer = differences.by ?? key ?? newKey()
    await insert('member_key', {
      member_id: memberId,
      version,
      kind,
      credential_id: pinned?.credentialId ?? null,
      algorithm: pinned?.algorithm ?? null,
      public_key: pinned?.publicKey ?? null,
      key_hash: keyHash,
      proof: JSON.stringify(signer.approve(challenge, assertion)),
      expires_at: new Date(expiresAt),
      nonce,
      ...row,
    })
    return { version, keyHash }
  }
  return {
    stateOf,
    submit,
    /** Submits a change, and has the signer decide: `sealed`, `submitted`, or why it was refused. */
    async change(
      memberId: bigint,
      key: Authenticator | null,
      differences: KeyDifferences = {},
    ): Promise<string> {
      const { version } = await submit(memberId, key, differences)
      await memberKeys.decideAll()
      const after = await stateOf(memberId, version)
      return after?.refusal ?? after?.state ?? 'gone'
    },
    /** Stores what the member signed for a withdrawal; its nonce. */
    async prove(
      by: Authenticator,
      asked: ApprovedWithdrawal,
      differences: ProofDifferences = {},
    ): Promise<string> {
      const { memberId, id, amount, wallet } = asked
      const { expiresAt = now().getTime() + 9 * MINUTE, signed, assertion, row } = differences
      const nonce = signed?.nonce ?? nonceOf()
      const request = { network: 'devnet', memberId, amount, wallet, expiresAt, nonce, ...signed }
      await insert('withdrawal_proof', {
        member_id: memberId,
        withdrawal_id: id,
        credential_id: by.passkey.credentialId,
        proof: JSON.stringify(by.approve(memberWithdrawalChallenge(request), assertion)),
        expires_at: new Date(expiresAt),
        nonce,
        ...row,
      })
      return nonce
    },
  }
}
