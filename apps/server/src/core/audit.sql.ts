import type { AuditAction } from '@aval/contract'
import type { Db } from '@aval/db'
import { query } from './query.sql.ts'

export interface AuditEntry {
  /** System time. */
  readonly at: Date
  /** The member who acts; null for a visitor and for the product itself. */
  readonly actorId: bigint | null
  /** What was done or tried, `noun.verb`: `withdrawal.approve`, `code.withdrawal`. */
  readonly action: AuditAction
  readonly outcome: 'done' | 'refused'
  /** What it was done to, `noun:id`: `withdrawal:17`, `member:4`. 200 characters at most. */
  readonly subject: string
  /** Context of the entry; never a secret. Amounts as decimal text. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** What a text column and JSON can hold: callers also send a NUL, and halves of characters. */
const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd')

/** A subject as the trail has it. */
export const storableSubject = (subject: string) => storable(subject.slice(0, 200))

const storableDetails = (details: AuditEntry['details'] = {}) =>
  JSON.stringify(details, (_name, value: unknown) => (typeof value === 'string' ? storable(value) : value))

/** Adds to the audit trail, which no role can change or delete. */
export async function recordAudit(db: Db, entry: AuditEntry): Promise<void> {
  const { at, actorId, action, outcome, subject, details } = entry
  await query(db)`
    SELECT record_audit(${at}, ${actorId}, ${action}, ${outcome}, ${storableSubject(subject)}, ${storableDetails(details)}::jsonb)`
}

/** The same, done to many at one moment. */
export async function recordAudits(
  db: Db,
  entry: Omit<AuditEntry, 'subject' | 'details'>,
  each: readonly Pick<AuditEntry, 'subject' | 'details'>[],
): Promise<void> {
  const { at, actorId, action, outcome } = entry
  const subjects = each.map(({ subject }) => storableSubject(subject))
  const details = each.map((one) => storableDetails(one.details))
  await query(db)`
    SELECT record_audits(${at}, ${actorId}, ${action}, ${outcome}, ${subjects}::text[], ${details}::text[]::jsonb[])`
}
