interface Typed {
  type(contentType: string): unknown
}

/**
 * A message as the wire wants it: one JSON string. The framework sends plain strings unquoted, so a route that answers
 * with a sentence returns this.
 */
export function jsonText(reply: Typed, sentence: string): string {
  reply.type('application/json; charset=utf-8')
  return JSON.stringify(sentence)
}
