/**
 * The token of a *view*: an operator sees a member's own pages, and changes nothing there. Its header tells it from an access token,
 * so that a call with one is known before anything else of it is believed, and it is good where access tokens are good for nothing.
 */
import { errors, jwtVerify, SignJWT } from 'jose'

const HEADER = { alg: 'HS256', typ: 'aval-view' } as const
const BEGINNING = `${Buffer.from(JSON.stringify(HEADER)).toString('base64url')}.`
const ISSUER = 'aval'
const AUDIENCE = 'aval-view'
const MEMBER = /^[1-9]\d{0,18}$/
const VIEW = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export interface ViewClaims {
  readonly memberId: bigint
  readonly viewId: string
}

/** Whether a token says that it is of a view, true or not: nothing but reads is ever done with one. */
export const isViewToken = (token: string): boolean => token.startsWith(BEGINNING)

/** @param until system time */
export function signView(key: Uint8Array, { memberId, viewId }: ViewClaims, until: Date): Promise<string> {
  return new SignJWT({ vid: viewId })
    .setProtectedHeader(HEADER)
    .setSubject(String(memberId))
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setExpirationTime(Math.floor(until.getTime() / 1000))
    .sign(key)
}

/** The claims of a view's token; null when it is expired, forged, or an access token. */
export async function readView(key: Uint8Array, token: string): Promise<ViewClaims | null> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: AUDIENCE,
      typ: HEADER.typ,
      requiredClaims: ['exp', 'sub'],
    })
    const view = payload['vid']
    if (!MEMBER.test(payload.sub ?? '') || typeof view !== 'string' || !VIEW.test(view)) return null
    return { memberId: BigInt(payload.sub ?? '0'), viewId: view }
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
