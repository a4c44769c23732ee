/** Comparing the database with its migrations, and what follows from a difference. */
import { type Database, inTransaction, type Tx } from '@aval/db'
import { recordAudit } from '../../core/audit.sql.ts'
import { enqueue } from '../../core/jobs.sql.ts'
import { type Reader, say } from '../../core/messages.ts'
import { alertOperators } from '../operator-alerts/alert.commands.ts'
import { aboutLift } from '../operator-alerts/guards.commands.ts'
import { findDifferences } from './integrity.queries.ts'
import { keptDifferences } from './integrity.rules.ts'
import { recordCheck } from './integrity.sql.ts'

/** In a mail; all of them are on the page. */
const MAILED = 25

/** Tells every operator, by mail, once for each other finding. */
async function alertOfAltered(tx: Tx, id: bigint, differences: readonly string[], now: Date): Promise<void> {
  const letter = ({ locale }: Reader) => ({
    subject: say(locale, 'integrity_alert_subject'),
    lines: [
      say(locale, 'integrity_alert_found'),
      ...differences.slice(0, MAILED),
      say(locale, 'integrity_alert_what'),
    ],
  })
  await alertOperators(tx, { event: `integrity:stop:${id}`, letter }, now)
}

/**
 * Compares, keeps the result, and stops payments or lets them go.
 *
 * @param now system time
 * @returns the differences, a line each
 */
export function checkIntegrity(db: Database, now: Date): Promise<readonly string[]> {
  return inTransaction(db, async (tx) => {
    const differences = keptDifferences(await findDifferences(tx))
    const { id, outcome } = await recordCheck(tx, differences, now)
    if (outcome === 'none') return differences
    const action = outcome === 'lifted' ? 'payouts.lift' : 'payouts.stop'
    await recordAudit(tx, {
      at: now,
      actorId: null,
      action,
      outcome: 'done',
      subject: `integrity_check:${id}`,
      details: { reason: 'altered', differences },
    })
    if (outcome === 'lifted') {
      await enqueue(tx, 'payout_runs.resume', {}, 'payout_runs.resume')
      await alertOperators(tx, aboutLift(`integrity_check:${id}`), now)
    } else await alertOfAltered(tx, id, differences, now)
    return differences
  })
}
