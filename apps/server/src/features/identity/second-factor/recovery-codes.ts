/** Recovery codes: short enough to write down, so short enough to guess from a plain hash. */
import { randomBytes, randomInt } from 'node:crypto'
import { keyFor } from '../../../core/seal.ts'
import { hashShortSecret } from '../members/password-hash.ts'
import { RECOVERY_LENGTH, RECOVERY_LETTERS } from './second-factor.rules.ts'

const SALT_BYTES = 16

/** Ten letters and digits without look-alikes (49 bits), in two groups. */
export function newRecoveryCode(): string {
  const letters = Array.from(
    { length: RECOVERY_LENGTH },
    () => RECOVERY_LETTERS[randomInt(RECOVERY_LETTERS.length)],
  ).join('')
  const half = RECOVERY_LENGTH / 2
  return `${letters.slice(0, half)}-${letters.slice(half)}`
}

/** One for all codes that are made together: a code that is typed is then hashed once, and looked up. Hexadecimal. */
export const newRecoverySalt = (): string => randomBytes(SALT_BYTES).toString('hex')

/**
 * Slow as a password's hash, and under the installation's key.
 * @param code as `readTyped` reads it
 */
export function hashRecoveryCode(
  sealKey: Uint8Array,
  memberId: bigint,
  salt: string,
  code: string,
): Promise<string> {
  const key = keyFor(sealKey, 'recovery codes')
  return hashShortSecret(`${memberId} ${code}`, new Uint8Array(Buffer.from(salt, 'hex')), key)
}
