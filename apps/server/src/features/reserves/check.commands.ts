/** Comparing the chain with the books, and what follows from it. */
import { type Database, inTransaction, type Tx } from '@aval/db'
import { formatMicro, micro } from '@aval/money'
import { recordAudit } from '../../core/audit.sql.ts'
import type { Context, JobContext } from '../../core/context.ts'
import { enqueue, enqueueOnce } from '../../core/jobs.sql.ts'
import { type Reader, say } from '../../core/messages.ts'
import { alertOperators } from '../operator-alerts/alert.commands.ts'
import { aboutLift } from '../operator-alerts/guards.commands.ts'
import { selectFigures } from './figures.sql.ts'
import {
  type Comparison,
  compare,
  type Figures,
  isWorthKeeping,
  nextStop,
  owedInAll,
  type StopReason,
} from './reserves.rules.ts'
import * as store from './reserves.sql.ts'

/** After something was credited or settled; a row of them at once is one comparison. */
const SOON_MS = 3000
/** On the development chain, where a reading is never older than some seconds. */
const DEVNET_MS = 20_000

/** What is kept of a comparison: what did not match. The next one looks at these addresses whatever else it leaves out. */
function detailsOf({ differences, remainders }: Comparison): string {
  return JSON.stringify([
    ...differences.map(({ address, role, expected, difference }) => ({
      address,
      role,
      expected: formatMicro(expected),
      difference: formatMicro(difference),
    })),
    ...remainders.map(({ wallet, amount }) => ({ wallet, difference: formatMicro(amount) })),
  ])
}

function rowOf(figures: Figures, comparison: Comparison, now: Date) {
  const { custody, verdict, drift } = comparison
  return {
    at: now,
    block: figures.scanned ?? 0n,
    verdict,
    ...custody,
    in_flight: figures.inFlight,
    ...figures.owed,
    owed: owedInAll(figures.owed),
    drift,
    details: detailsOf(comparison),
    credited_seq: figures.creditedSeq,
    booked_until: figures.bookedUntil,
    compared_until: comparison.comparedUntil,
  }
}

/** Tells every operator once, by mail, that money is stopped and where to look. */
async function alertOfStop(
  tx: Tx,
  checkId: bigint,
  reason: StopReason,
  comparison: Comparison,
  now: Date,
): Promise<void> {
  const linesIn = (reader: Reader) => [
    say(reader, `reserves_stop_${reason}`),
    ...comparison.differences.map(({ address, expected, difference }) =>
      say(reader, 'reserves_alert_address', {
        address,
        expected,
        found: micro(expected + difference),
        difference,
      }),
    ),
    ...comparison.remainders.map(({ wallet, amount }) =>
      say(reader, 'reserves_alert_books', { wallet: say(reader, `reserves_wallet_${wallet}`), amount }),
    ),
    say(reader, 'reserves_alert_what'),
  ]
  const letter = (reader: Reader) => ({
    subject: say(reader, 'reserves_alert_subject'),
    lines: linesIn(reader).slice(0, 30),
  })
  await alertOperators(tx, { event: `reserves:stop:${checkId}`, letter }, now)
}

async function stop(tx: Tx, checkId: bigint, comparison: Comparison, now: Date): Promise<void> {
  const reason = comparison.reason ?? 'books'
  await store.stopPayouts(tx, checkId, reason)
  await recordAudit(tx, {
    at: now,
    actorId: null,
    action: 'payouts.stop',
    outcome: 'done',
    subject: `reserve_check:${checkId}`,
    details: { reason, drift: formatMicro(comparison.drift) },
  })
  await alertOfStop(tx, checkId, reason, comparison, now)
}

/** @param byReserves false for a restore that is over: its stop is lifted already */
async function lift(tx: Tx, checkId: bigint, now: Date, byReserves = true): Promise<void> {
  if (byReserves) await store.liftStop(tx, checkId)
  const subject = `reserve_check:${checkId}`
  await recordAudit(tx, { at: now, actorId: null, action: 'payouts.lift', outcome: 'done', subject })
  await enqueue(tx, 'payout_runs.resume', {}, 'payout_runs.resume')
  await alertOperators(tx, aboutLift(subject), now)
}

/** Compares in the caller's transaction, which holds the reserves. @param now system time */
export async function compareWithin(tx: Tx, now: Date): Promise<Comparison> {
  const figures = await selectFigures(tx)
  const comparison = compare(figures, now)
  const [last] = await store.selectChecks(tx, 1)
  if (!isWorthKeeping(comparison.verdict, last?.at ?? null, now)) return comparison
  const checkId = await store.insertCheck(tx, rowOf(figures, comparison, now))
  const { byReserves } = await store.selectStop(tx)
  const next = nextStop(byReserves, comparison.verdict)
  if (next === 'stop') await stop(tx, checkId, comparison, now)
  else if (next === 'lift') await lift(tx, checkId, now)
  else if (comparison.reason !== null) await store.stopPayouts(tx, checkId, comparison.reason)
  if (await store.endRestoration(tx)) await lift(tx, checkId, now, false)
  return comparison
}

/**
 * Compares what the chain says with the books, keeps the result, and stops or lets go. Any number at once do it one after
 * the other, each over what the one before left.
 *
 * @param now system time: readings are made by it
 */
export function checkReserves(db: Database, now: Date): Promise<Comparison> {
  return inTransaction(db, async (tx) => {
    await store.lockReserves(tx)
    return compareWithin(tx, now)
  })
}

/** Has a comparison made before long. One that waits already is not put off. @param now system time */
export async function scheduleCheck(db: Database, now: Date, afterMs = SOON_MS): Promise<void> {
  const at = new Date(now.getTime() + afterMs)
  await inTransaction(db, (tx) => enqueueOnce(tx, 'reserves.check', {}, 'reserves.check', at))
}

/** The job: a comparison, and the next one where a minute is too long to wait. @param now system time */
export async function runCheck({ db, config }: Context, now: Date): Promise<void> {
  const { soon } = await checkReserves(db, now)
  if (soon) await scheduleCheck(db, now)
  else if (config.network === 'devnet') await scheduleCheck(db, now, DEVNET_MS)
}

export const reservesJobs = (context: JobContext) => ({
  'reserves.check': async () => runCheck(context, context.systemNow()),
  'reserves.purge': async () => store.deleteOldChecks(context.db),
})
