/** How payments are named and where they stand, from what is stored of them. */
import type { PaymentState } from '@aval/contract'

/** More than the legs of any run: a batch covers at most 50,000 investments. */
const LEGS = 65_536n
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER)

/** What a payment is called on the wire: one number, unique among a member's payments of every kind. */
export const paymentId = (runId: bigint, leg: number): number => Number(runId * LEGS + BigInt(leg))

/** The run and leg behind a number; null for a number that no payment can have. */
export function readPaymentId(text: string): { runId: bigint; leg: number } | null {
  if (!/^[1-9]\d{0,16}$/.test(text)) return null
  const id = BigInt(text)
  return id > LARGEST ? null : { runId: id / LEGS, leg: Number(id % LEGS) }
}

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
