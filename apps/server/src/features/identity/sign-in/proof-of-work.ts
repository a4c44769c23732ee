/** The proof of work of a sign-in: made and checked here, for one name, once, and for five minutes. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ProofOfWork, ProofRequest } from '@aval/contract'
import type { Config } from '../../../config.ts'
import { keyFor } from '../../../core/seal.ts'
import { beginsWithZeros, PROOF_PARTS, proofBits } from './guesses.rules.ts'

const LIFETIME = 5 * 60_000
const NONCE_BYTES = 16
const CHALLENGE = /^(\d{1,16})\.(\d{1,2})\.([\w-]{22})\.([\w-]{43})$/

type Keys = Pick<Config, 'captchaKey'>

const macOf = ({ captchaKey }: Keys, content: string, login: string) =>
  createHmac('sha256', keyFor(captchaKey, 'proofs of work')).update(`${content} ${login}`).digest()

/** @param login folded */
export function proofRequestFor(keys: Keys, login: string, fullness: number, now: Date): ProofRequest {
  const bits = proofBits(fullness)
  const expiresAt = new Date(now.getTime() + LIFETIME)
  const content = `${expiresAt.getTime()}.${bits}.${randomBytes(NONCE_BYTES).toString('base64url')}`
  const challenge = `${content}.${macOf(keys, content, login).toString('base64url')}`
  return { challenge, bits, parts: PROOF_PARTS, expires_at: expiresAt.toISOString() }
}

/** Until when a proof is good, so that its use is remembered as long; null where it is none, or another name's. */
export function readProof(
  keys: Keys,
  login: string,
  { challenge, solution }: ProofOfWork,
  now: Date,
): Date | null {
  const [, expires = '', bits = '', nonce = '', mac = ''] = CHALLENGE.exec(challenge) ?? []
  const expected = macOf(keys, `${expires}.${bits}.${nonce}`, login)
  const sent = Buffer.from(mac, 'base64url')
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return null
  if (now.getTime() >= Number(expires) || solution.length !== PROOF_PARTS) return null
  const isSolved = solution.every((number, part) =>
    beginsWithZeros(createHash('sha256').update(`${challenge}:${part}:${number}`).digest(), Number(bits)),
  )
  return isSolved ? new Date(Number(expires)) : null
}
