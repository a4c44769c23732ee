import type { BinaryPoints, NotPaidReason, PaymentState } from '@aval/contract'

type Waiting = Exclude<PaymentState, 'paid'>

/** How a payment that has not arrived is marked. Nothing but money missing calls for attention. */
export const WAITING_TONES: Record<Waiting, string> = {
  posting: '',
  awaiting_funding: 'badge-wait',
  in_review: '',
}

export const POINTS_TONES: Record<BinaryPoints['state'], string> = {
  open: '',
  counted: 'badge-ok',
  reversed: 'badge-bad',
}

/** A waiting state the interface has words for; a newer server's waits like any other. */
export function waitingState(state: PaymentState): Waiting | null {
  if (state === 'paid') return null
  return state in WAITING_TONES ? state : 'posting'
}

/** What a member can do about it, or that it is nothing to do with the member. */
type Remedy = 'activate' | 'refer' | 'limit' | 'company'

export const REMEDIES: Record<NotPaidReason, Remedy> = {
  inactive: 'activate',
  skipped: 'activate',
  no_active_left: 'refer',
  no_active_right: 'refer',
  no_active_referrals: 'refer',
  flushed: 'limit',
  capped: 'limit',
  pro_rata: 'company',
}
