/** Transactions for scripted chains, correct and incorrect. */
import { createHash } from 'node:crypto'
import {
  addressFromHex,
  DEVNET,
  encodeAddressWord,
  encodeTransferCall,
  encodeUintWord,
  TRANSFER_TOPIC,
  type TronAddress,
} from '@aval/tron'

export interface ScriptedLog {
  readonly contract: TronAddress
  readonly topics: readonly string[]
  readonly data: string
}

/** A transaction with its outcome. `result` is in the receipt, `listed` in the block; they differ only where a test wants it. */
export interface ScriptedTransaction {
  readonly txid: string
  readonly type: string
  readonly owner: TronAddress
  readonly to?: TronAddress
  readonly contract?: TronAddress
  readonly data?: string
  readonly amount?: bigint
  readonly assetId?: string
  readonly result: string
  readonly listed?: string
  readonly logs: readonly ScriptedLog[]
}

export const USDT = DEVNET.usdt
/** An arbitrary address; the same for the same number. */
export function someAddress(seed: number): TronAddress {
  return addressFromHex(hash(`address ${seed}`).slice(0, 40))
}
export const PAYER = someAddress(900_001)
export const OTHER_TOKEN = someAddress(900_002)
export const HOT = someAddress(900_003)

let serial = 0
function nextTxid(): string {
  serial += 1
  return hash(`transaction ${serial} of ${process.pid}`)
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A well-formed Transfer event. */
export function transferLog(to: TronAddress, value: bigint, contract: TronAddress = USDT): ScriptedLog {
  const topics = [TRANSFER_TOPIC, encodeAddressWord(PAYER), encodeAddressWord(to)]
  return { contract, topics, data: encodeUintWord(value) }
}

/** A contract call with these logs. */
export function call(changes: Partial<ScriptedTransaction>): ScriptedTransaction {
  return {
    txid: nextTxid(),
    type: 'TriggerSmartContract',
    owner: PAYER,
    contract: USDT,
    data: '',
    result: 'SUCCESS',
    logs: [],
    ...changes,
  }
}

/** A successful `transfer(to, value)` of a token. */
export function tokenTransfer(
  to: TronAddress,
  value: bigint,
  changes: Partial<ScriptedTransaction> = {},
): ScriptedTransaction {
  const contract = changes.contract ?? USDT
  const data = encodeTransferCall(to, value)
  return call({ contract, data, logs: [transferLog(to, value, contract)], ...changes })
}

/** The same call, but it failed. */
export function failedTransfer(
  to: TronAddress,
  value: bigint,
  changes: Partial<ScriptedTransaction> = {},
): ScriptedTransaction {
  return tokenTransfer(to, value, { result: 'REVERT', logs: [], ...changes })
}

/** Call data of `transferFrom(PAYER, to, value)`. */
export function transferFromData(to: TronAddress, value: bigint): string {
  return `23b872dd${encodeAddressWord(PAYER)}${encodeAddressWord(to)}${encodeUintWord(value)}`
}

/** A TRX transfer. */
export function assetTransfer(to: TronAddress, amount: bigint): ScriptedTransaction {
  return { txid: nextTxid(), type: 'TransferContract', owner: PAYER, to, amount, result: 'SUCCESS', logs: [] }
}

/** A TRC10 transfer. */
export function trc10Transfer(to: TronAddress, amount: bigint, assetId: string): ScriptedTransaction {
  return { ...assetTransfer(to, amount), type: 'TransferAssetContract', assetId }
}
