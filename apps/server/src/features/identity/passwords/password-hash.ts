/** Passwords: Argon2id, a few at a time, because each takes 19 MiB and a core for some 20 ms. */
import { hash, verify } from '@node-rs/argon2'
import { Refusal } from '../../../core/refusal.ts'

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const AT_ONCE = 2
/** Beyond this many waiting, about four seconds' worth, further ones are better told to come back. */
const LONGEST_QUEUE = 200

/** A hash of nothing anybody knows, verified where there is no account, so that the answer takes as long. */
const NOBODYS =
  '$argon2id$v=19$m=19456,t=2,p=1$D7gFZP2p6uL+/iwPf7qMlA$9tQlWmh3rGTgmdnNAN56SnZ6uZ4qXPAKnMkDmehYc80'

let running = 0
const waiting: (() => void)[] = []

/** @throws Refusal `unavailable` when too many are waiting already */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= AT_ONCE) {
    if (waiting.length >= LONGEST_QUEUE) throw new Refusal('unavailable')
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    // The turn is handed over, so `running` stays as it is.
    if (next === undefined) running -= 1
    else next()
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, COST))
}

/** Takes the same time whether or not there is an account. @param stored null when there is none */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await inTurn(() => verify(stored ?? NOBODYS, password))
  return stored !== null && matches
}
