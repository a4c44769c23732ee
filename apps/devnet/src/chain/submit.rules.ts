/**
 * Whether a node takes a transaction. Source: java-tron's `Wallet.broadcastTransaction` and
 * `Manager.pushTransaction`: codes and texts are theirs, so that clients meet what they will meet outside.
 */
import type { RawTransaction } from '@aval/tron'
import type { BlockHead } from './block.rules.ts'

/** `GrpcAPI.Return.response_code`, without the one for success. The last ones happen on demand only. */
export const REFUSAL_CODES = [
  'SIGERROR',
  'CONTRACT_VALIDATE_ERROR',
  'BANDWITH_ERROR',
  'DUP_TRANSACTION_ERROR',
  'TAPOS_ERROR',
  'TOO_BIG_TRANSACTION_ERROR',
  'TRANSACTION_EXPIRATION_ERROR',
  'OTHER_ERROR',
  'CONTRACT_EXE_ERROR',
  'SERVER_BUSY',
  'NO_CONNECTION',
  'NOT_ENOUGH_EFFECTIVE_CONNECTION',
  'BLOCK_UNSOLIDIFIED',
] as const

/** A refusal: java-tron's code and plain text. */
export interface Refusal {
  readonly code: (typeof REFUSAL_CODES)[number]
  readonly message: string
}

export const MAX_TRANSACTION_BYTES = 512_000
const MAX_LIFETIME_MS = 86_400_000

/** A transaction lives while the newest block is older than its expiration, and expires within a day. */
export function checkExpiration(transaction: RawTransaction, head: BlockHead): Refusal | null {
  const { expiration } = transaction
  if (expiration > head.timestamp && expiration <= head.timestamp + MAX_LIFETIME_MS) return null
  return { code: 'TRANSACTION_EXPIRATION_ERROR', message: 'Transaction expired' }
}

/** The newest block at or below the head whose number ends in the two bytes that a transaction refers to. */
export function referredNumber(transaction: RawTransaction, head: BlockHead): number | null {
  if (transaction.refBlockBytes.length !== 4) return null
  const low = Number.parseInt(transaction.refBlockBytes, 16)
  const number = head.number - ((head.number - low) & 0xffff)
  return number >= 0 ? number : null
}

/** A transaction refers to a recent block by parts of its id, so that it lives on this chain only. */
export function checkReference(transaction: RawTransaction, referred: BlockHead | null): Refusal | null {
  if (referred !== null && referred.id.slice(16, 32) === transaction.refBlockHash) return null
  return { code: 'TAPOS_ERROR', message: 'Tapos check error.' }
}

/** Both: whether a block on top of `head` may take it. */
export function checkTimes(
  transaction: RawTransaction,
  head: BlockHead,
  blockAt: (number: number) => BlockHead | null,
): Refusal | null {
  const number = referredNumber(transaction, head)
  const referred = number === null ? null : blockAt(number)
  return checkReference(transaction, referred) ?? checkExpiration(transaction, head)
}

export const DUPLICATE: Refusal = { code: 'DUP_TRANSACTION_ERROR', message: 'Dup transaction.' }
export const TOO_BIG: Refusal = { code: 'TOO_BIG_TRANSACTION_ERROR', message: 'Transaction size is too big.' }
export const NO_BANDWIDTH: Refusal = {
  code: 'BANDWITH_ERROR',
  message: 'Account resource insufficient error.',
}

export function invalidContract(detail: string): Refusal {
  return { code: 'CONTRACT_VALIDATE_ERROR', message: `Contract validate error : ${detail}` }
}

export function badSignature(detail: string): Refusal {
  return { code: 'SIGERROR', message: `Validate signature error: ${detail}` }
}
