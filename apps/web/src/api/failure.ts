import type { Problem, ProofRequest } from '@aval/contract'

export type FieldProblem = NonNullable<Problem['errors']>[number]

/**
 * Why a request gave no data. Three kinds have no answer to speak of: the network (`FETCH_ERROR`), patience
 * (`TIMEOUT_ERROR`) and an answer that is not JSON (`PARSING_ERROR`). Otherwise `status` is the HTTP status.
 */
export interface Failure {
  status: 'FETCH_ERROR' | 'TIMEOUT_ERROR' | 'PARSING_ERROR' | number
  /** The server's sentence for the member, in the interface's language. */
  detail?: string
  code?: string
  fields?: FieldProblem[]
  /** Work that lets the same request through at once. */
  proof?: ProofRequest
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function fieldsOf(body: Record<string, unknown>): FieldProblem[] {
  const list: unknown = body['errors']
  if (!Array.isArray(list)) return []
  return list.filter(
    (item): item is FieldProblem =>
      isRecord(item) && typeof item['path'] === 'string' && typeof item['detail'] === 'string',
  )
}

function proofOf(proof: unknown): ProofRequest | null {
  if (!isRecord(proof) || typeof proof['challenge'] !== 'string') return null
  const { challenge, bits, parts, expires_at } = proof
  if (typeof bits !== 'number' || typeof parts !== 'number' || typeof expires_at !== 'string') return null
  return { challenge, bits, parts, expires_at }
}

/** Reads an error body: a problem document (RFC 9457), one JSON string, or `{message}`. Anything else says nothing. */
export function failureFrom(status: number, body: unknown): Failure {
  if (typeof body === 'string' && body.trim() !== '') return { status, detail: body }
  if (!isRecord(body)) return { status }
  const document = body as Partial<Problem> & { message?: unknown }
  const failure: Failure = { status }
  const detail = document.detail ?? document.message
  if (typeof detail === 'string' && detail !== '') failure.detail = detail
  if (typeof document.code === 'string') failure.code = document.code
  const fields = fieldsOf(body)
  if (fields.length > 0) failure.fields = fields
  const proof = proofOf(document.proof)
  if (proof !== null) failure.proof = proof
  return failure
}

/** Whether the request may have been carried out although no answer arrived. */
export function isUnanswered(failure: Failure): boolean {
  return typeof failure.status === 'string'
}
