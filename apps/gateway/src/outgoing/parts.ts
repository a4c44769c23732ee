/** What everybody here works with. */
import type { Database } from '@aval/db'
import type { TronAddress } from '@aval/tron'
import type { Nodes } from '../chain/nodes.ts'
import type { ChainView, Soundness } from '../chain/standing.rules.ts'
import type { Log } from '../core/log.ts'
import type { SignerPort } from '../signer/protocol.ts'
import type { Moment } from './building.rules.ts'
import type { Pace } from './pace.rules.ts'

export interface PayoutParts {
  readonly db: Database
  /** The name under which the cursor is kept. */
  readonly network: string
  readonly nodes: Nodes
  /** Null: nothing is signed here; what was signed elsewhere is carried out. */
  readonly signer: SignerPort | null
  readonly usdt: TronAddress
  readonly hot: TronAddress
  /** How long a transfer can enter the chain after it was built. */
  readonly lifetimeMs: number
  /** The most a transfer may burn, in sun. */
  readonly feeLimit: bigint
  readonly view: () => ChainView | null
  readonly soundness: Soundness
  readonly pace: Pace
  readonly log: Log
}

/**
 * When a transfer built now lives. The `salt` makes two that are otherwise alike different ones: the chain does not look at
 * the timestamp, and one transaction is carried out once.
 */
export function momentOf(view: ChainView, lifetimeMs: number, salt: bigint): Moment {
  return {
    refBlockId: view.solidId,
    timestamp: view.headAt + Number(salt % 1_000n),
    expiration: view.headAt + lifetimeMs,
  }
}
