/** The codes that a declared route can refuse with. */
import { REFUSALS, type RefusalCode } from '@aval/contract'
import { z } from 'zod'
import { codeOfField } from './problems.ts'
import type { Described } from './route.ts'

const isCode = (text: unknown): text is RefusalCode =>
  typeof text === 'string' && Object.hasOwn(REFUSALS, text)

/** Whatever may hold schemas, or the messages of checks, in zod's definition of a schema. */
function partsOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Array.isArray(value) ? value : Object.values(value)
}

/** The names of fields in a schema, and the codes that its own checks name. */
function readSchema(schema: unknown, seen: Set<unknown>, codes: Set<RefusalCode>): void {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return
  seen.add(schema)
  const definition = '_zod' in schema ? (schema as z.ZodType)._zod.def : null
  if (definition === null) {
    for (const part of partsOf(schema)) readSchema(part, seen, codes)
    return
  }
  const { error } = definition
  const message =
    typeof error === 'function' && error.length === 0 ? Reflect.apply(error, undefined, []) : null
  if (isCode(message)) codes.add(message)
  if (schema instanceof z.ZodObject)
    for (const name of Object.keys(schema.shape)) {
      const code = codeOfField(name)
      if (code !== null) codes.add(code)
    }
  for (const part of partsOf(definition)) readSchema(part, seen, codes)
}

const BY_ACCESS: Readonly<Record<Described['access'], readonly RefusalCode[]>> = {
  public: [],
  member: ['not_signed_in'],
  operator: ['not_signed_in', 'not_allowed', 'two_factor_required'],
}

/** In the order of their statuses. */
export function refusalsOf(route: Described): RefusalCode[] {
  const { params, query, body } = route
  const codes = new Set<RefusalCode>(BY_ACCESS[route.access])
  for (const schema of [params, query, body]) readSchema(schema, new Set(), codes)
  const add = (...more: RefusalCode[]) => {
    for (const code of more) codes.add(code)
  }
  add('input_invalid', 'unexpected', 'unavailable')
  if (params !== undefined) add('not_found')
  if (codes.has('page_invalid')) add('page_not_found')
  if (route.method !== 'GET') add('json_invalid', 'body_too_large', 'media_type_unsupported')
  if (body !== undefined || query !== undefined) add('field_required')
  if (route.limits !== undefined) add('too_many_requests')
  if (route.transaction === 'idempotent') add('idempotency_key_invalid', 'idempotency_key_reused')
  if (route.decision !== undefined)
    add('otp_required', 'otp_invalid', 'two_factor_required', 'too_many_requests')
  add(...(route.refuses ?? []))
  return [...codes].sort((a, b) => REFUSALS[a] - REFUSALS[b])
}
