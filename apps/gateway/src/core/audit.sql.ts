import type { Db } from '@aval/db/connect'
import { sql } from 'kysely'

/** Records in the audit trail what was decided about an outgoing transfer, by no person. */
export async function recordDecision(
  db: Db,
  entry: {
    readonly at: Date
    readonly action: 'import' | 'sign'
    readonly txid: string
    readonly outcome: 'done' | 'refused'
    readonly details: Readonly<Record<string, string>>
  },
): Promise<void> {
  const { at, action, txid, outcome, details } = entry
  await recordAudit(db, {
    at,
    action: `outgoing_transfer.${action}`,
    outcome,
    subject: `outgoing_transfer:${txid}`,
    details,
  })
}

/** Adds to the audit trail what no person did. */
export async function recordAudit(
  db: Db,
  entry: {
    readonly at: Date
    readonly action: string
    readonly outcome: 'done' | 'refused'
    readonly subject: string
    readonly details: Readonly<Record<string, string>>
  },
): Promise<void> {
  const { at, action, outcome, subject, details } = entry
  await sql`SELECT record_audit(${at}, NULL, ${action}, ${outcome}, ${subject}, ${JSON.stringify(details)}::jsonb)`.execute(
    db,
  )
}
