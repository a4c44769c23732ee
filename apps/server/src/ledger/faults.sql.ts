/**
 * What must not be, as questions to the database: each answers how often it is, and nothing else. They are written from
 * what the rows mean, not from the code that writes them, so that a mistake there is seen here.
 *
 * Every question is a few passes over whole tables; none looks up a row per row without an index.
 */
import type { Db } from '@aval/db'
import type { Questions } from './check.sql.ts'
import { house } from './faults-house.sql.ts'
import { custody, deposits, investments, withdrawals } from './faults-money.sql.ts'
import { commissions, passive, reversals, runs } from './faults-runs.sql.ts'

const QUESTIONS: Questions = {
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

/** One sentence for each thing that is and must not be. */
export async function findFaults(
  db: Db,
  progress: (step: number, steps: number) => void = () => undefined,
): Promise<string[]> {
  const found: string[] = []
  const questions = Object.entries(QUESTIONS)
  for (const [place, [sentence, count]] of questions.entries()) {
    progress(place + 1, questions.length)
    const { rows } = await count.execute(db)
    const times = rows[0]?.count ?? 0
    if (times !== 0) found.push(`${times} ${sentence}`)
  }
  return found
}
