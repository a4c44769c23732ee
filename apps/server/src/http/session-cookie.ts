/**
 * Our own web app holds its refresh token in a cookie that no script reads (decision 051). It asks for that by a header of its own.
 * Without the header the cookie is as good as not there: all other clients send and get tokens in bodies, by the contract.
 *
 * A page of another origin can make a browser send the cookie only from the same site, as from another port of this machine. It
 * cannot send the header: a browser asks first whether it may, and we never say yes. Where a call comes from is looked at all the
 * same.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { Refusal } from '../core/refusal.ts'
import { cookieText, installationName, tokenIn } from './cookies.ts'

/** What a route does with the session: hands its tokens out, exchanges one for others, or ends it. */
export type SessionUse = 'opens' | 'renews' | 'ends'

/** A call, and where its answer goes. */
export interface Served {
  readonly config: Config
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Of a handler that hands tokens out. */
const handedOut = z.object({ access: z.string(), refresh: z.string(), refreshUntil: z.date() })

const nameOf = ({ jwtKey }: Pick<Config, 'jwtKey'>) => `__Host-aval-session-${installationName(jwtKey)}`

const isOwnApp = ({ headers }: FastifyRequest): boolean => headers['aval-app'] === 'web'

/** Pages say where they come from, and no script can make them lie. Browsers older than the first of the two headers send the second. */
function isSameOrigin({ headers, protocol, host }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin === new URL(publicUrl).origin || headers.origin === `${protocol}://${host}`
}

/** The refresh token that our own app's browser holds; null for every other client. */
export function readSessionCookie(config: Config, request: FastifyRequest): string | null {
  return isOwnApp(request) ? tokenIn(request.headers.cookie, nameOf(config)) : null
}

const isIn = (body: unknown, field: string) => typeof body === 'object' && body !== null && field in body

/**
 * Runs a call that has to do with the session; for our own app the refresh token moves from the answer into the cookie.
 * @throws Refusal `not_allowed` for the header from another origin
 */
export async function heldInCookie(
  use: SessionUse | undefined,
  { config, request, reply }: Served,
  run: () => Promise<Answer>,
): Promise<Answer> {
  if (use === undefined || !isOwnApp(request)) return run()
  if (!isSameOrigin(request, config.publicUrl)) throw new Refusal('not_allowed')
  const keep = (token: string, seconds: number) =>
    reply.header('set-cookie', cookieText(nameOf(config), token, seconds, 'Path=/; Secure'))
  try {
    const answer = await run()
    if (use === 'ends') keep('', 0)
    // The second step of a sign-in may be still to come.
    if (!isIn(answer.body, 'refresh')) return answer
    const { access, refresh, refreshUntil } = handedOut.parse(answer.body)
    keep(refresh, Math.max(0, Math.floor((refreshUntil.getTime() - Date.now()) / 1000)))
    // The route's schema is the contract's, which has both tokens.
    reply.type('application/json; charset=utf-8').serializer(JSON.stringify)
    return { ...answer, body: { access } }
  } catch (error) {
    if (use === 'renews' && error instanceof Refusal && error.code === 'refresh_invalid') keep('', 0)
    throw error
  }
}
