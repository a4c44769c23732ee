import { DEVNET, depositAccountKey, devnetAddress, devnetKey } from '@aval/tron'
import { newPolicy } from '../policy.rules.ts'
import type { Keys } from './key-ring.ts'

/** The development chain's keys, which are published. */
export function devnetKeys(): Keys {
  return {
    network: 'devnet',
    usdt: DEVNET.usdt,
    hotKey: devnetKey('hotWallet'),
    cold: devnetAddress('coldWallet'),
    depositKey: depositAccountKey(DEVNET.mnemonic),
    policy: newPolicy('devnet'),
  }
}
