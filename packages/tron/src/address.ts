/**
 * Tron addresses.
 *
 * Terms: an account is 20 bytes, as on Ethereum. Tron writes them behind the byte 0x41, either as 42 hex
 * characters ("41…", what nodes speak) or as base58check ("T…", what people see). Inside this product an
 * address is always the base58check form, branded, so that no unchecked string can be paid.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { createBase58check } from '@scure/base'

declare const tronAddress: unique symbol

/** A checked base58check Tron address: 34 characters, "T…". */
export type TronAddress = string & { readonly [tronAddress]: 'TronAddress' }

const base58check = createBase58check(sha256)
const PREFIX = 0x41
const PREFIX_BYTES = Uint8Array.of(PREFIX)

/** Reads a base58check address; null when it is anything else (wrong length, checksum, prefix, characters). */
export function parseAddress(text: string): TronAddress | null {
  // The length is checked before decoding because base58 is quadratic in its input.
  if (text.length !== 34) return null
  try {
    const bytes = base58check.decode(text)
    return bytes.length === 21 && bytes[0] === PREFIX ? (text as TronAddress) : null
  } catch {
    return null
  }
}

/** The 42 hex characters that nodes use: "41" and 20 bytes, lower case. */
export function addressToHex(address: TronAddress): string {
  return bytesToHex(base58check.decode(address))
}

/**
 * Reads an address from hex, with or without "0x": 21 bytes ("41…"), 20 bytes (logs, EVM) or a 32-byte EVM
 * word with twelve leading zero bytes (topics, call data).
 * @throws RangeError for any other text
 */
export function addressFromHex(hex: string): TronAddress {
  const address = tryAddressFromHex(hex)
  if (address === null) throw new RangeError('not a Tron address in hex')
  return address
}

/** As {@link addressFromHex}, but null instead of an error: for what a stranger sent. */
export function tryAddressFromHex(hex: string): TronAddress | null {
  const match = /^(?:0x)?(?:41|0{24})?([0-9a-f]{40})$/i.exec(hex)
  const account = match?.[1]
  return account === undefined ? null : addressFromAccount(hexToBytes(account))
}

/**
 * The address of a private key.
 * @param privateKey 32 bytes, or their 64 hex characters
 * @throws when it is not a valid secp256k1 secret key
 */
export function addressFromPrivateKey(privateKey: Uint8Array | string): TronAddress {
  const bytes = typeof privateKey === 'string' ? hexToBytes(privateKey) : privateKey
  return addressFromPublicKey(secp256k1.getPublicKey(bytes, false))
}

/** The address of a secp256k1 public key, compressed (33 bytes) or not (65 bytes). */
export function addressFromPublicKey(publicKey: Uint8Array): TronAddress {
  const uncompressed = secp256k1.Point.fromBytes(publicKey).toBytes(false)
  return addressFromAccount(keccak_256(uncompressed.subarray(1)).subarray(12))
}

/**
 * The address a CreateSmartContract transaction deploys to: the last 20 bytes of keccak256(txid ‖ owner).
 * @param txid 64 hex characters
 */
export function contractAddress(txid: string, owner: TronAddress): TronAddress {
  const seed = concatBytes(hexToBytes(txid), base58check.decode(owner))
  return addressFromAccount(keccak_256(seed).subarray(12))
}

function addressFromAccount(account: Uint8Array): TronAddress {
  return base58check.encode(concatBytes(PREFIX_BYTES, account)) as TronAddress
}
