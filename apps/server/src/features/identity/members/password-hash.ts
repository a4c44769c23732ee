/**
 * Argon2id, two at a time: each hash takes 19 MiB and a core for about 20 ms.
 *
 * Who waits has a *turn*. Strangers who guess at names can send more than two cores compare, so they come last, and few of them wait:
 * the rest is turned away at once, with a proof of work that puts them in front of the others.
 */
import { randomBytes } from 'node:crypto'
import { Refusal } from '../../../core/refusal.ts'

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const AT_ONCE = 2
/** Whose hash is computed next: members', known devices' and new passwords' before those with a proof of work, and strangers' last. */
export const TURNS = ['first', 'proven', 'stranger'] as const
export type Turn = (typeof TURNS)[number]

/** How many wait: about four seconds of work, and half a second of strangers'. Beyond this, callers are asked to come back. */
const MOST_WAITING: Readonly<Record<Turn, number>> = { first: 200, proven: 200, stranger: 25 }

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
const waiting: Readonly<Record<Turn, (() => void)[]>> = { first: [], proven: [], stranger: [] }

/** Whether nobody more can wait in this turn. */
export const isCrowded = (turn: Turn): boolean => waiting[turn].length >= MOST_WAITING[turn]

/** @throws Refusal `unavailable` when too many wait */
async function inTurn<Result>(turn: Turn, work: () => Promise<Result>): Promise<Result> {
  if (running >= AT_ONCE) {
    if (isCrowded(turn)) throw new Refusal('unavailable')
    await new Promise<void>((resolve) => waiting[turn].push(resolve))
  } else running += 1
  try {
    return await work()
  } finally {
    const next = TURNS.map((each) => waiting[each])
      .find(({ length }) => length > 0)
      ?.shift()
    // The slot is passed on, so `running` stays as it is.
    if (next === undefined) running -= 1
    else next()
  }
}

/** Composed (NFC) first: one keyboard types é as a letter, another as an e with an accent. */
export function hashPassword(password: string, turn: Turn = 'first'): Promise<string> {
  return inTurn(turn, async () => (await argon2()).hash(password.normalize('NFC'), COST))
}

/**
 * For secrets of few bits that are looked up by their hash.
 * @param salt 16 bytes
 * @param key without which nothing is found by trying
 * @returns 64 hexadecimal characters
 */
export function hashShortSecret(secret: string, salt: Uint8Array, key: Uint8Array): Promise<string> {
  const options = { ...COST, salt, secret: key }
  return inTurn('first', async () => (await (await argon2()).hashRaw(secret, options)).toString('hex'))
}

/**
 * Takes the same time whether or not there is an account. What was typed in another composition is tried as typed, too:
 * so were hashes made once.
 * @param stored null when there is none
 */
export async function isPassword(
  stored: string | null,
  password: string,
  turn: Turn = 'first',
): Promise<boolean> {
  for (const form of new Set([password.normalize('NFC'), password])) {
    const matches = await inTurn(turn, async () => (await argon2()).verify(stored ?? UNKNOWN_ACCOUNT, form))
    if (stored !== null && matches) return true
  }
  return false
}
