import type { Tx } from '@aval/db'
import { sql } from 'kysely'

/** Every job there is, with its payload. A handler may be run again after a crash: each is idempotent. */
export interface Jobs {
  'deposits.credit': { txid: string; position: number }
  'deposits.sweep': Record<string, never>
  'payouts.direct': Record<string, never>
  'payouts.daily': Record<string, never>
  'payouts.resume': Record<string, never>
  'sessions.forget': Record<string, never>
}

/**
 * Jobs of one queue are done one at a time, so that a run which takes minutes never fills every hand that deposits need.
 * The names are few and fixed on purpose: whoever looks for a job looks at every queue there is, so a queue a member
 * would slow all of them down (300,000 queues: a quarter of a second a job).
 */
export const QUEUES: Readonly<Partial<Record<keyof Jobs, string>>> = {
  'deposits.sweep': 'deposits',
  'payouts.daily': 'payouts',
  'payouts.resume': 'payouts',
}

/** Adds a job in the transaction that makes it necessary. The same `key` replaces a job that has not started. */
export async function enqueue<Name extends keyof Jobs>(
  tx: Tx,
  name: Name,
  payload: Jobs[Name],
  key: string,
): Promise<void> {
  await sql`SELECT graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json,
    queue_name => ${QUEUES[name] ?? null}, job_key => ${key})`.execute(tx)
}
