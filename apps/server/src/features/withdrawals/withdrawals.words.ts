/** Why a withdrawal came to nothing, in words. */
import type { Locale } from '@aval/contract'
import { say } from '../../core/messages.ts'

/** Stable names of reasons that no operator wrote. */
const REASONS = {
  not_me: 'withdrawal_reason_not_me',
  transfer_refused: 'withdrawal_reason_transfer_refused',
  transfer_failed: 'withdrawal_reason_transfer_failed',
} as const
export type KnownReason = keyof typeof REASONS

const isKnown = (reason: string): reason is KnownReason => Object.hasOwn(REASONS, reason)

/** A stored reason as it is told: a sentence for what has a name, else the operator's own words. */
export function sayReason(locale: Locale, reason: string | null): string | null {
  if (reason === null) return null
  return isKnown(reason) ? say(locale, REASONS[reason]) : reason
}
