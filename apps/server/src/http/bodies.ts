/** Bodies: JSON for every call, and forms (`multipart/form-data`) for the few that take those too. */
import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
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

/** Finds every exponent, every number with more digits than a double always keeps, and more decimals than an amount has; in texts too, which does no harm. */
const MAY_DIFFER = /\d[eE]|(?:\d\.?){16}|\.\d{7}/
const TOO_FINE = /\.\d{7}/

/**
 * A number that is not what was written, or has more decimals than any amount, zeros included, becomes the text that was: an amount is refused as that text is, never rounded, and
 * nothing else that is a number takes a text.
 */
function asWritten(_key: string, value: unknown, written?: { source?: string }): unknown {
  const source = written?.source ?? ''
  const digits = source.includes('.') ? source.replace(/\.?0+$/, '') : source
  return typeof value === 'number' && (String(value) !== digits || TOO_FINE.test(source)) ? source : value
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
    parse(request, body, (error, value) => {
      if (error) return done(new Refusal('json_invalid'))
      done(null, MAY_DIFFER.test(body) ? JSON.parse(body, asWritten) : value)
    })
  })
}

/** Bytes of the largest file. */
const FILE_LIMIT = 5 * 1_048_576
/** Bytes that everything around the file may take. */
const FORM_LIMIT = FILE_LIMIT + 131_072
const LIMITS = {
  fileSize: FILE_LIMIT,
  files: 1,
  fields: 20,
  parts: 21,
  fieldSize: 4096,
  fieldNameSize: 100,
  headerPairs: 20,
}

/** Each field once: a text, or the bytes of a file. */
async function readForm(request: FastifyRequest): Promise<Record<string, unknown>> {
  const form: Record<string, unknown> = {}
  for await (const part of request.parts()) {
    const value = part.type === 'file' ? await part.toBuffer() : part.value
    const isWhole = part.type === 'file' || !(part.valueTruncated || part.fieldnameTruncated)
    if (!isWhole || Object.hasOwn(form, part.fieldname)) throw new Refusal('input_invalid')
    form[part.fieldname] = value
  }
  return form
}

const hasStatus = (error: unknown) => typeof (error as { statusCode?: unknown }).statusCode === 'number'

/** From here on, the routes of this scope read forms too: their body is then an object of texts and bytes. */
export async function readFormBodies(scope: Api): Promise<void> {
  await scope.register(multipart, { limits: LIMITS })
  scope.addHook('preValidation', async (request) => {
    if (!request.isMultipart()) return
    if (Number(request.headers['content-length'] ?? 0) > FORM_LIMIT) throw new Refusal('body_too_large')
    try {
      request.body = await readForm(request)
    } catch (error) {
      // The parser's own errors about a form that is none have neither name nor status.
      if (error instanceof Refusal || hasStatus(error)) throw error
      throw new Refusal('input_invalid')
    }
  })
}
