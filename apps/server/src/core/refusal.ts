import type { ProofRequest, RefusalCode } from '@aval/contract'
import type { MessageKey, MessageParams } from './messages.ts'

export type RefusalParams = MessageParams

/** One of several reasons for a refusal, with a sentence of its own. */
export interface RefusalReason {
  /** Where in the input: names joined by dots. */
  readonly path: string
  readonly key: MessageKey
  readonly params: RefusalParams
}

/**
 * An expected "no", by its stable name. Thrown so that the transaction around it rolls back; the HTTP layer turns it into
 * a sentence and a status. Anything else that is thrown is a broken assumption.
 */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly params: RefusalParams
  /** Inserted for `{{reason}}`, and listed one by one in a problem document. */
  readonly reasons: readonly RefusalReason[]
  /** A proof of work that lets the same request through; null for none. */
  readonly proof: ProofRequest | null

  constructor(
    code: RefusalCode,
    params: RefusalParams = {},
    reasons: readonly RefusalReason[] = [],
    proof: ProofRequest | null = null,
  ) {
    super(code)
    this.name = 'Refusal'
    this.code = code
    this.params = params
    this.reasons = reasons
    this.proof = proof
  }
}
