/**
 * How blocks are made of bytes. Source: java-tron's `BlockHeader.raw` and `BlockCapsule`: an id is the SHA-256
 * of the header with its first eight bytes replaced by the block's number.
 */
import { addressToHex, bytesField, devnetAddress, message, varintField } from '@aval/tron'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'

/** A block's header. Times are milliseconds since 1970; ids and roots are 64 hex characters. */
export interface BlockHead {
  readonly number: number
  readonly id: string
  readonly parentId: string
  readonly timestamp: number
  readonly txRoot: string
  readonly txCount: number
}

/** The version that java-tron writes into its headers. */
export const BLOCK_VERSION = 31

/** The one witness that makes all blocks. */
export const WITNESS = devnetAddress('witness')

const WITNESS_BYTES = hexToBytes(addressToHex(WITNESS))
const ZERO_HASH = '0'.repeat(64)

/** The header of the block after `parent` (null for the first block) with these whole transactions. */
export function makeBlock(
  parent: Pick<BlockHead, 'number' | 'id'> | null,
  timestamp: number,
  transactions: readonly Uint8Array[],
): BlockHead {
  const number = parent === null ? 0 : parent.number + 1
  const parentId = parent === null ? ZERO_HASH : parent.id
  const txRoot = merkleRoot(transactions)
  const header = message(
    varintField(1, BigInt(timestamp)),
    bytesField(2, hexToBytes(txRoot)),
    bytesField(3, hexToBytes(parentId)),
    varintField(7, BigInt(number)),
    bytesField(9, WITNESS_BYTES),
    varintField(10, BigInt(BLOCK_VERSION)),
  )
  const id = number.toString(16).padStart(16, '0') + bytesToHex(sha256(header)).slice(16)
  return { number, id, parentId, timestamp, txRoot, txCount: transactions.length }
}

/** The next block's time: the clock's, but always after the block before. */
export function nextTimestamp(now: number, parentTimestamp: number): number {
  return Math.max(now, parentTimestamp + 1)
}

/** Pairs are hashed together, level by level; one left over goes up as it is. */
function merkleRoot(transactions: readonly Uint8Array[]): string {
  if (transactions.length === 0) return ZERO_HASH
  let level: Uint8Array[] = transactions.map((bytes) => sha256(bytes))
  while (level.length > 1) {
    const next: Uint8Array[] = []
    for (let index = 0; index < level.length; index += 2) {
      const left = level[index]
      const right = level[index + 1]
      if (left !== undefined) next.push(right === undefined ? left : sha256(concatBytes(left, right)))
    }
    level = next
  }
  const [root] = level
  return root === undefined ? ZERO_HASH : bytesToHex(root)
}
