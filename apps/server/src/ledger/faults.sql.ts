/**
 * What must not be, as questions to the database: each answers how often it is, and nothing else. They are written from
 * what the rows mean, not from the code that writes them, so that a mistake there is seen here.
 *
 * Every question is a few passes over whole tables; none looks up a row per row without an index.
 */
import type { Questions } from './check.sql.ts'
import { house } from './faults-house.sql.ts'
import { custody, deposits, investments, withdrawals } from './faults-money.sql.ts'
import { commissions, passive, reversals, runs } from './faults-runs.sql.ts'

/** By the sentence for what is and must not be. */
export const QUESTIONS: Questions = {
  ...deposits,
  ...investments,
  ...runs,
  ...passive,
  ...commissions,
  ...reversals,
  ...withdrawals,
  ...custody,
  ...house,
}
