/**
 * Payout work as tests call it: what is sealed waits for the auditor, which is another process in the product. Here its own step is called in
 * between, on a connection with its own rights, until nothing that it says takes a run further.
 */
import { createAuditor } from '@aval/auditor/src/auditor.ts'
import { type Connection, connect, type Database } from '@aval/db'
import * as work from '../features/payout-runs/advance.commands.ts'

type Auditor = ReturnType<typeof createAuditor>

const auditors = new WeakMap<Database, Auditor>()

/** From now on, what is done on these connections is audited by this role of their database. */
export function auditWith(auditorUrl: string, databases: readonly Database[]): Connection {
  const connection = connect(auditorUrl, 2)
  const auditor = createAuditor(connection.db)
  for (const db of databases) auditors.set(db, auditor)
  return connection
}

/** Has the auditor say what it has to; answers of how many runs it did. */
export async function audit(db: Database): Promise<number> {
  const auditor = auditors.get(db)
  if (auditor === undefined) throw new Error('nobody audits this database')
  return auditor.step()
}

/** And goes on with what waited for it. */
export async function settle(db: Database, now: Date): Promise<void> {
  while ((await audit(db)) > 0) await work.resumeRuns(db, now)
}

/** A failure of the work is the caller's to see, once what it sealed was settled. */
const audited =
  (run: (db: Database, now: Date) => Promise<void>) =>
  async (db: Database, now: Date): Promise<void> => {
    try {
      await run(db, now)
    } finally {
      await settle(db, now)
    }
  }

export const runDue = audited(work.runDue)
export const payCommissions = audited(work.payCommissions)
export const resumeRuns = audited(work.resumeRuns)
