/**
 * TRC20 transfers: the `Transfer` event as a contract emits it, and the `transfer(address,uint256)` call.
 * Only the event proves that tokens moved; the call only shows what was asked for.
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { addressToHex, type TronAddress, tryAddressFromHex } from './address.ts'

/** The first topic of every TRC20 transfer: keccak256("Transfer(address,address,uint256)"), hex. */
export const TRANSFER_TOPIC = bytesToHex(keccak_256(utf8ToBytes('Transfer(address,address,uint256)')))

const TRANSFER_SELECTOR = 'a9059cbb'
const UINT256_END = 1n << 256n

/** An event log. Topics and data are lower-case hex without "0x". */
export interface Log {
  readonly contract: TronAddress
  readonly topics: readonly string[]
  readonly data: string
}

/** A decoded `Transfer` event. `value` is in the token's smallest unit (micro-USDT for USDT). */
export interface Transfer {
  readonly contract: TronAddress
  readonly from: TronAddress
  readonly to: TronAddress
  readonly value: bigint
}

/**
 * Decodes a `Transfer` event, strictly: three topics, addresses in clean 32-byte words, 32 bytes of data.
 * Null for everything else, such as an NFT's transfer, whose value is a fourth topic.
 */
export function decodeTransfer(log: Log): Transfer | null {
  const [topic, fromWord, toWord] = log.topics
  if (log.topics.length !== 3 || topic !== TRANSFER_TOPIC) return null
  const from = wordToAddress(fromWord)
  const to = wordToAddress(toWord)
  if (from === null || to === null || !isWord(log.data)) return null
  return { contract: log.contract, from, to, value: BigInt(`0x${log.data}`) }
}

/**
 * Decodes the call data of `transfer(address,uint256)`; null when it is another call or has another length.
 * @param data hex without "0x"
 */
export function decodeTransferCall(data: string): { to: TronAddress; value: bigint } | null {
  if (data.length !== 136 || !data.startsWith(TRANSFER_SELECTOR)) return null
  const to = wordToAddress(data.slice(8, 72))
  const valueWord = data.slice(72)
  return to === null || !isWord(valueWord) ? null : { to, value: BigInt(`0x${valueWord}`) }
}

/**
 * The call data of `transfer(to, value)`, as hex without "0x".
 * @param value in the token's smallest unit
 * @throws RangeError when the value is negative or does not fit 256 bits
 */
export function encodeTransferCall(to: TronAddress, value: bigint): string {
  return TRANSFER_SELECTOR + encodeAddressWord(to) + encodeUintWord(value)
}

/** An address as a 32-byte ABI word, hex without "0x". */
export function encodeAddressWord(address: TronAddress): string {
  return addressToHex(address).slice(2).padStart(64, '0')
}

/**
 * An unsigned integer as a 32-byte ABI word, hex without "0x".
 * @throws RangeError when it is negative or does not fit
 */
export function encodeUintWord(value: bigint): string {
  if (value < 0n || value >= UINT256_END) throw new RangeError('the value does not fit an uint256')
  return value.toString(16).padStart(64, '0')
}

function isWord(hex: string | undefined): hex is string {
  return hex !== undefined && /^[0-9a-f]{64}$/.test(hex)
}

function wordToAddress(word: string | undefined): TronAddress | null {
  return isWord(word) ? tryAddressFromHex(word) : null
}
