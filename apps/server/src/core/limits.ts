/** How often the same client may ask. Points per `seconds`, counted once for all processes where nothing else is said (decision 069). */
export interface Limit {
  readonly points: number
  readonly seconds: number
}

export interface Limits {
  /** Sign-in attempts on one account from one address. */
  readonly signInByAccount: Limit
  /** Sign-in attempts from one address. */
  readonly signInByAddress: Limit
  /**
   * Wrong passwords for one name from anywhere, kept in the database: the number stands for as many, and halves every so many
   * seconds. Above it a sign-in takes a proof of work, or waits.
   */
  readonly guessesAtName: Limit
  /** The same from one network, whatever the name. */
  readonly guessesFromNetwork: Limit
  /** Wrong passwords of a member's known device, which neither of the two concerns. */
  readonly guessesOnDevice: Limit
  readonly registration: Limit
  readonly captcha: Limit
  readonly refresh: Limit
  /** Challenges for passkeys: a page of sign-in asks for one when it opens. */
  readonly passkeyChallenges: Limit
  /** Reads of a member at one process, all calls together: so many at once, and then as many evenly over the seconds. */
  readonly reads: Limit
  /** Looking up who stands behind a registration link. */
  readonly lookup: Limit
  /** Looking up whether a username is free. */
  readonly availability: Limit
  /** E-mail codes made for a member. */
  readonly codes: Limit
  /** E-mail codes tried by a member; five wrong tries end each. */
  readonly codeTries: Limit
  /** Pictures sent by a member. */
  readonly avatars: Limit
  /** Tries of a member at the present password. */
  readonly passwordTries: Limit
  /** E-mails for a forgotten password, asked for from one address. */
  readonly resetsByAddress: Limit
  /** New passwords with a code, tried from one address. */
  readonly resetTries: Limit
  /** Links of "this wasn't me" followed from one address. */
  readonly notMe: Limit
  /** Downloads of all of a member's own data. */
  readonly downloads: Limit
  /** Statements of a member on paper, which take seconds to write. */
  readonly statements: Limit
  /** Messages of a member to support. */
  readonly supportMessages: Limit
}

const MINUTE = 60
const HOUR = 60 * MINUTE

/** On the development chain journeys register a hundred members a minute, all from one address. */
export const LIMITS = {
  public: {
    signInByAccount: { points: 10, seconds: 15 * MINUTE },
    signInByAddress: { points: 100, seconds: 15 * MINUTE },
    guessesAtName: { points: 10, seconds: 15 * MINUTE },
    // A mobile operator puts thousands of people behind a network.
    guessesFromNetwork: { points: 300, seconds: 15 * MINUTE },
    guessesOnDevice: { points: 10, seconds: 15 * MINUTE },
    // A room of people may register from one address.
    registration: { points: 60, seconds: HOUR },
    captcha: { points: 60, seconds: 10 * MINUTE },
    refresh: { points: 120, seconds: MINUTE },
    passkeyChallenges: { points: 240, seconds: 10 * MINUTE },
    reads: { points: 120, seconds: 12 },
    lookup: { points: 120, seconds: 10 * MINUTE },
    availability: { points: 40, seconds: 10 * MINUTE },
    codes: { points: 6, seconds: 15 * MINUTE },
    codeTries: { points: 30, seconds: 15 * MINUTE },
    avatars: { points: 20, seconds: HOUR },
    passwordTries: { points: 10, seconds: 15 * MINUTE },
    resetsByAddress: { points: 20, seconds: 15 * MINUTE },
    resetTries: { points: 30, seconds: 15 * MINUTE },
    notMe: { points: 30, seconds: 15 * MINUTE },
    downloads: { points: 3, seconds: HOUR },
    statements: { points: 20, seconds: 10 * MINUTE },
    supportMessages: { points: 10, seconds: MINUTE },
  },
  devnet: {
    signInByAccount: { points: 60, seconds: MINUTE },
    signInByAddress: { points: 1000, seconds: MINUTE },
    guessesAtName: { points: 30, seconds: MINUTE },
    guessesFromNetwork: { points: 3000, seconds: MINUTE },
    guessesOnDevice: { points: 60, seconds: MINUTE },
    registration: { points: 1000, seconds: MINUTE },
    captcha: { points: 2000, seconds: MINUTE },
    refresh: { points: 5000, seconds: MINUTE },
    passkeyChallenges: { points: 2000, seconds: MINUTE },
    reads: { points: 20_000, seconds: 20 },
    lookup: { points: 2000, seconds: MINUTE },
    availability: { points: 2000, seconds: MINUTE },
    codes: { points: 200, seconds: MINUTE },
    codeTries: { points: 1000, seconds: MINUTE },
    avatars: { points: 200, seconds: MINUTE },
    passwordTries: { points: 200, seconds: MINUTE },
    resetsByAddress: { points: 1000, seconds: MINUTE },
    resetTries: { points: 1000, seconds: MINUTE },
    notMe: { points: 1000, seconds: MINUTE },
    downloads: { points: 60, seconds: MINUTE },
    statements: { points: 120, seconds: MINUTE },
    supportMessages: { points: 60, seconds: MINUTE },
  },
} as const satisfies Record<string, Limits>
