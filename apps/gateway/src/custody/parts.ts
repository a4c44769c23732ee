import type { Wallets } from '../config.ts'
import type { PayoutParts } from '../outgoing/parts.ts'
import type { Timing } from './timing.rules.ts'

export interface CustodyParts extends Omit<PayoutParts, 'pace' | 'hot'> {
  readonly wallets: Wallets
  readonly timing: Timing
}
