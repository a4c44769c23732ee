/** Signing transactions, and finding out who signed one. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { addressFromPublicKey, type TronAddress } from './address.ts'
import { encodeSigned, transactionId } from './transaction.ts'

/** A signed transaction. `hex` is what a node takes; all texts are lower-case hex. */
export interface SignedTransaction {
  readonly txid: string
  readonly raw: Uint8Array
  /** r ‖ s ‖ v: 65 bytes, v is 27 or 28. */
  readonly signature: Uint8Array
  readonly hex: string
}

/**
 * Signs raw transaction bytes. Deterministic (RFC 6979): the same bytes and key give the same signature.
 * @param privateKey 32 bytes
 */
export function signTransaction(raw: Uint8Array, privateKey: Uint8Array): SignedTransaction {
  const txid = transactionId(raw)
  const recovered = secp256k1.sign(hexToBytes(txid), privateKey, { prehash: false, format: 'recovered' })
  // noble puts the recovery bit first; Tron wants it last, counted from 27.
  const signature = concatBytes(recovered.subarray(1), Uint8Array.of(27 + (recovered[0] ?? 0)))
  return { txid, raw, signature, hex: bytesToHex(encodeSigned({ raw, signatures: [signature] })) }
}

/**
 * The address whose key made this signature; null when it is no signature at all.
 * @param txid 64 hex characters
 * @param signature 65 bytes r ‖ s ‖ v; v may be 0, 1, 27 or 28, as java-tron takes it
 */
export function recoverSigner(txid: string, signature: Uint8Array): TronAddress | null {
  const v = signature[64]
  if (signature.length !== 65 || v === undefined) return null
  const recovery = v >= 27 ? v - 27 : v
  if (recovery !== 0 && recovery !== 1) return null
  const recovered = concatBytes(Uint8Array.of(recovery), signature.subarray(0, 64))
  try {
    const key = secp256k1.recoverPublicKey(recovered, hexToBytes(txid), { prehash: false })
    return addressFromPublicKey(key)
  } catch {
    return null
  }
}
