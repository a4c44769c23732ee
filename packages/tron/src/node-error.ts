/**
 * Why a node did not answer usefully:
 * - `timeout`: no complete answer in time; what was asked may have happened all the same.
 * - `unreachable`: no connection, or it broke off; likewise.
 * - `bad_answer`: it answered something that is not the answer (HTML, cut JSON, another block, too much).
 * - `refused`: it answered clearly that it will not (an HTTP error status, an `Error` text, a reverted call).
 */
export type NodeErrorCode = 'timeout' | 'unreachable' | 'bad_answer' | 'refused'

/** A question to a node that has no answer. */
export class NodeError extends Error {
  override readonly name = 'NodeError'
  readonly code: NodeErrorCode
  /** The path that was asked, such as "/wallet/getblock". */
  readonly path: string

  constructor(code: NodeErrorCode, path: string, detail: string, options?: ErrorOptions) {
    super(`${path}: ${code}: ${detail}`, options)
    this.code = code
    this.path = path
  }
}
