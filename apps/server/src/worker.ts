import { EventEmitter } from 'node:events'
import { inTransaction, openPool } from '@aval/db'
import { inSpan } from '@aval/tracing'
import { type CronItem, Logger, parseCronItems, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type { Context } from './core/context.ts'
import { enqueue, type Jobs, QUEUES } from './core/jobs.sql.ts'
import { logLine } from './core/log-line.ts'
import { freeDeadLocks, type LivingWorker, liveAs } from './core/worker-locks.ts'
import { auditJobs } from './features/audit/audit.jobs.ts'
import { companyDaysJobs } from './features/company-days/company-days.commands.ts'
import { depositsJobs } from './features/deposits/credit.commands.ts'
import { genealogyJobs } from './features/genealogy/numbering.commands.ts'
import { identityJobs } from './features/identity/identity.jobs.ts'
import { timeZoneOf } from './features/identity/members/members.queries.ts'
import { privacyJobs } from './features/identity/privacy/closing.commands.ts'
import { integrityJobs } from './features/integrity/integrity.jobs.ts'
import { investmentsJobs } from './features/investments/investments.jobs.ts'
import { mailJobs } from './features/mail/mail.jobs.ts'
import { notificationsJobs } from './features/notifications/notifications.jobs.ts'
import { operatorAlertsJobs } from './features/operator-alerts/guards.commands.ts'
import { payoutRunsJobs } from './features/payout-runs/advance.commands.ts'
import { yieldToReaders } from './features/payout-runs/runs/concurrency.ts'
import { timeZoneAt } from './features/plan-versions/plan-versions.queries.ts'
import { reservesJobs } from './features/reserves/check.commands.ts'
import { treasuryJobs } from './features/treasury/treasury.commands.ts'
import { withdrawalsJobs } from './features/withdrawals/settle.commands.ts'
import { idempotencyJobs } from './http/idempotency.ts'

/**
 * Every job's handler; each may be run again after a crash.
 * @param systemNow the system's time
 */
export function jobHandlers(context: Context, systemNow = () => new Date()): TaskList {
  const own = { ...context, systemNow }
  return {
    ...auditJobs(own),
    ...identityJobs(own),
    ...operatorAlertsJobs(own),
    ...notificationsJobs(own),
    ...mailJobs(
      own,
      async (memberId) => (await timeZoneOf(own.db, memberId)) ?? timeZoneAt(own.db, await own.clock.now()),
    ),
    ...genealogyJobs(own),
    ...companyDaysJobs(own),
    ...depositsJobs(own),
    ...integrityJobs(own),
    ...investmentsJobs(own),
    ...withdrawalsJobs(own),
    ...payoutRunsJobs(own),
    ...privacyJobs(own),
    ...reservesJobs(own),
    ...treasuryJobs(own),
    ...idempotencyJobs(own),
  } satisfies Record<keyof Jobs, TaskList[string]>
}

const DAY_MS = 86_400_000

/** In which trace a job was added; a job of the clock begins one. */
function traceOf(payload: unknown): string | null {
  const isTraced = typeof payload === 'object' && payload !== null && 'traceparent' in payload
  return isTraced && typeof payload.traceparent === 'string' ? payload.traceparent : null
}

/** Each job in a span of its own. */
const inSpans = (handlers: TaskList): TaskList =>
  Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      (payload, helpers) =>
        inSpan(`job ${name}`, { kind: 'consumer', parent: traceOf(payload) }, async () =>
          handle?.(payload, helpers),
        ),
    ]),
  )

function regularly(task: keyof Jobs, match: string, backfillPeriod = 0): CronItem {
  const queueName = QUEUES[task]
  const queue = queueName === undefined ? {} : { queueName }
  return { task, match, options: { backfillPeriod, jobKey: task, jobKeyMode: 'preserve_run_at', ...queue } }
}

/**
 * Once a minute the day's run where it is due. The catch-ups do the work of jobs that were lost, or failed until their
 * tries were used up, from the rows that made them necessary.
 */
const CRON = parseCronItems([
  regularly('audit.seal', '* * * * *'),
  regularly('payout_runs.daily', '* * * * *'),
  regularly('outgoing_transfers.catch_up', '3,13,23,33,43,53 * * * *'),
  regularly('company_days.sum', '4,14,24,34,44,54 * * * *'),
  regularly('company_days.sum_members', '10 * * * *'),
  regularly('deposits.catch_up', '*/10 * * * *'),
  regularly('investments.expire', '* * * * *'),
  regularly('genealogy.number', '* * * * *'),
  regularly('integrity.check', '*/5 * * * *'),
  regularly('mail.catch_up', '* * * * *'),
  regularly('guesses.purge', '47 * * * *'),
  regularly('identity.tell_attacked', '2,7,12,17,22,27,32,37,42,47,52,57 * * * *'),
  regularly('member_keys.announce', '* * * * *'),
  regularly('operator_alerts.guards', '* * * * *'),
  regularly('operators.change', '* * * * *'),
  regularly('notifications.find', '* * * * *'),
  regularly('notifications.purge', '53 3 * * *', DAY_MS),
  regularly('mail.purge', '29 3 * * *', DAY_MS),
  regularly('idempotency.purge', '37 3 * * *', DAY_MS),
  regularly('payout_runs.digest', '* * * * *'),
  regularly('payout_runs.replay', '4,14,24,34,44,54 * * * *'),
  regularly('plans.preview', '6,16,26,36,46,56 * * * *'),
  regularly('payout_runs.direct', '5,15,25,35,45,55 * * * *'),
  regularly('reserves.check', '* * * * *'),
  regularly('reserves.purge', '23 3 * * *', DAY_MS),
  regularly('sessions.purge', '17 3 * * *', DAY_MS),
  regularly('closed_accounts.purge', '43 3 * * *', DAY_MS),
  regularly('withdrawals.announce', '* * * * *'),
])

/** What a start does without waiting for its minute. As jobs: one that fails is tried again, and nothing else waits. */
const AT_START = [
  'audit.seal',
  'company_days.sum',
  'company_days.sum_members',
  'outgoing_transfers.catch_up',
  'deposits.catch_up',
  'investments.expire',
  'genealogy.number',
  'integrity.check',
  'mail.catch_up',
  'member_keys.announce',
  'operator_alerts.guards',
  'operators.change',
  'notifications.find',
  'payout_runs.daily',
  'payout_runs.digest',
  'payout_runs.direct',
  'payout_runs.replay',
  'plans.preview',
  'reserves.check',
  'withdrawals.announce',
] as const satisfies (keyof Jobs)[]

function jobLogger(): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning') process.stderr.write(logLine(level, message, new Date()))
  })
}

const FREE_EVERY_MS = 30_000

/** Under the name by which the library locks jobs for this process, which it says before it takes the first. */
function living(databaseUrl: string): {
  readonly events: WorkerEvents
  readonly worker: Promise<LivingWorker>
} {
  const events: WorkerEvents = new EventEmitter()
  const worker = new Promise<LivingWorker>((resolve) => {
    events.once('pool:create', ({ workerPool }) => resolve(liveAs(workerPool.id, databaseUrl)))
  })
  return { events, worker }
}

/** Starts doing jobs, beside other workers. `stop` waits for those under way. */
export async function startWorker(context: Context): Promise<{ stop(): Promise<void> }> {
  const { databaseUrl } = context.config
  const pool = openPool(databaseUrl, { max: 6, application_name: 'aval-worker' })
  await freeDeadLocks(pool)
  await inTransaction(context.db, async (tx) => {
    for (const name of AT_START) await enqueue(tx, name, {}, name)
  })
  const { events, worker } = living(databaseUrl)
  const runner = await run({
    pgPool: pool,
    concurrency: 4,
    noHandleSignals: true,
    pollInterval: 1000,
    taskList: inSpans(jobHandlers(context)),
    parsedCronItems: CRON,
    logger: jobLogger(),
    events,
    // Asked before each job: none is taken before the others know that this worker lives.
    forbiddenFlags: async () => {
      await (await worker).known
      return []
    },
  })
  const freeing = setInterval(() => void freeDeadLocks(pool).catch(() => undefined), FREE_EVERY_MS)
  const yielding = yieldToReaders(databaseUrl)
  let stopping = false
  // The library ends quietly after some failures. A process that lives on without doing jobs would be taken for a worker,
  // so this one ends with an error, and the supervisor starts it again.
  void runner.promise.then(() => {
    if (!stopping) throw new Error('the job runner ended by itself')
  })
  return {
    async stop() {
      stopping = true
      clearInterval(freeing)
      await runner.stop()
      await (await worker).stop()
      await yielding.stop()
      await pool.end()
    },
  }
}
