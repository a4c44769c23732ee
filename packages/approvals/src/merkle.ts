/** A list of withdrawals, or of decisions, as one hash: a Merkle tree as of RFC 6962, so that ten thousand rows are as cheap to approve as one. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** A withdrawal as its operator sees it. Amounts are micro-USDT. */
export interface ApprovalRow {
  readonly withdrawalId: bigint
  readonly memberId: bigint
  readonly amount: bigint
  readonly fee: bigint
  readonly wallet: string
}

/** What operators decide as they see it, by its number. */
export interface DecisionRow {
  readonly decisionId: bigint
  /** "run_release" */
  readonly kind: string
  /** What is decided: short texts by name. */
  readonly statement: Readonly<Record<string, string>>
}

/** The most rows of one list. */
export const MAX_ROWS = 10_000
/** The same of decisions, which people read one by one. */
export const MAX_DECISIONS = 50

// A leaf can never be taken for a node: each begins with a byte of its own.
const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

/** The hash of one row, 32 bytes. @throws RangeError when the wallet could be read as another row */
export function leafOf({ withdrawalId, memberId, amount, fee, wallet }: ApprovalRow): Uint8Array {
  if (!/^[1-9A-HJ-NP-Za-km-z]{1,64}$/.test(wallet)) throw new RangeError('the wallet of a row is no address')
  return sha256(
    concatBytes(LEAF, utf8ToBytes(`withdrawal|${withdrawalId}|${memberId}|${amount}|${fee}|${wallet}`)),
  )
}

const NAME = /^[a-z][a-z0-9_]{0,39}$/

/** A statement as one text, its names sorted. @throws RangeError for a name that is none, or what is no text */
export function statementText(statement: DecisionRow['statement']): string {
  const entries = Object.entries(statement).toSorted(([one], [other]) => (one < other ? -1 : 1))
  if (entries.some(([name, said]) => !NAME.test(name) || typeof said !== 'string'))
    throw new RangeError('a statement has texts by name')
  return `{${entries.map(([name, said]) => `${JSON.stringify(name)}:${JSON.stringify(said)}`).join(',')}}`
}

/** The hash of one decision, 32 bytes. It begins with another word than a withdrawal's, so that none is read as the other. @throws RangeError */
export function decisionLeafOf({ decisionId, kind, statement }: DecisionRow): Uint8Array {
  if (!/^[a-z_]{1,20}$/.test(kind)) throw new RangeError('the kind of a decision is no name')
  return sha256(concatBytes(LEAF, utf8ToBytes(`decision|${decisionId}|${kind}|${statementText(statement)}`)))
}

/** SHA-256 of a document that a statement names by it, 64 hex digits. */
export const documentHash = (document: string): string => bytesToHex(sha256(utf8ToBytes(document)))

/** The hash of a list in its order, 32 bytes. @throws RangeError for none, or more than `MAX_ROWS` */
export function merkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) throw new RangeError('an empty list has no root')
  if (leaves.length > MAX_ROWS) throw new RangeError(`a list has at most ${MAX_ROWS} rows`)
  return rootOf(leaves, 0, leaves.length)
}

function rootOf(leaves: readonly Uint8Array[], from: number, to: number): Uint8Array {
  const count = to - from
  if (count === 1) return leaves[from] as Uint8Array
  let left = 1
  while (left * 2 < count) left *= 2
  return sha256(concatBytes(NODE, rootOf(leaves, from, from + left), rootOf(leaves, from + left, to)))
}
