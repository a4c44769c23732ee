import { Logger, parseCronItems, type Runner, run, type TaskList } from 'graphile-worker'
import pg from 'pg'
import { z } from 'zod'
import type { Context } from './core/context.ts'
import type { Jobs } from './core/jobs.sql.ts'
import { forgetAdvance } from './features/demo/demo.commands.ts'
import { creditLeftBehind, creditTransfer } from './features/deposits/deposits.commands.ts'
import { payDirect, resumeRuns, runDue } from './features/payouts/payouts.commands.ts'

const creditPayload = z.object({ txid: z.string().regex(/^[0-9a-f]{64}$/), position: z.int().min(-1) })
const directPayload = z.object({
  memberId: z
    .string()
    .regex(/^\d{1,19}$/)
    .transform(BigInt),
  investmentId: z
    .string()
    .regex(/^\d{1,19}$/)
    .transform(BigInt),
})

/** Every job's handler; each may be run again after a crash. */
function handlers({ db, clock }: Context): TaskList {
  return {
    'deposits.credit': async (payload) => {
      const { txid, position } = creditPayload.parse(payload)
      await creditTransfer(db, txid, position, await clock.now())
    },
    'payouts.direct': async (payload) => {
      const { memberId, investmentId } = directPayload.parse(payload)
      await payDirect(db, memberId, investmentId, await clock.now())
    },
    'payouts.daily': async () => runDue(db, await clock.now()),
    'payouts.resume': async () => resumeRuns(db, await clock.now()),
  } satisfies Record<keyof Jobs, TaskList[string]>
}

/** Once a minute: the day's run where it is due. What a minute missed, the next one does. */
const CRON = parseCronItems([
  {
    task: 'payouts.daily',
    match: '* * * * *',
    options: { backfillPeriod: 0, jobKey: 'payouts.daily', jobKeyMode: 'preserve_run_at' },
  },
])

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
  await forgetAdvance(context)
  await creditLeftBehind(context.db, await context.clock.now())
  const runner: Runner = await run({
    pgPool: pool,
    concurrency: 4,
    noHandleSignals: true,
    pollInterval: 1000,
    taskList: handlers(context),
    parsedCronItems: CRON,
    logger: jobLogger(),
  })
  await runDue(context.db, await context.clock.now())
  return {
    async stop() {
      await runner.stop()
      await pool.end()
    },
  }
}
