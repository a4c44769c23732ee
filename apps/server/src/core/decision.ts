/** A call that a code has to confirm, and who makes it. */
export interface Decision {
  readonly memberId: bigint
  readonly sessionId: string
  /** The code as it was typed; null when none came. */
  readonly otp: string | null
  /** The call's hash when it has an Idempotency-Key; null otherwise. */
  readonly attempt: string | null
  /** For the audit trail, `noun.verb`: `pool.fund`. */
  readonly action: string
  /** For the audit trail, `noun:id`: `pool:profit`. */
  readonly subject: string
}
