/** Whose addresses, limits and times a test is about. The keys are the development chain's. */
import {
  accountXpub,
  type ContractCall,
  DEVNET,
  depositAddress,
  devnetAddress,
  encodeTransferCall,
  parseAddress,
  type TronAddress,
} from '@aval/tron'
import { devnetKeys } from '../keys/devnet-keys.ts'
import { createKeyRing } from '../keys/key-ring.ts'
import type { Limits } from '../payment.rules.ts'

export const XPUB = accountXpub(DEVNET.mnemonic)
export const HOT = devnetAddress('hotWallet')
export const COLD = devnetAddress('coldWallet')
export const STRANGER = devnetAddress('faucet')
export const KEYS = createKeyRing(devnetKeys())
export const USDT = 1_000_000n
export const LIMITS: Limits = { dailyCap: 1_000_000n * USDT, feeLimit: 100n * USDT, fuel: 50n * USDT }
/** The chain's clock runs ninety days ahead of ours, as a demo's may. */
export const CHAIN_NOW = Date.UTC(2030, 3, 1)
export const SYSTEM_NOW = new Date(Date.UTC(2030, 0, 1))
export const MINUTE = 60_000

export function transferCall(owner: TronAddress, to: TronAddress, amount: bigint): ContractCall {
  return {
    type: 'TriggerSmartContract',
    owner,
    contract: DEVNET.usdt,
    callValue: 0n,
    data: encodeTransferCall(to, amount),
  }
}

export function known(text: string): TronAddress {
  const address = parseAddress(text)
  if (address === null) throw new Error(`${text} is no address`)
  return address
}

/** Transfers between our own addresses, as they should be: rows, and what their bytes call. */
export const DEPOSIT = depositAddress(XPUB, 5)
export const sweepRow = {
  purpose: 'sweep',
  member_id: 5n,
  from_address: DEPOSIT,
  to_address: HOT,
  amount: 7n * USDT,
}
export const sweepCall = transferCall(DEPOSIT, HOT, 7n * USDT)
export const fuelRow = {
  purpose: 'trx_topup',
  member_id: 5n,
  from_address: HOT,
  to_address: DEPOSIT,
  amount: 30n * USDT,
}
export const fuelCall: ContractCall = {
  type: 'TransferContract',
  owner: HOT,
  to: DEPOSIT,
  amount: 30n * USDT,
}
export const surplusRow = {
  purpose: 'surplus',
  member_id: 0n,
  from_address: HOT,
  to_address: COLD,
  amount: 9n * USDT,
}
export const surplusCall = transferCall(HOT, COLD, 9n * USDT)
