/** Reads the number of something from a path; null for what no number of ours can be. */
export function readId(text: string): bigint | null {
  return /^[1-9]\d{0,17}$/.test(text) ? BigInt(text) : null
}

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
