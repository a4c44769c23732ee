import { type Failure, failureFrom } from './failure.ts'
import { language } from './language.ts'
import { backgroundMark } from './presence.ts'

export interface HttpRequest {
  path: string
  method?: 'GET' | 'POST' | 'PATCH'
  /** A form travels as `multipart/form-data`, anything else as JSON. */
  body?: unknown
  headers?: Record<string, string>
  /** What a good answer is: JSON unless said otherwise. A `blob` is a file, byte for byte. */
  reads?: 'json' | 'blob'
  /** Whether a good answer has the shape that its reader counts on; one that has not counts as damaged. */
  fits?: (body: unknown) => boolean | Promise<boolean>
  /** Milliseconds; a payout run of the demo takes longer than an ordinary call. */
  patience?: number
}

export type Answer<Data> = { data: Data } | { error: Failure }

const PATIENCE = 20_000
const BASE = '/api/'
const NO_CONTENT: readonly number[] = [204, 205]
const DAMAGED: Answer<never> = { error: { status: 'PARSING_ERROR' } }

async function readBody(response: Response, reads: HttpRequest['reads']): Promise<Answer<unknown>> {
  if (reads === 'blob' && response.ok) return { data: await response.blob() }
  const text = await response.text()
  // Only where nothing was promised is nothing an answer; a failed call is known by its status anyway.
  if (text === '') return NO_CONTENT.includes(response.status) ? { data: null } : DAMAGED
  try {
    return { data: JSON.parse(text) as unknown }
  } catch {
    return DAMAGED
  }
}

const isJson = (body: unknown) => body !== undefined && !(body instanceof FormData)

/** The browser itself writes a form's type, with the boundary that it chose. */
function bodyOf(body: unknown): { body?: BodyInit } {
  if (body instanceof FormData) return { body }
  return body === undefined ? {} : { body: JSON.stringify(body) }
}

/** Of a question that was refused because there were too many: asked again as often. */
const MOST_AGAIN = 3
/** Seconds; who is to wait longer is told so. */
const SOON = 5

/** Seconds after which a question can be asked again by itself; null where it cannot. Nothing but reads is sent twice. */
function soonAfter(request: HttpRequest, response: Response): number | null {
  if (response.status !== 429 || (request.method ?? 'GET') !== 'GET') return null
  const text = response.headers.get('retry-after') ?? ''
  return /^\d{1,4}$/.test(text) && Number(text) <= SOON ? Number(text) : null
}

/** The bare request; most ask through `http`. */
export async function send(
  request: HttpRequest,
  access: string | null,
  signal: AbortSignal,
): Promise<Response> {
  return fetch(`${BASE}${request.path}`, {
    method: request.method ?? 'GET',
    signal,
    headers: {
      Accept: 'application/problem+json, application/json',
      'Accept-Language': language,
      ...backgroundMark(),
      ...(isJson(request.body) && { 'Content-Type': 'application/json' }),
      ...(access === null ? {} : { Authorization: `Bearer ${access}` }),
      ...request.headers,
    },
    ...bodyOf(request.body),
  })
}

/** One call, with whatever access token it is given. A read that came too soon after others waits and asks again. Never throws. */
export async function http<Data>(request: HttpRequest, access: string | null): Promise<Answer<Data>> {
  const timeout = AbortSignal.timeout(request.patience ?? PATIENCE)
  try {
    let response = await send(request, access, timeout)
    for (let again = 0; again < MOST_AGAIN; again += 1) {
      const seconds = soonAfter(request, response)
      if (seconds === null) break
      // Not all at the same moment: they would be too many again.
      await new Promise((resolve) => setTimeout(resolve, 1000 * (seconds + again + Math.random())))
      response = await send(request, access, timeout)
    }
    const body = await readBody(response, request.reads)
    // A failed call with an unreadable body is still known by its status.
    if (!response.ok) return { error: failureFrom(response.status, 'data' in body ? body.data : null) }
    if ('data' in body && (await request.fits?.(body.data)) === false) return DAMAGED
    return body as Answer<Data>
  } catch {
    return { error: { status: timeout.aborted ? 'TIMEOUT_ERROR' : 'FETCH_ERROR' } }
  }
}
