/** Tries everything with one role, each attempt committed, and looks after each whether money or rights moved. */
import pg from 'pg'
import type { Attempt } from './attempts.sql.ts'
import { changesOf, readFacts } from './facts.sql.ts'

/**
 * What each role's own work changes. The worker credits what was recorded and pays what was sealed, so what members have may rise by it;
 * that it rises by nothing else is what the check of the ledger says afterwards. What it computes it can compute wrong: that is reported.
 */
export const ROLES = {
  // It dismisses operators in an admin's name, as it ends sessions: nobody gains by it, and the command on the server makes them again.
  // It stops payments, and ends a stop of operators, in an operator's name (decision 082): never one that a check made.
  api: { figures: ['custody', 'holdings', 'operators', 'stopped'], rises: false, tells: null },
  worker: {
    figures: ['custody', 'closed until', 'stopped', 'stopped by a check'],
    rises: true,
    tells: /^\d+ runs say another number/,
  },
  gateway: {
    figures: ['transfers recorded', 'transfers prepared', 'transfers settled', 'holdings'],
    rises: false,
    tells: null,
  },
  signer: { figures: ['approvals', 'approved or paid', 'transfers signed'], rises: false, tells: null },
  approvals: { figures: [], rises: false, tells: null },
  // It says what runs come to: wrong, they wait.
  auditor: { figures: [], rises: false, tells: null },
} as const
export type Role = keyof typeof ROLES

export interface Outcome {
  readonly tried: number
  readonly refused: number
  /** Each with the attempt that did it; none where the database holds. */
  readonly breaches: readonly string[]
}

/** So that no attempt waits for what another session holds, and none goes on for ever. */
const SESSION = `-c lock_timeout=500 -c statement_timeout=5000 -c idle_in_transaction_session_timeout=5000`

async function session(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: SESSION })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/**
 * @param ownerUrl of the owner of the tables, who looks
 * @param roleUrl of the role that is stolen
 */
export async function attack(
  role: Role,
  ownerUrl: string,
  roleUrl: string,
  attempts: readonly Attempt[],
): Promise<Outcome> {
  const owner = await session(ownerUrl)
  let thief = await session(roleUrl)
  const breaches: string[] = []
  let refused = 0
  try {
    let before = await readFacts(owner)
    for (const { what, sql } of attempts) {
      const passed = await thief.query(sql).then(
        () => true,
        () => false,
      )
      if (!passed) refused += 1
      // What was set in the session would stay: the next attempt begins without it. Sent as one query the two would be one
      // transaction, in which DISCARD ALL is refused: a session for each of 6,000 attempts took six of seven minutes.
      await thief
        .query('ROLLBACK')
        .then(() => thief.query('DISCARD ALL'))
        .catch(async () => {
          await thief.end().catch(() => undefined)
          thief = await session(roleUrl)
        })
      if (!passed) continue
      const after = await readFacts(owner)
      breaches.push(...changesOf(before, after, ROLES[role]).map((change) => `${what}: ${change}`))
      before = after
    }
    return { tried: attempts.length, refused, breaches }
  } finally {
    await Promise.all([owner.end(), thief.end().catch(() => undefined)])
  }
}
