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

interface Row {
  readonly kind: MemberKeyKind
  readonly state: string
  readonly expires_at: Date
}

/** Whether a change waits: for operators, or for the signer, which refuses what is too old. */
export function isWaiting(newest: Row | undefined, now: Date): boolean {
  return newest?.state === 'submitted' && (newest.kind === 'recovered' || newest.expires_at > now)
}
