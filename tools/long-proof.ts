/**
 * What `npm test` leaves to `npm run test:all`: proof that takes minutes and asks, with many seeds or after many kills, what shorter tests
 * ask once. Of 2,730 seconds that all test files took together on two cores, these took 1,700; the journeys below a fifth of all.
 */

/** Globs of test files. */
export const LONG_TESTS = [
  'simulation/**/*.test.ts',
  'bench/**/*.test.ts',
  'apps/gateway/src/*/crash.db.test.ts',
  'apps/server/src/features/payout-runs/replay/replay-unchanged.db.test.ts',
  'apps/devnet/src/chain/store.test.ts',
]

/** The journeys that carry the product, by file: a member joins, invests, is paid and withdraws; operators approve and look. */
export const CARRYING_JOURNEYS = [
  'approvals',
  'console-today',
  'guards',
  'journey',
  'lists',
  'operator',
  'promises',
  'security',
  'session',
  'support',
  'tree',
  'why',
  'withdrawal',
] as const

/** Of the database tests, what asks PostgreSQL for most: they run on the oldest version as well. */
export const POSTGRES_TESTS = [
  'db/',
  'apps/server/src/ledger',
  'apps/server/src/features/withdrawals',
  'apps/server/src/features/payout-runs/advance.db',
]
