/** What an operator's key signs: one list, on one network, until one moment, once. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type ApprovalRow, type DecisionRow, decisionLeafOf, leafOf, merkleRoot } from './merkle.ts'

const PURPOSES = ['withdrawals', 'decisions'] as const
export type Purpose = (typeof PURPOSES)[number]

export interface ApprovalRequest {
  readonly network: string
  readonly purpose: Purpose
  /** System time, in milliseconds. */
  readonly expiresAt: number
  /** 64 hex digits, good once. */
  readonly nonce: string
  /** 64 hex digits. */
  readonly root: string
  readonly count: number
}

/** How long an approval may be accepted after it was given; a day where the signer has no network. */
export const LIFETIME_MS = 10 * 60_000
export const OFFLINE_LIFETIME_MS = 24 * 3_600_000

/** The 32 bytes that a key signs for a request. @throws RangeError when a part could be read as another */
export function challengeOf(request: ApprovalRequest): Uint8Array {
  const { network, purpose, expiresAt, nonce, count, root } = request
  if (!/^[a-z]{1,20}$/.test(network) || !PURPOSES.includes(purpose)) {
    throw new RangeError('a request names its network and purpose')
  }
  if (!/^[0-9a-f]{64}$/.test(nonce) || !/^[0-9a-f]{64}$/.test(root)) {
    throw new RangeError('nonce and root have 64 hex digits')
  }
  if (![expiresAt, count].every((value) => Number.isSafeInteger(value) && value > 0)) {
    throw new RangeError('expiry and count are whole numbers')
  }
  return sha256(
    utf8ToBytes(`aval approval 1\n${network}\n${purpose}\n${expiresAt}\n${nonce}\n${count}\n${root}`),
  )
}

/** Root and count of these rows, in this order. */
export function listOf(rows: readonly ApprovalRow[]): Pick<ApprovalRequest, 'root' | 'count'> {
  return { root: bytesToHex(merkleRoot(rows.map(leafOf))), count: rows.length }
}

/** The same of decisions. */
export function listOfDecisions(rows: readonly DecisionRow[]): Pick<ApprovalRequest, 'root' | 'count'> {
  return { root: bytesToHex(merkleRoot(rows.map(decisionLeafOf))), count: rows.length }
}
