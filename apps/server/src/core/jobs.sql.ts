import type { Tx } from '@aval/db'
import { query } from './query.sql.ts'

/** Every job there is, with its payload. A handler may be run again after a crash: each is idempotent. */
export interface Jobs {
  /** What was recorded since is sealed into the chain of the audit trail. */
  'audit.seal': Record<string, never>
  /** How hard names and networks were guessed at, once that is over. */
  'guesses.purge': Record<string, never>
  /** Answers kept under Idempotency-Keys. */
  'idempotency.purge': Record<string, never>
  /** A forgotten password; the job finds out whether there is such a member. */
  'identity.send_password_reset': { email: string; userAgent: string; ip: string; at: string }
  /** Members at whose account somebody guesses hear of it. */
  'identity.tell_attacked': Record<string, never>
  /** The opening balance of a company wallet; added by the gateway's database function. */
  'custody.book_opening': { address: string }
  /** Outgoing transfers have settled or failed on chain, a hundred at most; added by the gateway's database function. */
  'outgoing_transfers.settle': { txids: readonly string[] }
  'outgoing_transfers.catch_up': Record<string, never>
  /** Closed accounts: what is kept a while, and what is kept for years, when its time is over. */
  'closed_accounts.purge': Record<string, never>
  /** Sums by day for operators; and those that are read member by member. */
  'company_days.sum': Record<string, never>
  'company_days.sum_members': Record<string, never>
  'deposits.credit': { txid: string; position: number }
  'deposits.catch_up': Record<string, never>
  /** Whether the database is what its migrations made of it. */
  'integrity.check': Record<string, never>
  'investments.expire': Record<string, never>
  /** What became of changes of members' keys, which the signer or operators decide. */
  'member_keys.announce': Record<string, never>
  /** A member's terms changed; added by the signer's database function. */
  'members.terms_changed': { decision: string }
  'mail.purge': Record<string, never>
  /** What admins asked for about operators: invitations are e-mailed, and what was accepted is applied. */
  'operators.change': Record<string, never>
  /** An operator asked to have the audit trail verified. */
  'audit.verify': Record<string, never>
  /** What needs a person is found, and e-mailed to operators who chose so. */
  'notifications.find': Record<string, never>
  'notifications.purge': Record<string, never>
  /** Guards that were lowered. */
  'operator_alerts.guards': Record<string, never>
  'genealogy.number': Record<string, never>
  'mail.send': { memberId: string; id: string }
  'mail.catch_up': Record<string, never>
  /** Operators signed that their stop ends; added by the signer's database function. */
  'payments.resumed': { decision: string }
  'payout_runs.direct': Record<string, never>
  'payout_runs.daily': Record<string, never>
  'payout_runs.resume': Record<string, never>
  /** Sealed runs in figures, for operators. */
  'payout_runs.digest': Record<string, never>
  /** Runs that operators had computed again. */
  'payout_runs.replay': Record<string, never>
  /** What a plan would have paid, before it is proposed. */
  'plans.preview': Record<string, never>
  'reserves.check': Record<string, never>
  'reserves.purge': Record<string, never>
  'sessions.purge': Record<string, never>
  /** Withdrawals that the signer approved and the gateway sent: their members hear of it. */
  'withdrawals.announce': Record<string, never>
}

/**
 * Jobs of one queue run one at a time, so that a payout run of minutes never occupies every worker slot that deposits
 * need. The names are few and fixed: looking for a job scans every queue, so a queue for each member would slow all of them
 * (300,000 queues: a quarter of a second a job).
 */
export const QUEUES: Readonly<Partial<Record<keyof Jobs, string>>> = {
  'outgoing_transfers.catch_up': 'custody',
  'company_days.sum': 'company_days',
  'company_days.sum_members': 'company_days',
  'deposits.catch_up': 'deposits',
  // Goes through the whole trail: one at a time.
  'audit.verify': 'audit',
  'genealogy.number': 'genealogy',
  // One slot at most waits for a mail server that does not answer.
  'mail.send': 'mail',
  'mail.catch_up': 'mail',
  'payout_runs.daily': 'payouts',
  'payout_runs.resume': 'payouts',
  // What operators look at waits for each other, not payouts for it.
  'payout_runs.digest': 'figures',
  'payout_runs.replay': 'figures',
  'plans.preview': 'figures',
  'reserves.check': 'reserves',
}

/**
 * Adds a job in the transaction that makes it necessary. The same `key` replaces a job that has not started.
 * @param at system time before which it does not start
 * @param priority the lowest runs first, and of those the oldest
 */
export async function enqueue<Name extends keyof Jobs>(
  tx: Tx,
  name: Name,
  payload: Jobs[Name],
  key: string,
  at: Date | null = null,
  priority = 0,
): Promise<void> {
  await query(tx)`SELECT graphile_worker.add_job(${name}, traced(${JSON.stringify(payload)}::json),
    queue_name => ${QUEUES[name] ?? null}, job_key => ${key}, run_at => ${at}, priority => ${priority}::int)`
}

/**
 * The same, but a waiting job keeps its time, however often it is added. If one waits nothing is written, because two
 * transactions adding it would block each other; it starts after this statement and sees what led to it.
 */
export async function enqueueOnce<Name extends keyof Jobs>(
  tx: Tx,
  name: Name,
  payload: Jobs[Name],
  key: string,
  at: Date,
  priority = 0,
): Promise<void> {
  await query(tx)`SELECT graphile_worker.add_job(${name}, traced(${JSON.stringify(payload)}::json),
    queue_name => ${QUEUES[name] ?? null}, job_key => ${key}, run_at => ${at}, job_key_mode => 'preserve_run_at', priority => ${priority}::int)
    WHERE NOT EXISTS (SELECT FROM graphile_worker.jobs WHERE key = ${key} AND locked_at IS NULL AND attempts = 0)`
}
