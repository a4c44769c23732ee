import type { RefusalCode } from '@aval/contract'
import type { Micro } from '@aval/money'
import type { MessageKey } from './messages.ts'

/** What a refusal's sentence may mention. Amounts are formatted in the language of the reader, dates as instants. */
export type RefusalParams = Readonly<Record<string, Micro | number | string | Date>>

/** One of the things that a refusal is about, with a sentence of its own. */
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
  /** Told in the place of `{reason}`, and one by one to clients that ask for a problem document. */
  readonly reasons: readonly RefusalReason[]

  constructor(code: RefusalCode, params: RefusalParams = {}, reasons: readonly RefusalReason[] = []) {
    super(code)
    this.name = 'Refusal'
    this.code = code
    this.params = params
    this.reasons = reasons
  }
}
