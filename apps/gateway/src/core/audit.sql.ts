import type { Db } from '@aval/db/connect'

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
  await db
    .insertInto('audit_event')
    .values({
      at,
      actor_id: null,
      action: `outgoing_transfer.${action}`,
      outcome,
      subject: `outgoing_transfer:${txid}`,
      details: JSON.stringify(details),
    })
    .execute()
}
