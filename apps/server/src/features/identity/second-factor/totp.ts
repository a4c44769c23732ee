/** TOTP secrets (RFC 6238: SHA-1, six digits, thirty seconds, which every app supports). */
import { Secret, TOTP } from 'otpauth'
import { CODE_DIGITS, STEP_SECONDS, WINDOW } from './second-factor.rules.ts'

const ISSUER = 'Aval'
const SECRET_BYTES = 20

const generator = (secret: string, label = '') =>
  new TOTP({
    issuer: ISSUER,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: CODE_DIGITS,
    period: STEP_SECONDS,
  })

/** 160 random bits, as the RFC recommends. Base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** The secret made of these bytes, for installations that derive it. @param bytes 20 of them */
export function totpSecretOf(bytes: Uint8Array): string {
  return new Secret({ buffer: new Uint8Array(bytes).buffer }).base32
}

/** The content of the QR code for an authenticator app. */
export function totpUri(secret: string, username: string): string {
  return generator(secret, username).toString()
}

/** What an authenticator app shows at an instant. */
export function totpCode(secret: string, now: Date): string {
  return generator(secret).generate({ timestamp: now.getTime() })
}

/** The step of a code: the current one or a neighbour; null when the code belongs to none of them. */
export function totpStep(secret: string, code: string, now: Date): bigint | null {
  const delta = generator(secret).validate({ token: code, timestamp: now.getTime(), window: WINDOW })
  if (delta === null) return null
  return BigInt(Math.floor(now.getTime() / 1000 / STEP_SECONDS) + delta)
}
