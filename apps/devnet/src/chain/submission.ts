/** What is handed in, before the state is asked: bytes that are a transaction, signed by its owner. */
import {
  decodeRaw,
  encodeSigned,
  FormatError,
  type RawTransaction,
  recoverSigner,
  type SignedBytes,
  transactionId,
} from '@aval/tron'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Pending } from './ledger.ts'
import {
  badSignature,
  invalidContract,
  MAX_TRANSACTION_BYTES,
  type Refusal,
  TOO_BIG,
} from './submit.rules.ts'

/** A transaction to be put into a block. */
export interface Submission {
  readonly pending: Pending
  readonly transaction: RawTransaction
}

/** Reads what was handed in; a refusal when it is no transaction of this chain. */
export function readSubmission(signed: SignedBytes): Submission | Refusal {
  if (encodeSigned(signed).length > MAX_TRANSACTION_BYTES) return TOO_BIG
  const signatures = signed.signatures.map(bytesToHex)
  const pending = { txid: transactionId(signed.raw), raw: signed.raw, signatures }
  try {
    return { pending, transaction: decodeRaw(signed.raw) }
  } catch (error) {
    if (error instanceof FormatError) return invalidContract('not a kind of transaction this chain runs')
    throw error
  }
}

/** An account has one key, and the owner's must have signed. */
export function checkSigner({ pending, transaction }: Submission): Refusal | null {
  const { owner } = transaction.contract
  const [signature] = pending.signatures
  if (signature === undefined) return badSignature('miss sig or contract')
  if (pending.signatures.length > 1) return badSignature(`too many signatures, [${owner}] has one key`)
  const signer = recoverSigner(pending.txid, hexToBytes(signature))
  if (signer === owner) return null
  return badSignature(
    `${signature} is signed by ${signer ?? 'nobody'} but it is not contained of permission.`,
  )
}
