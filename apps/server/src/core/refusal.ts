import type { RefusalCode } from '@aval/contract'
import type { Micro } from '@aval/money'

/** What a refusal's sentence may mention. Amounts are formatted in the language of the reader, dates as instants. */
export type RefusalParams = Readonly<Record<string, Micro | number | string | Date>>

/**
 * An expected "no", by its stable name. Thrown so that the transaction around it rolls back; the HTTP layer turns it into
 * a sentence and a status. Anything else that is thrown is a broken assumption.
 */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly params: RefusalParams

  constructor(code: RefusalCode, params: RefusalParams = {}) {
    super(code)
    this.name = 'Refusal'
    this.code = code
    this.params = params
  }
}
