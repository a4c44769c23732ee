import type { Database } from '@aval/db'
import type { TronAddress } from '@aval/tron'
import type { ChainStatus, HealthLimits } from '../chain/health.rules.ts'
import type { Nodes } from '../chain/nodes.ts'
import type { Log } from '../core/log.ts'
import type { SignerPort } from '../signer/socket.ts'

/** How often things are tried again, in milliseconds of the system's time. */
export interface RetryIntervals {
  /** While a withdrawal, or all of them, are delayed. */
  readonly recheckMs: number
  /** While the signer's daily cap is reached. */
  readonly capMs: number
  /** Until the same bytes are sent to the nodes again. */
  readonly rebroadcastMs: number
}

export interface OutgoingContext {
  readonly db: Database
  /** The name under which the cursor is kept. */
  readonly network: string
  readonly nodes: Nodes
  /** Null: nothing is signed here; what was signed elsewhere is broadcast. */
  readonly signer: SignerPort | null
  readonly usdt: TronAddress
  readonly hot: TronAddress
  /** How long a transfer can enter the chain after it was built. */
  readonly lifetimeMs: number
  /** The most a transfer may burn, in sun. */
  readonly feeLimit: bigint
  readonly status: () => ChainStatus | null
  readonly healthLimits: HealthLimits
  readonly retry: RetryIntervals
  readonly log: Log
}
