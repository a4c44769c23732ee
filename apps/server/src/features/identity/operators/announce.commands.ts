/** What all operators are e-mailed about a change of them, and what the audit trail says of it. */
import { randomUUID } from 'node:crypto'
import type { Locale, OperatorRole } from '@aval/contract'
import type { Tx } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import { type Reader, say } from '../../../core/messages.ts'
import { alertOperators } from '../../operator-alerts/alert.commands.ts'

/** `made`, `role_set` and `dismissed`: by the person at the server; the others by an admin in the console. */
export type OperatorNews =
  | 'made'
  | 'role_set'
  | 'dismissed'
  | 'invited'
  | 'withdrawn'
  | 'joined'
  | 'role_changed'
  | 'removed'

export interface About {
  readonly memberId: bigint
  readonly username: string
  /** The person at the server, or the admin's username. */
  readonly by: string
  readonly role?: OperatorRole
}

export const sayRole = (locale: Locale, role: OperatorRole): string => say(locale, `operator_role_${role}`)

/** E-mails all who are operators at this moment. @param now system time */
export async function alertOfOperators(
  tx: Tx,
  news: OperatorNews,
  { memberId, username, by, role }: About,
  now: Date,
): Promise<void> {
  const letter = ({ locale }: Reader) => {
    const words = {
      username,
      member: String(memberId),
      by,
      role: role === undefined ? '' : sayRole(locale, role),
    }
    return {
      subject: say(locale, 'operator_alert_subject', words),
      lines: [say(locale, `operator_alert_${news}`, words), say(locale, 'operator_alert_what')],
    }
  }
  // Drawn, so that nobody can say beforehand that operators have heard of it.
  await alertOperators(tx, { event: `operator:${news}:${memberId}:${randomUUID()}`, letter }, now)
}

/** The same, and an entry of the trail: `operator.made`. A decision's own is written by its route. */
export async function announceOperators(
  tx: Tx,
  news: keyof typeof ACTIONS,
  about: About & { readonly actorId: bigint | null },
  details: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  const { memberId, actorId } = about
  const action = ACTIONS[news]
  const entry = { action, outcome: 'done', subject: `member:${memberId}` } as const
  await recordAudit(tx, { at: now, actorId, ...entry, details })
  await alertOfOperators(tx, news, about, now)
}

/** What is not written by the route of a decision. */
const ACTIONS = {
  made: 'operator.made',
  joined: 'operator.made',
  role_set: 'operator.role',
  role_changed: 'operator.role',
  dismissed: 'operator.dismissed',
} as const satisfies Partial<Record<OperatorNews, string>>
