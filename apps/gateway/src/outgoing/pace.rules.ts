/** How often things are tried again, in milliseconds of the system's time. */
export interface Pace {
  /** After something was in the way of a withdrawal, or of all. */
  readonly recheckMs: number
  /** After the signer's daily cap was reached. */
  readonly capMs: number
  /** Until the same bytes are handed to the nodes again. */
  readonly rebroadcastMs: number
}
