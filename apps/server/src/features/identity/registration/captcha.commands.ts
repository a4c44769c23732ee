/** The captcha: a proof of work (Altcha) made and checked here. Each solved challenge is valid once. */
import type { Tx } from '@aval/db'
import { type Challenge, createChallenge, randomInt, type Solution, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import type { Config, Network } from '../../../config.ts'
import type { Context } from '../../../core/context.ts'
import { Refusal } from '../../../core/refusal.ts'
import { insertSpent, isSpent } from './registration.sql.ts'

const ALGORITHM = 'PBKDF2/SHA-256'
const LIFETIME = 20 * 60 * 1000

/** `cost` is the rounds of a guess. One to three seconds on a phone; on the development network next to nothing. */
const WORK = { cost: 5000, guesses: [400, 1200] } as const
const DEVNET_WORK = { cost: 100, guesses: [5, 20] } as const
const workOn = (network: Network) => (network === 'devnet' ? DEVNET_WORK : WORK)

const solved = z.object({
  challenge: z.object({
    parameters: z.record(z.string().max(40), z.unknown()),
    signature: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  solution: z.object({ counter: z.int().min(0), derivedKey: z.string().regex(/^[0-9a-f]{2,128}$/) }),
})

export interface SolvedCaptcha {
  readonly challenge: string
  readonly expiresAt: Date
}

function secrets(config: Config) {
  const key = Buffer.from(config.captchaKey).toString('hex')
  return { hmacSignatureSecret: `challenge:${key}`, hmacKeySignatureSecret: `solution:${key}` }
}

/** A challenge to solve. */
export async function makeChallenge(context: Context, now: Date): Promise<Challenge> {
  const { cost, guesses } = workOn(context.config.network)
  return createChallenge({
    algorithm: ALGORITHM,
    cost,
    counter: randomInt(guesses[1], guesses[0]),
    deriveKey,
    expiresAt: new Date(now.getTime() + LIFETIME),
    ...secrets(context.config),
  })
}

function readSolved(text: string): z.output<typeof solved> | null {
  try {
    const parsed = solved.safeParse(JSON.parse(Buffer.from(text, 'base64').toString('utf8')))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/**
 * Checks a solution without spending it. Null where captchas are off.
 * @throws Refusal `captcha_invalid` when it is wrong, expired, not ours or spent
 */
export async function checkCaptcha(context: Context, text: string, now: Date): Promise<SolvedCaptcha | null> {
  if (!context.config.captcha) return null
  const read = readSolved(text)
  const expiresAt = read?.challenge.parameters['expiresAt']
  if (read === null || typeof expiresAt !== 'number' || expiresAt * 1000 <= now.getTime())
    throw new Refusal('captcha_invalid')
  const { challenge, solution } = read
  // Its signature covers every parameter, so what we did not sign is refused before its shape matters.
  const result = await verifySolution({
    challenge: challenge as unknown as Challenge,
    solution: solution as Solution,
    deriveKey,
    ...secrets(context.config),
  })
  if (!result.verified || (await isSpent(context.db, challenge.signature)))
    throw new Refusal('captcha_invalid')
  return { challenge: challenge.signature, expiresAt: new Date(expiresAt * 1000) }
}

/** @throws Refusal `captcha_invalid` when another request spent the same solution first */
export async function spendCaptcha(tx: Tx, captcha: SolvedCaptcha): Promise<void> {
  if (!(await insertSpent(tx, captcha.challenge, captcha.expiresAt))) throw new Refusal('captcha_invalid')
}
