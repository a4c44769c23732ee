/** The opened keys: their addresses, and signatures by them. The keys themselves are never returned. */
import {
  addressFromPrivateKey,
  depositAddress,
  depositPrivateKeyOf,
  depositXpub,
  signTransaction,
  type TronAddress,
} from '@aval/tron'
import type { Policy } from '../policy.rules.ts'
import { type AuditKey, createAuditKey } from './audit-key.ts'

export interface Keys {
  readonly network: string
  readonly usdt: TronAddress
  /** 32 bytes. */
  readonly hotKey: Uint8Array
  readonly cold: TronAddress
  /** The extended private key at m/44'/195'/0', under which every deposit address lies. */
  readonly depositKey: string
  readonly policy: Policy
}

export interface KeyRing {
  readonly network: string
  readonly usdt: TronAddress
  readonly hot: TronAddress
  readonly cold: TronAddress
  /** What deposit addresses derive from, without the right to sign. */
  readonly xpub: string
  /** Signs the head of the audit trail. */
  readonly audit: AuditKey
  readonly policy: Policy
  /** The deposit address of this index; null for a number that no key has. */
  depositAddress(index: bigint): TronAddress | null
  /** The 65 bytes of a signature over these transaction bytes. @param index of the deposit address, where it is one */
  sign(raw: Uint8Array, owner: 'hot' | 'deposit', index: bigint): Uint8Array
}

/** Deposit addresses have indexes below this; above are hardened keys. */
const INDEX_END = 2n ** 31n

/** @throws when the deposit key is invalid */
export function createKeyRing({ network, usdt, hotKey, cold, depositKey, policy }: Keys): KeyRing {
  const xpub = depositXpub(depositKey)
  const hot = addressFromPrivateKey(hotKey)
  return {
    network,
    usdt,
    hot,
    cold,
    xpub,
    audit: createAuditKey(depositKey),
    policy,
    depositAddress: (index) =>
      index >= 0n && index < INDEX_END ? depositAddress(xpub, Number(index)) : null,
    sign(raw, owner, index) {
      if (owner === 'hot') return signTransaction(raw, hotKey).signature
      const key = depositPrivateKeyOf(depositKey, Number(index))
      return signTransaction(raw, key).signature
    },
  }
}
