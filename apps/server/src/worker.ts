import { inTransaction } from '@aval/db'
import { type CronItem, Logger, parseCronItems, run, type TaskList } from 'graphile-worker'
import pg from 'pg'
import { z } from 'zod'
import type { Context } from './core/context.ts'
import { enqueue, type Jobs, QUEUES } from './core/jobs.sql.ts'
import { creditLeftBehind, creditTransfer } from './features/deposits/deposits.commands.ts'
import { numberWhenDue } from './features/genealogy/numbering.commands.ts'
import { sendReset } from './features/identity/passwords/passwords.commands.ts'
import { purgeExpired } from './features/identity/purge.commands.ts'
import { forgetSent } from './features/mail/mail.commands.ts'
import { mailRoom, sendDue, sendMessage, troubleOf } from './features/mail/sending.commands.ts'
import { payCommissions, resumeRuns, runDue } from './features/payout-runs/advance.commands.ts'
import { yieldToReaders } from './features/payout-runs/runs/concurrency.ts'
import { checkAndGoOn, checkSoon, thinHistory } from './features/reserves/reserves.commands.ts'
import { bookOpening, settleTransfer, settleUnbooked } from './features/withdrawals/settle.commands.ts'
import { forgetAnswers } from './http/old-answers.commands.ts'

const creditPayload = z.object({ txid: z.string().regex(/^[0-9a-f]{64}$/), position: z.int().min(-1) })
const settlePayload = z.object({ txid: z.string().regex(/^[0-9a-f]{64}$/) })
const openingPayload = z.object({ address: z.string().max(64) })
const idText = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform(BigInt)
const resetPayload = z.object({
  email: z.string(),
  userAgent: z.string(),
  ip: z.string(),
  at: z.iso.datetime().transform((text) => new Date(text)),
})
const sendPayload = z.object({ memberId: idText, id: idText })

/**
 * Every job's handler; each may be run again after a crash.
 * @param systemNow the system's time
 */
export function jobHandlers(context: Context, systemNow = () => new Date()): TaskList {
  const { db, clock } = context
  const room = mailRoom(context)
  return {
    'identity.send_password_reset': async (payload) => {
      const { email, userAgent, ip, at } = resetPayload.parse(payload)
      await sendReset(context, { email, device: { userAgent, ip } }, at, systemNow())
    },
    'custody.book_opening': async (payload) => {
      const { address } = openingPayload.parse(payload)
      await bookOpening(db, address, await clock.now())
      await checkSoon(db, systemNow())
    },
    'outgoing_transfers.settle': async (payload) => {
      const { txid } = settlePayload.parse(payload)
      await settleTransfer(context, txid, { now: await clock.now(), systemNow: systemNow() })
      await checkSoon(db, systemNow())
    },
    'outgoing_transfers.catch_up': async () => {
      await settleUnbooked(context, { now: await clock.now(), systemNow: systemNow() })
    },
    'deposits.credit': async (payload) => {
      const { txid, position } = creditPayload.parse(payload)
      await creditTransfer(db, txid, position, await clock.now())
      await checkSoon(db, systemNow())
    },
    'deposits.catch_up': async () => {
      await creditLeftBehind(db, await clock.now())
    },
    'idempotency.purge': async () => {
      await forgetAnswers(db, systemNow())
    },
    'mail.purge': async () => {
      await forgetSent(db, systemNow())
    },
    'genealogy.number': async () => {
      await numberWhenDue(db, systemNow())
    },
    // What could not be sent is written down with when it is due again; the job has done its part.
    'mail.send': async (payload, { logger }) => {
      const key = sendPayload.parse(payload)
      const trouble = troubleOf(key, await sendMessage(room, key))
      if (trouble !== null) logger.warn(trouble)
    },
    'mail.catch_up': async (_payload, { logger }) =>
      sendDue(room, (key, outcome) => {
        const trouble = troubleOf(key, outcome)
        if (trouble !== null) logger.warn(trouble)
      }),
    'payout_runs.direct': async () => payCommissions(db, await clock.now()),
    'payout_runs.daily': async () => runDue(db, await clock.now()),
    'payout_runs.resume': async () => resumeRuns(db, await clock.now()),
    'reserves.check': async () => checkAndGoOn(context, systemNow()),
    'reserves.purge': async () => thinHistory(db),
    // Sessions live by the system's time.
    'sessions.purge': async () => purgeExpired(db, systemNow()),
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
  regularly('payout_runs.daily', '* * * * *'),
  regularly('outgoing_transfers.catch_up', '3,13,23,33,43,53 * * * *'),
  regularly('deposits.catch_up', '*/10 * * * *'),
  regularly('genealogy.number', '* * * * *'),
  regularly('mail.catch_up', '* * * * *'),
  regularly('mail.purge', '29 3 * * *', DAY_MS),
  regularly('idempotency.purge', '37 3 * * *', DAY_MS),
  regularly('payout_runs.direct', '5,15,25,35,45,55 * * * *'),
  regularly('reserves.check', '* * * * *'),
  regularly('reserves.purge', '23 3 * * *', DAY_MS),
  regularly('sessions.purge', '17 3 * * *', DAY_MS),
])

/** What a start does without waiting for its minute. As jobs: one that fails is tried again, and nothing else waits. */
const AT_START = [
  'outgoing_transfers.catch_up',
  'deposits.catch_up',
  'genealogy.number',
  'mail.catch_up',
  'payout_runs.daily',
  'payout_runs.direct',
  'reserves.check',
] as const satisfies (keyof Jobs)[]

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
    taskList: jobHandlers(context),
    parsedCronItems: CRON,
    logger: jobLogger(),
  })
  const yielding = yieldToReaders(context.config.databaseUrl)
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
      await yielding.stop()
      await pool.end()
    },
  }
}
