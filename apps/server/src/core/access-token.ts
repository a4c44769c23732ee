import { randomUUID } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'

/** Minutes an access token lives; clients renew every five. */
export const ACCESS_MINUTES = 10
const NAME = 'aval'
const MEMBER = /^[1-9]\d{0,18}$/
const SESSION = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export interface AccessClaims {
  readonly memberId: bigint
  readonly sessionId: string
}

/** @param now the system's time, not the business clock's */
export async function signAccess(key: Uint8Array, claims: AccessClaims, now: Date): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000)
  return (
    new SignJWT({ sid: claims.sessionId })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(String(claims.memberId))
      .setIssuer(NAME)
      .setAudience(NAME)
      // Two tokens of one second differ all the same: each exchange gives a new one.
      .setJti(randomUUID())
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + ACCESS_MINUTES * 60)
      .sign(key)
  )
}

export interface ReadAccess extends AccessClaims {
  /** System time, in milliseconds, from which it is good no more. */
  readonly accessUntil: number
}

/** Verified tokens are cached: a client sends the same one for minutes, and jose verifies in another thread. */
const MOST_KNOWN = 10_000
/** By key, then by token; only those with a valid signature. */
const known = new WeakMap<Uint8Array, Map<string, ReadAccess>>()

function remember(key: Uint8Array, token: string, read: ReadAccess): void {
  const reads = known.get(key) ?? new Map<string, ReadAccess>()
  known.set(key, reads)
  reads.set(token, read)
  const [oldest] = reads.keys()
  if (reads.size > MOST_KNOWN && oldest !== undefined) reads.delete(oldest)
}

/** The claims of a token; null when it is expired, forged, of another algorithm, or no token. */
export async function readAccess(key: Uint8Array, token: string): Promise<ReadAccess | null> {
  const before = known.get(key)?.get(token)
  if (before !== undefined && before.accessUntil > Date.now()) return before
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      issuer: NAME,
      audience: NAME,
      requiredClaims: ['exp', 'iat', 'sub'],
    })
    const session = payload['sid']
    if (!MEMBER.test(payload.sub ?? '') || typeof session !== 'string' || !SESSION.test(session)) return null
    const memberId = BigInt(payload.sub ?? '0')
    const read = { memberId, sessionId: session, accessUntil: (payload.exp ?? 0) * 1000 }
    remember(key, token, read)
    return read
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
