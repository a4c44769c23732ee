/** Finds from the rows which guards were lowered, by decisions, by the signer's key file or by settings, and alerts operators. */
import { type Database, inTransaction } from '@aval/db'
import type { Config } from '../../config.ts'
import { recordAudit } from '../../core/audit.sql.ts'
import type { JobContext } from '../../core/context.ts'
import { eachIsolated } from '../../core/isolated.ts'
import { type Reader, say } from '../../core/messages.ts'
import { type Alert, alertOperators } from './alert.commands.ts'
import * as store from './alert.sql.ts'
import { changedGuards, isOtherKeyFile, type Lowered, loweredSettings } from './guards.rules.ts'

/** What is older was told. */
const LOOK_BACK_MS = 30 * 86_400_000

/** An alert about a guard: what happened, and what to do. */
const aboutGuard = (event: string, linesIn: (reader: Reader) => readonly string[]): Alert => ({
  event,
  letter: (reader) => ({
    subject: say(reader, 'guard_alert_subject'),
    lines: [...linesIn(reader), say(reader, 'operator_alert_what')],
  }),
})

/** Payments that were stopped go on. @param what is compared: `reserve_check:17` */
export const aboutLift = (what: string): Alert =>
  aboutGuard(`payouts:lift:${what}`, (reader) => [say(reader, 'guard_alert_lifted', { what })])

function aboutDecision({ id, kind, statement, operators, ...plan }: store.AppliedDecision): Alert | null {
  const by = operators.join(', ')
  if (kind === 'run_release') {
    const words = { run: statement['run'] ?? '', by }
    return aboutGuard(`decision:${id}`, (reader) => [say(reader, 'guard_alert_run', words)])
  }
  const changes = changedGuards(plan.guards_before, plan.guards)
  if (changes.length === 0) return null
  const day = statement['starts_on'] ?? statement['starts_at'] ?? ''
  return aboutGuard(`decision:${id}`, (reader) => [say(reader, 'guard_alert_plan', { day, by }), ...changes])
}

const saySetting = (reader: Reader, lowered: Lowered): string =>
  lowered.guard === 'captcha'
    ? say(reader, 'guard_alert_captcha')
    : say(reader, 'guard_alert_cooling', {
        before: lowered.before,
        after: lowered.after,
        count: Number(lowered.after),
      })

async function found(db: Database, since: Date): Promise<Alert[]> {
  const decisions = await store.selectAppliedDecisions(db, since)
  const keyFiles = await store.selectUses(db, 'key_file.use', since)
  const settings = await store.selectUses(db, 'settings.use', since)
  return [
    ...decisions.map(aboutDecision).filter((alert) => alert !== null),
    ...keyFiles
      .filter(({ before, details }) => isOtherKeyFile(before, details))
      .map(({ id, details }) =>
        aboutGuard(`key_file:${id}`, (reader) => [
          say(reader, 'guard_alert_key_file', {
            version: details['version'] ?? '',
            approvers: details['approvers'] ?? '',
            count: Number(details['approvers'] ?? 0),
          }),
        ]),
      ),
    ...settings.flatMap(({ id, before, details }) => {
      const lowered = loweredSettings(before, details)
      const linesIn = (reader: Reader) => lowered.map((each) => saySetting(reader, each))
      return lowered.length === 0 ? [] : [aboutGuard(`settings:${id}`, linesIn)]
    }),
  ]
}

/** Alerts operators of guards that were lowered, once each. @param now system time */
export async function alertOfGuards(db: Database, now: Date): Promise<void> {
  const alerts = await found(db, new Date(now.getTime() - LOOK_BACK_MS))
  await eachIsolated(alerts, (alert) => inTransaction(db, (tx) => alertOperators(tx, alert, now)))
}

/** Notes which guards this start has, where they are others than those of the start before. @param now system time */
export async function noteSettings(
  db: Database,
  { captcha, coolingHours }: Pick<Config, 'captcha' | 'coolingHours'>,
  now: Date,
): Promise<void> {
  const details = { captcha: captcha ? 'on' : 'off', cooling_hours: String(coolingHours) }
  await inTransaction(db, async (tx) => {
    const last = await store.selectLastUse(tx, 'settings.use')
    if (JSON.stringify(Object.entries(last ?? {}).sort()) === JSON.stringify(Object.entries(details).sort()))
      return
    const entry = { action: 'settings.use', outcome: 'done', subject: 'product:settings' } as const
    await recordAudit(tx, { at: now, actorId: null, ...entry, details })
  })
}

export const operatorAlertsJobs = ({ db, config, systemNow }: JobContext) => ({
  'operator_alerts.guards': async () => {
    await noteSettings(db, config, systemNow())
    await alertOfGuards(db, systemNow())
  },
})
