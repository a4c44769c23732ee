import { type Failure, isUnanswered } from './failure.ts'

/** A key for a POST that moves money. `randomUUID` exists only on secure origins; a plain address in a LAN is not one. */
export function newIdempotencyKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/**
 * The key of one attempt. The same input keeps its key for as long as no answer has come, so that trying again after
 * a lost connection cannot pay twice; any answer, or another input, begins a new attempt.
 */
export class AttemptKey {
  #input = ''
  #key: string | null = null

  for(input: unknown): string {
    const text = JSON.stringify(input)
    if (this.#key === null || text !== this.#input) {
      this.#input = text
      this.#key = newIdempotencyKey()
    }
    return this.#key
  }

  /** @param failure null when the call succeeded */
  settle(failure: Failure | null): void {
    if (failure === null || !isUnanswered(failure)) this.#key = null
  }
}
