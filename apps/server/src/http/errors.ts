import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type Problem, REFUSALS } from '@aval/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { say } from '../core/messages.ts'
import { Refusal } from '../core/refusal.ts'
import { localeOf } from './language.ts'
import { fieldSentence, type Trouble, troubleOf, troubleSentence } from './problems.ts'

const PROBLEM = 'application/problem+json'

function wantsProblem(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').toLowerCase().includes(PROBLEM)
}

function problemOf(request: FastifyRequest, trouble: Trouble, detail: string): Problem {
  const locale = localeOf(request)
  const status = REFUSALS[trouble.code]
  const errors = trouble.fields.map((field) => ({
    path: field.path,
    code: field.code,
    detail: fieldSentence(locale, field),
  }))
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    code: trouble.code,
    ...(errors.length === 0 ? {} : { errors }),
  }
}

/** Answers with a sentence as one JSON string, or with a problem document when the client asks for one. */
function answer(request: FastifyRequest, reply: FastifyReply, trouble: Trouble): FastifyReply {
  const { code, params } = trouble
  const detail = troubleSentence(localeOf(request), trouble)
  const status = REFUSALS[code]
  if (code === 'too_many_requests') reply.header('retry-after', String(params['seconds'] ?? 1))
  if (code === 'unavailable') reply.header('retry-after', '5')
  if (code === 'not_signed_in' || code === 'refresh_invalid') reply.header('www-authenticate', 'Bearer')
  const problem = wantsProblem(request)
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('vary', 'Accept, Accept-Language')
    .type(`${problem ? PROBLEM : 'application/json'}; charset=utf-8`)
    .send(JSON.stringify(problem ? problemOf(request, trouble, detail) : detail))
}

/** Turns whatever was thrown into an answer. What nobody foresaw is logged whole and told in one general sentence. */
export function onError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const trouble = troubleOf(error, request)
  const call = { method: request.method, route: request.routeOptions.url }
  if (trouble.code === 'unexpected') request.log.error({ err: error, ...call }, 'unexpected error')
  if (trouble.code === 'unavailable') request.log.warn({ err: error, ...call }, 'database unavailable')
  return answer(request, reply, trouble)
}

export function onMissing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return onError(new Refusal('not_found'), request, reply)
}

const NO_REQUEST: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** What never became a request: no HTTP, or headers beyond measure. Its language is unknown, its answer a sentence too. */
export function onNoRequest(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const status = NO_REQUEST[error.code ?? ''] ?? 400
  const body = JSON.stringify(say('es', 'input_invalid'))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
