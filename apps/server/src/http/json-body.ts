import { Refusal } from '../core/refusal.ts'
import type { Api } from './api.ts'

/** Bytes of the largest JSON body. */
export const BODY_LIMIT = 1_048_576
const DEEPEST = 32

/** Whether brackets outside strings nest deeper than any call needs. One pass, before anything is parsed. */
export function isTooDeep(text: string, deepest = DEEPEST): boolean {
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (quoted) {
      if (character === '\\') index += 1
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === '{' || character === '[') {
      depth += 1
      if (depth > deepest) return true
    } else if (character === '}' || character === ']') depth -= 1
  }
  return false
}

/** JSON is what we read, and nothing else: without the keys that poison prototypes, nested at most 32 deep. */
export function readJsonBodies(api: Api): void {
  const parse = api.getDefaultJsonParser('error', 'error')
  api.removeAllContentTypeParsers()
  api.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    const body = String(text)
    // Some clients announce JSON and send nothing; the call's schema then says what is missing.
    if (body.trim() === '') return done(null, undefined)
    if (isTooDeep(body)) return done(new Refusal('json_invalid'))
    parse(request, body, (error, value) => (error ? done(new Refusal('json_invalid')) : done(null, value)))
  })
}
