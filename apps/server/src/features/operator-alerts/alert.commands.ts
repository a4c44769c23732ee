/** E-mails to all operators about what each of them should know: nobody changes who decides, or what holds, unseen by the others. */
import type { Tx } from '@aval/db'
import type { Reader } from '../../core/messages.ts'
import { selectOperators } from '../../core/operators.sql.ts'
import { queueMail } from '../mail/mail.commands.ts'
import { claimAlert } from './alert.sql.ts'

export interface Alert {
  /** Unique among all alerts, and so sent once: `reserves:stop:17`. */
  readonly event: string
  readonly letter: (reader: Reader) => { readonly subject: string; readonly lines: readonly string[] }
}

/**
 * Mails every operator, once for an event however often it is found.
 * @param now system time
 */
export async function alertOperators(tx: Tx, { event, letter }: Alert, now: Date): Promise<void> {
  if (!(await claimAlert(tx, event, now))) return
  for (const { id: memberId, email: to, reader } of await selectOperators(tx)) {
    const { subject, lines } = letter(reader)
    const params = { subject, text: lines.join('\n') }
    await queueMail(
      tx,
      { memberId, to, locale: reader.locale, event, template: 'operator_alert', params },
      now,
    )
  }
}
