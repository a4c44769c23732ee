/**
 * Only one passkey moves a member's money.
 *
 * Terms. A *member key* is that passkey. The API stores what the member signed; the signer verifies it, keeps the key's hash in its own
 * journal and *seals* the row. From then on it pays no withdrawal that the key has not signed, whatever is said here.
 */
import { MEMBER_PROOF_MS } from '@aval/approvals'
import type { MemberKeyKind, SecurityEventKind } from '@aval/contract'

/** Clocks of a browser and of the server may differ by this much. */
const CLOCK_MS = 30_000

export const EVENT_OF = {
  on: 'passkey_only_on',
  replaced: 'passkey_only_replaced',
  off: 'passkey_only_off',
  recovered: 'passkey_only_lost',
} as const satisfies Record<MemberKeyKind, SecurityEventKind>

/** Whether what was signed may still be handed in. */
export function isInTime(expiresAt: Date, now: Date): boolean {
  const left = expiresAt.getTime() - now.getTime()
  return left > 0 && left <= MEMBER_PROOF_MS + CLOCK_MS
}

/** What a member is told: the change counts, counts after some hours, was refused by the signer, or was not approved by operators. */
export type KeyOutcome = 'in_force' | 'replaced' | 'off' | 'waits' | 'refused' | 'not_approved'

interface Decided {
  readonly kind: MemberKeyKind
  readonly refusal: string | null
  readonly decidedAt: Date
  readonly usableFrom: Date | null
}

export function outcomeOf({ kind, refusal, decidedAt, usableFrom }: Decided): KeyOutcome {
  if (refusal !== null) return refusal === 'refused_by_operators' ? 'not_approved' : 'refused'
  if (usableFrom !== null && usableFrom > decidedAt) return 'waits'
  if (kind === 'off') return 'off'
  return kind === 'on' ? 'in_force' : 'replaced'
}

interface Row {
  readonly kind: MemberKeyKind
  readonly state: string
  readonly expires_at: Date
}

/** Whether a change waits: for operators, or for the signer, which refuses what is too old. */
export function isWaiting(newest: Row | undefined, now: Date): boolean {
  return newest?.state === 'submitted' && (newest.kind === 'recovered' || newest.expires_at > now)
}
