/**
 * Who is there, for the benchmark of hostile traffic. Accounts are numbered; a number says what its account is for, so that attackers,
 * victims and the one who counts agree without asking each other.
 */

/** Each signs in, or gets a new password, again and again, while its name is guessed at all the time. */
export const VICTIMS = ['known', 'new', 'code', 'reset', 'waits', 'besieged'] as const
export type Victim = (typeof VICTIMS)[number]

export interface Crowd {
  /** Accounts that there are, victims and all. */
  readonly accounts: number
  /** Accounts whose password the attackers have. */
  readonly leaked: number
  /** As many more that have a second factor besides. */
  readonly guarded: number
  /** Members who read beyond all measure. */
  readonly scrapers: number
  /** Addresses of attackers, each in a network of its own. */
  readonly addresses: number
}

/** What the attackers try first at a name: the passwords that leaked elsewhere with it. */
export const TRIED_OF_EACH = 8
/** Of a victim with a second factor the attackers have the password. */
const GUARDED_VICTIM: Victim = 'code'

export type Account = ReturnType<typeof accountsOf>[number]

/** All accounts, in the order of their numbers, which begin with 0. */
export function accountsOf({ accounts, leaked, guarded, scrapers }: Crowd) {
  const firstLeaked = VICTIMS.length
  const firstGuarded = firstLeaked + leaked
  const firstScraper = firstGuarded + guarded
  return Array.from({ length: accounts }, (_, number) => {
    const victim = VICTIMS[number] ?? null
    const isGuarded = victim === GUARDED_VICTIM || (number >= firstGuarded && number < firstScraper)
    const isLeaked = isGuarded || (number >= firstLeaked && number < firstGuarded)
    return {
      number,
      victim,
      username: `member${number}`,
      email: `member${number}@hostile.example`,
      isLeaked,
      isGuarded,
      isScraper: number >= firstScraper && number < firstScraper + scrapers,
      password: isLeaked ? leakedPassword(number, number % TRIED_OF_EACH) : 'stands-in-no-list-7391',
    }
  })
}

/** The passwords of an account in the attackers' list; of a leaked one the right one is among the first eight. */
export const leakedPassword = (number: number, round: number): string =>
  `leaked-elsewhere-${(number + round) % TRIED_OF_EACH}${round >= TRIED_OF_EACH ? `-${round}` : ''}`

/** An attacker's address: no two are in one network of 256. */
export const hostileAddress = (number: number): string => `45.${number >> 8}.${number & 255}.7`
/** A victim's, somewhere else each time. */
export const victimAddress = (number: number): string => `181.${(number >> 8) & 255}.${number & 255}.20`
