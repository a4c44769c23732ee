/** Argon2id, two at a time: each hash takes 19 MiB and a core for about 20 ms. */
import { randomBytes } from 'node:crypto'
import { Refusal } from '../../../core/refusal.ts'

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const AT_ONCE = 2
/** About four seconds of work. Beyond this, callers are asked to come back. */
const MAX_QUEUE = 200

/** The hash of a password nobody knows: verified where there is no account, so that the answer takes as long. */
const UNKNOWN_ACCOUNT =
  '$argon2id$v=19$m=19456,t=2,p=1$D7gFZP2p6uL+/iwPf7qMlA$9tQlWmh3rGTgmdnNAN56SnZ6uZ4qXPAKnMkDmehYc80'

/** Loaded where a password is hashed: the worker may load no native addon. */
const argon2 = () => import('@node-rs/argon2')

/** For an account that nobody signs in to: the hash of nothing that anybody could find. */
export function hashOfNoPassword(): string {
  const [salt, hash] = [16, 32].map((bytes) => randomBytes(bytes).toString('base64').replaceAll('=', ''))
  const { memoryCost, timeCost, parallelism } = COST
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${hash}`
}

let running = 0
const waiting: (() => void)[] = []

/** @throws Refusal `unavailable` when the queue is full */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MAX_QUEUE) throw new Refusal('unavailable')
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    // The slot is passed on, so `running` stays as it is.
    if (next === undefined) running -= 1
    else next()
  }
}

/** Composed (NFC) first: one keyboard types é as a letter, another as an e with an accent. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(async () => (await argon2()).hash(password.normalize('NFC'), COST))
}

/**
 * For secrets of few bits that are looked up by their hash.
 * @param salt 16 bytes
 * @param key without which nothing is found by trying
 * @returns 64 hexadecimal characters
 */
export function hashShortSecret(secret: string, salt: Uint8Array, key: Uint8Array): Promise<string> {
  const options = { ...COST, salt, secret: key }
  return inTurn(async () => (await (await argon2()).hashRaw(secret, options)).toString('hex'))
}

/**
 * Takes the same time whether or not there is an account. What was typed in another composition is tried as typed, too:
 * so were hashes made once.
 * @param stored null when there is none
 */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  for (const form of new Set([password.normalize('NFC'), password])) {
    const matches = await inTurn(async () => (await argon2()).verify(stored ?? UNKNOWN_ACCOUNT, form))
    if (stored !== null && matches) return true
  }
  return false
}
