/**
 * The nodes' answers do not fit together:
 * - `broken`: a block does not follow the one before. Reading stops there until it does; a block is never skipped.
 * - `incomplete`: a block or receipts that must be there are not.
 * - `disputed`: a block and a receipt disagree about a payment to us, or of ours.
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
