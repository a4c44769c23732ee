/** What can be wrong with the nodes' answers, besides a NodeError of one of them. */
import { NodeError } from '@aval/tron'

/**
 * The answers do not fit together:
 * - `broken`: a block does not follow the one before. Reading stops there until it does; a block is never skipped.
 * - `incomplete`: a block or receipts that must exist are missing.
 * - `disputed`: a block and a receipt disagree about an incoming transfer or one of ours.
 * - `disagreement`: two nodes contradict each other. Nothing is recorded or signed until they agree.
 */
export type FaultCode = 'broken' | 'incomplete' | 'disputed' | 'disagreement'

export class ChainFault extends Error {
  override readonly name = 'ChainFault'
  readonly code: FaultCode

  constructor(code: FaultCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Fewer nodes answered than are needed. */
export class TooFewNodes extends Error {
  override readonly name = 'TooFewNodes'
}

/** A stable name for the log; null where the nodes are not the cause. */
export function nodeErrorKind(error: unknown): string | null {
  if (error instanceof NodeError) return `node.${error.code}`
  if (error instanceof TooFewNodes) return 'node.too_few'
  return error instanceof ChainFault ? `chain.${error.code}` : null
}
