/** What went wrong with a request, by its stable name, and how it is answered: the one reading of every error that can reach us. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type Locale, type Problem, type ProofRequest, REFUSALS, type RefusalCode } from '@aval/contract'
import { isOutage, sqlState } from '@aval/db'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { type MessageKey, type Reader, say } from '../core/messages.ts'
import { Refusal, type RefusalParams } from '../core/refusal.ts'
import { readerOfRequest } from './language.ts'
import { DATA_POLICY } from './policy.ts'

interface Trouble {
  readonly code: RefusalCode
  readonly params: RefusalParams
  /** Field by field, when the input did not have the shape that the call wants or says what must not be. */
  readonly fields: readonly FieldTrouble[]
  /** A proof of work that lets the same request through. */
  readonly proof?: ProofRequest | null
}

interface FieldTrouble {
  /** Names joined by dots, empty for the whole input. */
  readonly path: string
  readonly code: MessageKey
  readonly params: RefusalParams
}

/** What a wrong value is called where the schema gives it no name of its own. */
const BY_FIELD: Readonly<Record<string, RefusalCode>> = {
  username: 'username_invalid',
  email: 'email_invalid',
  first_name: 'name_invalid',
  last_name: 'name_invalid',
  phone_number: 'phone_invalid',
  time_zone: 'time_zone_unknown',
  region: 'region_unknown',
  amount: 'amount_invalid',
  captcha: 'captcha_required',
  page: 'page_invalid',
  page_size: 'page_size_invalid',
  year: 'year_invalid',
  from: 'dates_invalid',
  to: 'dates_invalid',
  percentage: 'rate_invalid',
  wallet_address: 'wallet_invalid',
  used_code: 'code_malformed',
  usdt_wallet: 'wallet_invalid',
  secret_code: 'code_malformed',
}

/** What a wrong value of this field is called, whatever its schema; null where it has no name of its own. */
export const codeOfField = (name: string): RefusalCode | null => BY_FIELD[name] ?? null

const FRAMEWORK: Readonly<Record<string, RefusalCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'media_type_unsupported',
  FST_ERR_CTP_INVALID_JSON_BODY: 'json_invalid',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'json_invalid',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_NOT_FOUND: 'not_found',
}

const BY_STATUS: Readonly<Record<number, RefusalCode>> = {
  401: 'not_signed_in',
  403: 'not_allowed',
  404: 'not_found',
  413: 'body_too_large',
  415: 'media_type_unsupported',
}

const isRefusalCode = (text: string): text is RefusalCode => Object.hasOwn(REFUSALS, text)

function valueAt(input: unknown, path: readonly string[]): unknown {
  let value = input
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

function nameOfField(path: readonly string[], message: string, input: unknown): RefusalCode {
  if (isRefusalCode(message)) return message
  const last = path.at(-1)
  if (last === undefined) return 'input_invalid'
  const value = valueAt(input, path)
  if (value === undefined || value === '') return last === 'captcha' ? 'captcha_required' : 'field_required'
  return BY_FIELD[last] ?? 'input_invalid'
}

/** @param input what was validated: the body, the query or the path's parameters */
function fromValidation(
  issues: readonly { readonly instancePath: string; readonly message?: string | undefined }[],
  input: unknown,
): Trouble {
  const fields = issues.map((issue) => {
    const path = issue.instancePath.split('/').filter((name) => name !== '')
    const name = path.join('.')
    return { path: name, code: nameOfField(path, issue.message ?? '', input), params: { field: name } }
  })
  const first = fields[0] ?? { path: '', code: 'input_invalid' as const }
  return { code: first.code, params: { field: first.path }, fields }
}

/** Text that PostgreSQL cannot hold (a NUL character) came from outside: whatever it named, it does not exist. */
const UNSTORABLE_STATE = new Set(['22021', '22P05'])

interface Inputs {
  readonly body?: unknown
  readonly query?: unknown
  readonly params?: unknown
}

const INPUTS = { body: 'body', querystring: 'query', params: 'params' } as const

/** Names an error; `unexpected` for everything that nobody foresaw. */
export function troubleOf(error: unknown, inputs: Inputs): Trouble {
  const plain = (code: RefusalCode): Trouble => ({ code, params: {}, fields: [] })
  if (error instanceof Refusal) {
    const fields = error.reasons.map(({ path, key, params }) => ({ path, code: key, params }))
    return { code: error.code, params: error.params, fields, proof: error.proof }
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const part = (error as { validationContext?: keyof typeof INPUTS }).validationContext ?? 'body'
    return fromValidation(error.validation, inputs[INPUTS[part]])
  }
  if (isOutage(error)) return plain('unavailable')
  if (UNSTORABLE_STATE.has(sqlState(error) ?? '')) return plain('input_invalid')
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown }
  if (typeof code === 'string' && FRAMEWORK[code] !== undefined) return plain(FRAMEWORK[code])
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return plain(BY_STATUS[statusCode] ?? 'input_invalid')
  return plain('unexpected')
}

function fieldName(locale: Locale, path: string): string {
  const key = `field_${path.split('.').at(-1)}`
  return isLabel(key) ? say(locale, key) : path
}

const LABELS: readonly string[] = [
  'field_username',
  'field_email',
  'field_password',
  'field_password2',
  'field_amount',
  'field_txn_id',
  'field_reason',
  'field_day',
  'field_percentage',
  'field_document',
  'field_starts_on',
  'field_wallet_address',
  'field_used_code',
  'field_code',
  'field_current_password',
  'field_otp',
  'field_text',
] satisfies MessageKey[]
const isLabel = (key: string): key is MessageKey => LABELS.includes(key)

interface ReaderInTime extends Reader {
  /** Undefined for who is not signed in. */
  readonly timeZone: string | undefined
}

const readerIn = (request: FastifyRequest): ReaderInTime => ({
  ...readerOfRequest(request),
  timeZone: request.caller?.timeZone,
})

/** Longer waits are said in minutes. */
const LONG_WAIT = 120

/** The sentence for one field of a trouble. */
function fieldSentence(reader: ReaderInTime, { code, params, path }: FieldTrouble): string {
  const { locale, timeZone } = reader
  if (code === 'too_many_requests') {
    const seconds = Number(params['seconds'])
    if (seconds > LONG_WAIT)
      return say(reader, 'too_many_requests_long', { minutes: Math.ceil(seconds / 60) })
    return say(reader, code, { ...params, count: seconds })
  }
  return say(reader, code, code === 'field_required' ? { field: fieldName(locale, path) } : params, timeZone)
}

/** What another operator did first (`acted-before.ts`). */
const isBefore = (code: string): boolean => code.startsWith('before_')

/** A sentence about several fields names so many of them. */
const MOST_TOLD = 3

/** The sentence for a trouble, and the one for what came in between. */
function troubleSentence(reader: ReaderInTime, { code, params, fields }: Trouble): string {
  const [before] = fields.filter((field) => isBefore(field.code))
  const own = fields.filter((field) => field !== before)
  const reason = own
    .slice(0, MOST_TOLD)
    .map((field) => fieldSentence(reader, field))
    .join(' ')
  const sentence = fieldSentence(reader, { code, params: { reason, ...params }, path: own[0]?.path ?? '' })
  return before === undefined ? sentence : `${sentence} ${fieldSentence(reader, before)}`
}

const PROBLEM = 'application/problem+json'

function wantsProblem(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').toLowerCase().includes(PROBLEM)
}

function problemOf(request: FastifyRequest, trouble: Trouble, detail: string): Problem {
  const reader = readerIn(request)
  const status = REFUSALS[trouble.code]
  const errors = trouble.fields
    .filter(({ code }) => !isBefore(code))
    .map((field) => ({
      path: field.path,
      code: field.code,
      detail: fieldSentence(reader, field),
    }))
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    code: trouble.code,
    ...(errors.length === 0 ? {} : { errors }),
    ...(trouble.proof ? { proof: trouble.proof } : {}),
  }
}

/** Answers with a sentence as one JSON string, or with a problem document when the client asks for one. */
function answer(request: FastifyRequest, reply: FastifyReply, trouble: Trouble): FastifyReply {
  const { code, params } = trouble
  const detail = troubleSentence(readerIn(request), trouble)
  const status = REFUSALS[code]
  if (code === 'too_many_requests') reply.header('retry-after', String(params['seconds'] ?? 1))
  if (code === 'unavailable') reply.header('retry-after', '5')
  if (code === 'no_address_left') reply.header('retry-after', '60')
  if (code === 'not_signed_in' || code === 'refresh_invalid') reply.header('www-authenticate', 'Bearer')
  const problem = wantsProblem(request)
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store', 'content-security-policy': DATA_POLICY })
    .header('vary', 'Accept, Accept-Language')
    .type(`${problem ? PROBLEM : 'application/json'}; charset=utf-8`)
    .send(JSON.stringify(problem ? problemOf(request, trouble, detail) : detail))
}

/** Turns whatever was thrown into an answer. What nobody foresaw is logged whole and answered with one general sentence. */
export function onError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const trouble = troubleOf(error, request)
  const call = { method: request.method, route: request.routeOptions.url }
  if (trouble.code === 'unexpected') request.log.error({ err: error, ...call }, 'unexpected error')
  if (trouble.code === 'unavailable') request.log.warn({ err: error, ...call }, 'unavailable')
  return answer(request, reply, trouble)
}

export function onMissing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return onError(new Refusal('not_found'), request, reply)
}

const NO_REQUEST: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/**
 * What never became a request: no HTTP, or headers beyond measure. Its language is unknown, its answer a sentence too.
 * @param headers of every such answer
 */
export function onNoRequest(headers: Readonly<Record<string, string>>) {
  const dressed = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    const status = NO_REQUEST[error.code ?? ''] ?? 400
    const body = JSON.stringify(say('es', 'input_invalid'))
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      ...dressed,
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
}
