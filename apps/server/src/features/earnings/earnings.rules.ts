/** Where payments stand, from what is stored of them. */
import type { PaymentState } from '@aval/contract'

/** Where a payment stands, from its run. */
export function stateOf(row: {
  readonly run_state: string
  readonly posted: boolean
  readonly in_review: boolean
}): PaymentState {
  if (row.posted) return 'paid'
  if (row.run_state !== 'held') return 'posting'
  return row.in_review ? 'in_review' : 'awaiting_funding'
}
