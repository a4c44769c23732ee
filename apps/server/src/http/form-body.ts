/** Forms (`multipart/form-data`), for the few calls that take them beside JSON. */
import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../core/refusal.ts'
import type { Api } from './api.ts'

/** Bytes of the largest file. */
export const FILE_LIMIT = 5 * 1_048_576
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
