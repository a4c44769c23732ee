/** The token contract from outside: how it is created, called, and where it keeps balances. */
import { addressToHex, DEVNET, encodeAddressWord, encodeUintWord, type TronAddress } from '@aval/tron'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { USDT_BYTECODE } from '../contract/usdt.generated.ts'

/** The place of `balances` among the fields that contract/Usdt.sol stores. */
const BALANCES_SLOT = 6n

/** The creation code of a token of this kind: its bytecode and its constructor's arguments, hex. */
export function tokenInitCode(name: string, symbol: string, supply: bigint): string {
  const [encodedName, encodedSymbol] = [encodeString(name), encodeString(symbol)]
  const second = BigInt(96 + encodedName.length / 2)
  const head = encodeUintWord(96n) + encodeUintWord(second) + encodeUintWord(supply)
  return USDT_BYTECODE + head + encodedName + encodedSymbol
}

/** Call data: the function's four bytes and its arguments as words, hex. */
export function tokenCall(signature: string, words: readonly string[]): string {
  return bytesToHex(keccak_256(utf8ToBytes(signature)).subarray(0, 4)) + words.join('')
}

/** The state key of an account's USDT: where Solidity puts the entry of a mapping. */
export function balanceKey(account: TronAddress): string {
  const slot = keccak_256(hexToBytes(encodeAddressWord(account) + encodeUintWord(BALANCES_SLOT)))
  return `s:${addressToHex(DEVNET.usdt).slice(2)}:${bytesToHex(slot)}`
}

function encodeString(value: string): string {
  const bytes = bytesToHex(utf8ToBytes(value))
  return encodeUintWord(BigInt(bytes.length / 2)) + bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')
}
