/** When custody does what; in milliseconds of the system's time. */
export interface Timing {
  /** How often our addresses are read at least. */
  readonly readMs: number
  /** How soon after something of ours moved. */
  readonly afterMoveMs: number
  /** How often it is considered whether money should move between our addresses. */
  readonly moveMs: number
  /** How long a sweep that came to nothing is not tried again. */
  readonly retryMs: number
  /** How many addresses are read in a round, besides the company's wallets. */
  readonly addresses: number
}
