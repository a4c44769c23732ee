/** What an approval must be before its proof is verified, and how many operators its rows need. */
import { type ApprovalRequest, type ApprovalRow, LIFETIME_MS, listOf, type Purpose } from '@aval/approvals'
import { z } from 'zod'
import { approverWith, operatorsNeeded, type Policy } from '../policy.rules.ts'
import type { AssertionRefusal } from './webauthn.rules.ts'

export type ApprovalRefusal =
  | AssertionRefusal
  | 'other_network'
  | 'unknown_purpose'
  | 'approval_expired'
  | 'approval_too_far'
  | 'nonce_used'
  | 'list_differs'
  | 'row_twice'
  | 'not_an_approver'
  | 'own_withdrawal'
  | 'proof_invalid'
  | 'unknown_key'
  | 'code_not_set_up'
  | 'code_above_cap'
  | 'code_day_reached'
  | 'code_locked'
  | 'code_not_for_decisions'
  | 'code_without_network'
  | 'member_key_without_network'
  | 'unknown_decision'
  | 'wrong_code'

/** Clocks of a browser and of the signer may differ by this much. */
export const CLOCK_MS = 30_000

const base64url = (longest: number) => z.string().regex(new RegExp(`^[A-Za-z0-9_-]{1,${longest}}$`))
/** What a passkey answered, as it travels. */
export const passkeyProofSchema = z.strictObject({
  kind: z.literal('passkey'),
  credential_id: base64url(1_400),
  client_data: base64url(1_400),
  authenticator_data: base64url(400),
  signature: base64url(700),
})
const proofSchema = z.discriminatedUnion('kind', [
  passkeyProofSchema,
  z.strictObject({ kind: z.literal('code'), code: z.string().regex(/^\d{6}$/) }),
])
export type Proof = z.output<typeof proofSchema>

/** An approval with its rows, as anybody could have written it. */
export interface Claimed<Row> extends Omit<ApprovalRequest, 'purpose'> {
  readonly purpose: string
  readonly operatorId: bigint
  readonly proof: unknown
  readonly rows: readonly Row[]
}
export type ClaimedApproval = Claimed<ApprovalRow>

export interface Checked {
  readonly request: ApprovalRequest
  readonly proof: Proof
  /** Micro-USDT of all rows; nothing of decisions. */
  readonly sum: bigint
}

/** Network, purpose and time, before anything is computed. */
export function checkTerms(
  claimed: Claimed<unknown>,
  purpose: Purpose,
  network: string,
  now: number,
  lifetimeMs = LIFETIME_MS,
): ApprovalRefusal | null {
  if (claimed.network !== network) return 'other_network'
  if (claimed.purpose !== purpose) return 'unknown_purpose'
  if (claimed.expiresAt <= now) return 'approval_expired'
  return claimed.expiresAt > now + lifetimeMs + CLOCK_MS ? 'approval_too_far' : null
}

/** The proof, by a key that is pinned for its operator. */
export function checkProof({ operatorId, proof }: Claimed<unknown>, policy: Policy): Proof | ApprovalRefusal {
  const read = proofSchema.safeParse(proof)
  if (!read.success) return 'proof_invalid'
  const key = read.data.kind === 'code' ? 'code' : read.data.credential_id
  if (approverWith(policy, operatorId, key) !== null) return read.data
  return key === 'code' ? 'code_not_set_up' : 'unknown_key'
}

export const isApprover = (policy: Policy, operatorId: bigint): boolean =>
  policy.approvers.some(({ memberId }) => memberId === operatorId)

/**
 * All that can be said without cryptography but for the list's hash.
 * @param now system time, in milliseconds
 * @param lifetimeMs the longest that an approval may still be good for
 */
export function checkApproval(
  claimed: ClaimedApproval,
  policy: Policy,
  network: string,
  now: number,
  lifetimeMs = LIFETIME_MS,
): Checked | ApprovalRefusal {
  const { operatorId, rows, expiresAt, nonce, root, count } = claimed
  const refused = checkTerms(claimed, 'withdrawals', network, now, lifetimeMs)
  if (refused !== null) return refused
  if (!isListOf(rows, claimed)) return 'list_differs'
  if (new Set(rows.map(({ withdrawalId }) => withdrawalId)).size !== rows.length) return 'row_twice'
  if (!isApprover(policy, operatorId)) return 'not_an_approver'
  if (rows.some(({ memberId }) => memberId === operatorId)) return 'own_withdrawal'
  const proof = checkProof(claimed, policy)
  if (typeof proof === 'string') return proof
  const sum = rows.reduce((before, { amount }) => before + amount, 0n)
  return { request: { network, purpose: 'withdrawals', expiresAt, nonce, root, count }, proof, sum }
}

/** Whether these are the rows behind a root, all of them and in their order. */
export function isListOf(
  rows: readonly ApprovalRow[],
  { root, count }: Pick<ApprovalRequest, 'root' | 'count'>,
): boolean {
  if (rows.length !== count) return false
  try {
    return listOf(rows).root === root
  } catch {
    return false
  }
}

/** Codes say nothing of what they approve: the key file caps them. */
export function checkCodeCaps(
  rows: readonly ApprovalRow[],
  sum: bigint,
  approvedToday: bigint,
  { codes }: Policy,
): ApprovalRefusal | null {
  if (rows.some(({ amount }) => amount > codes.each)) return 'code_above_cap'
  return approvedToday + sum > codes.perDay ? 'code_day_reached' : null
}

/**
 * How many operators each row needs, in the list's order: a withdrawal counts with its member's others of a day.
 * @param others what else of a member counts, by withdrawal, in micro-USDT
 */
export function neededOf(
  rows: readonly ApprovalRow[],
  policy: Pick<Policy, 'needed'>,
  others: (memberId: bigint) => ReadonlyMap<string, bigint>,
): number[] {
  const byMember = new Map<bigint, Map<string, bigint>>()
  for (const { memberId, withdrawalId, amount } of rows) {
    const counted = byMember.get(memberId) ?? new Map(others(memberId))
    byMember.set(memberId, counted.set(String(withdrawalId), amount))
  }
  return rows.map(({ memberId }) =>
    operatorsNeeded(
      policy,
      [...(byMember.get(memberId)?.values() ?? [])].reduce((sum, amount) => sum + amount, 0n),
    ),
  )
}

export const sameRow = (one: ApprovalRow, other: ApprovalRow): boolean =>
  one.withdrawalId === other.withdrawalId &&
  one.memberId === other.memberId &&
  one.amount === other.amount &&
  one.fee === other.fee &&
  one.wallet === other.wallet
