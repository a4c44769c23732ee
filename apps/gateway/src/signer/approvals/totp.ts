/** Codes of authenticator apps (RFC 6238): SHA-1, half a minute, six digits, as every app knows them. */
import { createHmac, timingSafeEqual } from 'node:crypto'

const STEP_MS = 30_000
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/**
 * The half minute that the code is of: the present one, the one before or the one after, later than `usedStep`; null where it is of none.
 * @param secret base32
 * @param now system time, in milliseconds
 */
export function stepOfCode(secret: string, code: string, now: number, usedStep: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const key = decodeBase32(secret)
  const present = Math.floor(now / STEP_MS)
  const given = Buffer.from(code)
  // All three are computed and compared, whichever it is.
  const matching = [present, present - 1, present + 1].filter(
    (step) => timingSafeEqual(Buffer.from(codeOf(key, step)), given) && step > usedStep,
  )
  return matching[0] ?? null
}

/** The present code, for tests and for the development network. */
export function codeAt(secret: string, now: number): string {
  return codeOf(decodeBase32(secret), Math.floor(now / STEP_MS))
}

function codeOf(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', key).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

function decodeBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
}

export function encodeBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}
