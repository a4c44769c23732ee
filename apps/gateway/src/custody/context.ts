import type { TronAddress } from '@aval/tron'
import type { OutgoingContext } from '../outgoing/context.ts'

/** The company's wallets, and when money moves between them. Amounts are micro-USDT. */
export interface Wallets {
  readonly hot: TronAddress
  readonly cold: TronAddress
  /** A deposit address with at least this is swept. */
  readonly sweepFrom: bigint
  /** Above this, the hot wallet sends to the cold one what exceeds `hotTarget`. */
  readonly hotMaximum: bigint
  readonly hotTarget: bigint
}

/** In milliseconds of the system's time. */
export interface CustodyIntervals {
  /** How often our addresses are read at least. */
  readonly readMs: number
  /** How soon after something of ours moved. */
  readonly afterMoveMs: number
  /** How often transfers between our addresses are considered. */
  readonly moveMs: number
  /** How long a sweep that failed or expired is not tried again. */
  readonly retryMs: number
  /** How many addresses are read in a round, besides the company's wallets. */
  readonly addresses: number
}

export interface CustodyContext extends Omit<OutgoingContext, 'retry' | 'hot'> {
  readonly wallets: Wallets
  readonly intervals: CustodyIntervals
}
