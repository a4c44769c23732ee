/** The fields of a request, from whatever it brought. */
import type { FastifyRequest } from 'fastify'

/** Those of the query string and of the body, which wins. */
export function fieldsOf(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const body = isRecord(request.body) ? request.body : {}
  const query = isRecord(request.query) ? request.query : {}
  return { ...query, ...body }
}

/** Text that is no JSON is no body: the question is answered as one that lacks every field. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
