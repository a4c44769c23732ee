/**
 * The local demo's time machine. Business time runs an offset ahead of the system's; the development chain gets the
 * same offset, so that blocks, invoices and periods agree.
 */
import type { DemoState } from '@aval/contract'
import { inTransaction } from '@aval/db'
import { addDays, dayAt, dayStart } from '@aval/plan'
import type { Context } from '../../core/context.ts'
import { enqueue } from '../../core/jobs.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { planAt } from '../plan-versions/plan-versions.queries.ts'
import { beginAdvance, endAdvance, isAdvancing, midnightRests, setOffset } from './demo.sql.ts'
import { devnetCalls } from './devnet-calls.ts'

/** Into the day, so that the journey after it does not start at midnight sharp. */
const MORNING_MS = 9 * 3_600_000

export async function readDemo({ db, clock, config }: Context): Promise<DemoState> {
  return {
    enabled: config.demo,
    now: (await clock.now()).toISOString(),
    advancing: config.demo && (await isAdvancing(db)),
    mail: config.demo && config.smtp === null ? '/dev/mail' : null,
    codes: config.demo ? '/dev/codes' : null,
  }
}

/** Sets business time, on the chain first: what fails there leaves everything as it was. */
export async function setBusinessTime({ db, config }: Context, to: Date): Promise<void> {
  const offset = BigInt(to.getTime() - Date.now())
  if (config.devnetUrl !== null) await devnetCalls(config.devnetUrl).setClock(offset)
  await setOffset(db, offset)
}

/** Has the sums that operators see made now, rather than when their time comes. */
export async function askForSums({ db }: Context): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const job of ['company_days.sum', 'company_days.sum_members'] as const)
      await enqueue(tx, job, {}, job)
  })
}

/** At the API's start nobody is advancing any more, whatever a killed one left behind. */
export async function forgetAdvance({ db, config }: Context): Promise<void> {
  if (config.demo) await endAdvance(db)
}

/**
 * Goes to the morning of the next day and asks for its payout run. `rest` is awaited between looks at the run; it answers
 * false when waiting should end.
 *
 * @throws Refusal when this is no demo, or a day is being advanced already.
 */
export async function advanceDay(context: Context, rest: () => Promise<boolean>): Promise<DemoState> {
  const { db, clock, config } = context
  if (!config.demo) throw new Refusal('demo_only')
  const now = await clock.now()
  const { plan } = await planAt(db, now)
  const today = dayAt(now, plan.timeZone)
  const tomorrow = addDays(today, 1)
  const morning = new Date(dayStart(tomorrow, plan.timeZone).getTime() + MORNING_MS)
  if (!(await beginAdvance(db, morning))) throw new Refusal('demo_busy')
  try {
    await setBusinessTime(context, morning)
    await inTransaction(db, (tx) => enqueue(tx, 'payout_runs.daily', {}, 'payouts.daily.now'))
    while (!(await midnightRests(db, tomorrow, today)) && (await rest())) {
      // the worker is at it
    }
    await askForSums(context)
  } finally {
    await endAdvance(db)
  }
  return readDemo(context)
}
