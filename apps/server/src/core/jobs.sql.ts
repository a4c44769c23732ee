import type { Tx } from '@aval/db'
import { sql } from 'kysely'

/** Every job there is, with its payload. A handler may be run again after a crash: each is idempotent. */
export interface Jobs {
  'deposits.credit': { txid: string; position: number }
  'payouts.direct': { memberId: string; investmentId: string }
  'payouts.daily': Record<string, never>
  'payouts.resume': Record<string, never>
}

/** Adds a job in the transaction that makes it necessary. The same `key` replaces a job that has not started. */
export async function enqueue<Name extends keyof Jobs>(
  tx: Tx,
  name: Name,
  payload: Jobs[Name],
  key: string,
  queue?: string,
): Promise<void> {
  await sql`SELECT graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json,
    queue_name => ${queue ?? null}, job_key => ${key})`.execute(tx)
}
