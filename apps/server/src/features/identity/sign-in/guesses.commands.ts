/** Counting sign-ins before their password is compared. Times are system time. */
import { createHmac } from 'node:crypto'
import type { ProofOfWork } from '@aval/contract'
import { inTransaction } from '@aval/db'
import type { Context } from '../../../core/context.ts'
import type { Limits } from '../../../core/limits.ts'
import { Refusal } from '../../../core/refusal.ts'
import { keyFor } from '../../../core/seal.ts'
import { isCrowded, type Turn } from '../members/password-hash.ts'
import { insertSpent } from '../registration/registration.sql.ts'
import {
  CROWDED_FULLNESS,
  CROWDED_SECONDS,
  countedOf,
  MOST_FULL,
  MOST_STRANGERS,
  secondsUntilFree,
} from './guesses.rules.ts'
import { takeGuess, untakeGuess } from './guesses.sql.ts'
import { proofRequestFor, readProof } from './proof-of-work.ts'

export interface Guess {
  /** As it was typed, folded. */
  readonly login: string
  readonly ip: string
  readonly proof: ProofOfWork | null
  /** The member's device that sends it; null where it is not known. */
  readonly knownDevice: string | null
  /** Counts against a limit. @throws Refusal `too_many_requests` */
  readonly take: (limit: keyof Limits) => Promise<void>
}

/** A guess that was counted, and may be compared. */
export interface BegunGuess {
  /** Before whom its password is compared. */
  readonly turn: Turn
  /** Takes it back: its password was right, or was not compared. */
  readonly takeBack: () => Promise<void>
}

/** A name in the table is a hash: the database tells nobody at what names people guess. */
function nameKeyOf(jwtKey: Uint8Array, login: string): string {
  return createHmac('sha256', keyFor(jwtKey, 'guessed names')).update(login).digest('base64url')
}

/** Uses a proof up. @returns whether it was good */
async function spendProof(context: Context, { login, proof }: Guess, now: Date): Promise<boolean> {
  const expiresAt = proof === null ? null : readProof(context.config, login, proof, now)
  if (proof === null || expiresAt === null) return false
  return inTransaction(context.db, (tx) => insertSpent(tx, proof.challenge, expiresAt))
}

/** A known device's guess, which other people's do not concern. Null where it had too many itself. */
async function beginOnDevice({ db, config }: Context, device: string, now: Date): Promise<BegunGuess | null> {
  const subject = `device ${device}`
  const counted = [{ subject, limit: config.limits.guessesOnDevice }]
  const { allowed } = await takeGuess(db, { counted, proven: false, mostFull: MOST_FULL }, now)
  return allowed ? { turn: 'first', takeBack: () => untakeGuess(db, [subject]) } : null
}

/**
 * More passwords wait than are compared in half a second. What lets a guess through at once is a proof of work, as at a name under attack.
 */
export function crowdedOut(config: Context['config'], login: string, now: Date): Refusal {
  const proof = proofRequestFor(config, login, CROWDED_FULLNESS, now)
  return new Refusal('too_many_requests', { seconds: CROWDED_SECONDS }, [], proof)
}

/** Sign-ins of strangers without a proof that are under way in this process. */
let strangers = 0

/**
 * Lets few strangers sign in at once: the rest is turned away before the database is asked anything, and leaves it to members.
 * @param isStranger it comes without a proof of work, and from no device that could be a known one
 * @throws Refusal of `crowdedOut`
 */
export async function amongFew<Result>(
  config: Context['config'],
  { login, isStranger }: { readonly login: string; readonly isStranger: boolean },
  now: Date,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!isStranger) return work()
  if (strangers >= MOST_STRANGERS) throw crowdedOut(config, login, now)
  strangers += 1
  try {
    return await work()
  } finally {
    strangers -= 1
  }
}

/**
 * Counts a guess before its password is compared. What is done is the same whether or not there is such an account: names are counted
 * as they are typed.
 * @throws Refusal `too_many_requests` with the seconds to wait, and with a proof of work that makes waiting unnecessary
 */
export async function beginGuess(context: Context, guess: Guess, now: Date): Promise<BegunGuess> {
  const { login, ip, knownDevice, take } = guess
  const { db, config } = context
  const onDevice = knownDevice === null ? null : await beginOnDevice(context, knownDevice, now)
  if (onDevice !== null) return onDevice
  await take('signInByAddress')
  const proven = await spendProof(context, guess, now)
  const turn = proven ? 'proven' : 'stranger'
  if (isCrowded(turn)) throw crowdedOut(config, login, now)
  const counted = countedOf(nameKeyOf(config.jwtKey, login), ip, config.limits)
  const taken = await takeGuess(db, { counted, proven, mostFull: MOST_FULL }, now)
  if (!taken.allowed) {
    const seconds = secondsUntilFree(taken.fullness, taken.halvesEvery)
    const proof = proofRequestFor(config, login, taken.fullness, now)
    throw new Refusal('too_many_requests', { seconds }, [], proof)
  }
  const takeBack = () =>
    untakeGuess(
      db,
      counted.map(({ subject }) => subject),
    )
  try {
    await take('signInByAccount')
  } catch (refused) {
    await takeBack()
    throw refused
  }
  return { turn, takeBack }
}
