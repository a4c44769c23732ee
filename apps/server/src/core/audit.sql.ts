import type { Db } from '@aval/db'

export interface AuditEntry {
  /** System time. */
  readonly at: Date
  /** The member who acts; null for a stranger, and for what the product does by itself. */
  readonly actorId: bigint | null
  /** What was done or tried, `noun.verb`: `withdrawal.approve`, `code.withdrawal`. */
  readonly action: string
  readonly outcome: 'done' | 'refused'
  /** What it was done to, `noun:id`: `withdrawal:17`, `member:4`. 200 characters at most. */
  readonly subject: string
  /** Whatever explains it; never a secret. Amounts as decimal text. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Adds to the trail of who did what. What is written there stays: nobody can change or delete it. */
export async function recordAudit(db: Db, entry: AuditEntry): Promise<void> {
  await db
    .insertInto('audit_event')
    .values({
      at: entry.at,
      actor_id: entry.actorId,
      action: entry.action,
      outcome: entry.outcome,
      subject: entry.subject.slice(0, 200),
      details: JSON.stringify(entry.details ?? {}),
    })
    .execute()
}
