/**
 * Guesses at passwords.
 *
 * Terms. Each sign-in with a password is a *guess* until the password turns out right. A name, and each network, has a *level*: how
 * many guesses there were, halved again and again with time. *Fullness* is the level over its limit. At 1 the name or the network is
 * *under attack*: a guess is compared only with a proof of work, or later. A *known device* is one in which the member signed in before;
 * its guesses have a count of their own, so nobody else's attack concerns it.
 *
 * A stranger therefore cannot lock a member out, and the level never rises above eight times its limit, so that an attack is forgotten
 * within three halvings of its end.
 */
import { countedNetworks } from '../../../core/networks.rules.ts'

export const MOST_FULL = 8

/** Sign-ins at once without a proof of work, in a process: half a second of comparing passwords. */
export const MOST_STRANGERS = 25

/** Where too many passwords wait to be compared: how hard the proof is, and how long a client waits that sends none. */
export const CROWDED_FULLNESS = 4
export const CROWDED_SECONDS = 5

interface Limit {
  /** The level that is full. */
  readonly points: number
  /** In which a level halves. */
  readonly seconds: number
}

/** What is counted, under its own limit. */
export interface Counted {
  readonly subject: string
  readonly limit: Limit
}

/** @param nameKey stands for the name that was typed */
export function countedOf(
  nameKey: string,
  ip: string,
  limits: { readonly guessesAtName: Limit; readonly guessesFromNetwork: Limit },
): readonly Counted[] {
  const networks = countedNetworks(ip).map((network) => ({
    subject: `network ${network}`,
    limit: limits.guessesFromNetwork,
  }))
  return [{ subject: `name ${nameKey}`, limit: limits.guessesAtName }, ...networks]
}

/** Seconds until one that is so full is under attack no more. */
export function secondsUntilFree(fullness: number, halvesEvery: number): number {
  return Math.max(1, Math.ceil(halvesEvery * Math.log2(Math.max(1, fullness))))
}

/** The parts of a proof: with eight, few solutions take more than twice the usual time. */
export const PROOF_PARTS = 8
const EASIEST = 11
const HARDEST = 14

/**
 * Zero bits that each part has to begin with. 16,000 hashes where an attack begins, 131,000 at most: one to two seconds on a phone,
 * which makes 100,000 a second.
 */
export function proofBits(fullness: number): number {
  return Math.min(HARDEST, EASIEST + Math.ceil(Math.log2(Math.max(1, fullness))))
}

/** @param hash of one part */
export function beginsWithZeros(hash: Uint8Array, bits: number): boolean {
  for (let bit = 0; bit < bits; bit += 8) {
    const wanted = Math.min(8, bits - bit)
    if ((hash[bit / 8] ?? 255) >>> (8 - wanted) !== 0) return false
  }
  return true
}
