/** How often the same client may ask. Points per `seconds`, counted in this process. */
export interface Limit {
  readonly points: number
  readonly seconds: number
}

export interface Limits {
  /** Sign-in attempts on one account from one address. */
  readonly signInByAccount: Limit
  /** Sign-in attempts from one address. */
  readonly signInByAddress: Limit
  readonly registration: Limit
  readonly captcha: Limit
  readonly refresh: Limit
  /** Looking up who stands behind a registration link. */
  readonly lookup: Limit
}

const MINUTE = 60
const HOUR = 60 * MINUTE

/** On the development chain journeys register a hundred members a minute, all from one address. */
export const LIMITS = {
  public: {
    signInByAccount: { points: 10, seconds: 15 * MINUTE },
    signInByAddress: { points: 100, seconds: 15 * MINUTE },
    // A room of people may register from one address.
    registration: { points: 60, seconds: HOUR },
    captcha: { points: 60, seconds: 10 * MINUTE },
    refresh: { points: 120, seconds: MINUTE },
    lookup: { points: 120, seconds: 10 * MINUTE },
  },
  devnet: {
    signInByAccount: { points: 60, seconds: MINUTE },
    signInByAddress: { points: 1000, seconds: MINUTE },
    registration: { points: 1000, seconds: MINUTE },
    captcha: { points: 2000, seconds: MINUTE },
    refresh: { points: 5000, seconds: MINUTE },
    lookup: { points: 2000, seconds: MINUTE },
  },
} as const satisfies Record<string, Limits>
