import { inTransaction } from '@aval/db'
import { type CronItem, Logger, parseCronItems, run, type TaskList } from 'graphile-worker'
import pg from 'pg'
import { z } from 'zod'
import type { Context } from './core/context.ts'
import { enqueue, type Jobs, QUEUES } from './core/jobs.sql.ts'
import { forgetExpired } from './features/accounts/sessions.commands.ts'
import { creditLeftBehind, creditTransfer } from './features/deposits/deposits.commands.ts'
import { payCommissions, resumeRuns, runDue } from './features/payouts/payouts.commands.ts'

const creditPayload = z.object({ txid: z.string().regex(/^[0-9a-f]{64}$/), position: z.int().min(-1) })

/** Every job's handler; each may be run again after a crash. */
function handlers({ db, clock }: Context): TaskList {
  return {
    'deposits.credit': async (payload) => {
      const { txid, position } = creditPayload.parse(payload)
      await creditTransfer(db, txid, position, await clock.now())
    },
    'deposits.sweep': async () => {
      await creditLeftBehind(db, await clock.now())
    },
    'payouts.direct': async () => payCommissions(db, await clock.now()),
    'payouts.daily': async () => runDue(db, await clock.now()),
    'payouts.resume': async () => resumeRuns(db, await clock.now()),
    // Sessions live by the system's time.
    'sessions.forget': async () => forgetExpired(db, new Date()),
  } satisfies Record<keyof Jobs, TaskList[string]>
}

const DAY_MS = 86_400_000

function regularly(task: keyof Jobs, match: string, backfillPeriod = 0): CronItem {
  const queueName = QUEUES[task]
  const queue = queueName === undefined ? {} : { queueName }
  return { task, match, options: { backfillPeriod, jobKey: task, jobKeyMode: 'preserve_run_at', ...queue } }
}

/**
 * Once a minute the day's run where it is due. A job that failed until its tries were used up, or was lost, is nobody's
 * any more: the sweeps do its work, from the rows that made it necessary.
 */
const CRON = parseCronItems([
  regularly('payouts.daily', '* * * * *'),
  regularly('deposits.sweep', '*/10 * * * *'),
  regularly('payouts.direct', '5,15,25,35,45,55 * * * *'),
  regularly('sessions.forget', '17 3 * * *', DAY_MS),
])

/** What a start does without waiting for its minute. As jobs: one that fails is tried again, and nothing else waits. */
const AT_START = ['deposits.sweep', 'payouts.daily', 'payouts.direct'] as const satisfies (keyof Jobs)[]

/**
 * A worker killed in the middle of a job leaves it locked, and the library frees such locks only after hours. One worker
 * process runs at a time, so at its start every lock is a dead one's.
 */
async function freeDeadLocks(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ locked_by: string }>(
    'SELECT DISTINCT locked_by FROM graphile_worker.jobs WHERE locked_by IS NOT NULL',
  )
  const names = rows.map(({ locked_by }) => locked_by)
  if (names.length > 0) await pool.query('SELECT graphile_worker.force_unlock_workers($1::text[])', [names])
}

function jobLogger(): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning') process.stderr.write(`${level}: ${message}\n`)
  })
}

/** Starts doing jobs. `stop` waits for those under way. */
export async function startWorker(context: Context): Promise<{ stop(): Promise<void> }> {
  const pool = new pg.Pool({
    connectionString: context.config.databaseUrl,
    max: 6,
    application_name: 'aval-worker',
  })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  await freeDeadLocks(pool)
  await inTransaction(context.db, async (tx) => {
    for (const name of AT_START) await enqueue(tx, name, {}, name)
  })
  const runner = await run({
    pgPool: pool,
    concurrency: 4,
    noHandleSignals: true,
    pollInterval: 1000,
    taskList: handlers(context),
    parsedCronItems: CRON,
    logger: jobLogger(),
  })
  let stopping = false
  // The library ends quietly after some failures. A process that lives on without doing jobs would be taken for a worker,
  // so this one ends with an error, and whoever keeps it running starts it again.
  void runner.promise.then(() => {
    if (!stopping) throw new Error('the job runner ended by itself')
  })
  return {
    async stop() {
      stopping = true
      await runner.stop()
      await pool.end()
    },
  }
}
