import type { Tx } from '@aval/db'
import { sql } from 'kysely'

/** Every job there is, with its payload. A handler may be run again after a crash: each is idempotent. */
export interface Jobs {
  /** Answers kept under Idempotency-Keys. */
  'idempotency.purge': Record<string, never>
  /** Somebody forgot a password; whether there is such a member is for the job to find out. */
  'identity.send_password_reset': { email: string; userAgent: string; ip: string; at: string }
  /** What a wallet of the company held before we looked; added by the gateway's database function. */
  'custody.book_opening': { address: string }
  /** A transfer of ours is settled or failed in the solid chain; added by the gateway's database function. */
  'outgoing_transfers.settle': { txid: string }
  'outgoing_transfers.catch_up': Record<string, never>
  'deposits.credit': { txid: string; position: number }
  'deposits.catch_up': Record<string, never>
  'mail.purge': Record<string, never>
  'genealogy.number': Record<string, never>
  'mail.send': { memberId: string; id: string }
  'mail.catch_up': Record<string, never>
  'payout_runs.direct': Record<string, never>
  'payout_runs.daily': Record<string, never>
  'payout_runs.resume': Record<string, never>
  'reserves.check': Record<string, never>
  'reserves.purge': Record<string, never>
  'sessions.purge': Record<string, never>
}

/**
 * Jobs of one queue are done one at a time, so that a run which takes minutes never fills every hand that deposits need.
 * The names are few and fixed on purpose: whoever looks for a job looks at every queue there is, so a queue a member
 * would slow all of them down (300,000 queues: a quarter of a second a job).
 */
export const QUEUES: Readonly<Partial<Record<keyof Jobs, string>>> = {
  'outgoing_transfers.catch_up': 'custody',
  'deposits.catch_up': 'deposits',
  'genealogy.number': 'genealogy',
  // One hand at most waits for a mail server that does not answer.
  'mail.send': 'mail',
  'mail.catch_up': 'mail',
  'payout_runs.daily': 'payouts',
  'payout_runs.resume': 'payouts',
  'reserves.check': 'reserves',
}

/**
 * Adds a job in the transaction that makes it necessary. The same `key` replaces a job that has not started.
 * @param at system time before which it does not start
 * @param priority whoever is free takes the lowest first, and of those the oldest
 */
export async function enqueue<Name extends keyof Jobs>(
  tx: Tx,
  name: Name,
  payload: Jobs[Name],
  key: string,
  at: Date | null = null,
  priority = 0,
): Promise<void> {
  await sql`SELECT graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json,
    queue_name => ${QUEUES[name] ?? null}, job_key => ${key}, run_at => ${at}, priority => ${priority}::int)`.execute(
    tx,
  )
}

/**
 * The same, but a job that waits already is not put off: however often it is asked for, it comes. Where one waits nothing is
 * written, or whoever asks would wait for whoever asked before; it starts after this question, and sees what led to it.
 */
export async function enqueueOnce<Name extends keyof Jobs>(
  tx: Tx,
  name: Name,
  payload: Jobs[Name],
  key: string,
  at: Date,
): Promise<void> {
  await sql`SELECT graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json,
    queue_name => ${QUEUES[name] ?? null}, job_key => ${key}, run_at => ${at}, job_key_mode => 'preserve_run_at')
    WHERE NOT EXISTS (SELECT FROM graphile_worker.jobs WHERE key = ${key} AND locked_at IS NULL AND attempts = 0)`.execute(
    tx,
  )
}
