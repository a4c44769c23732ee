import type { Db, Tx } from '@aval/db'
import { recordAudit } from '../../core/audit.sql.ts'
import { query } from '../../core/query.sql.ts'
import { LOOK, requireMember } from './file.queries.ts'

const HOUR_MS = 3_600_000

/** Records that an operator looks at a member; once an hour is enough to know. @param now system time */
export async function recordLook(db: Db, operatorId: bigint, memberId: bigint, now: Date): Promise<void> {
  const subject = `member:${memberId}`
  const known = await query(db)`
    SELECT FROM audit_event WHERE subject = ${subject} AND subject LIKE 'member:%' AND action = ${LOOK} AND actor_id = ${operatorId}
      AND at > ${new Date(now.getTime() - HOUR_MS)} LIMIT 1`
  if (known.length > 0) return
  await recordAudit(db, { at: now, actorId: operatorId, action: LOOK, outcome: 'done', subject })
}

/** @throws Refusal `member_not_found` @param now system time */
export async function writeNote(
  tx: Tx,
  note: { readonly memberId: bigint | null; readonly authorId: bigint; readonly text: string },
  now: Date,
): Promise<void> {
  const { id } = await requireMember(tx, note.memberId)
  await query(
    tx,
  )`INSERT INTO member_note (member_id, author_id, text, at) VALUES (${id}, ${note.authorId}, ${note.text}, ${now})`
  await recordAudit(tx, {
    at: now,
    actorId: note.authorId,
    action: 'member.note',
    outcome: 'done',
    subject: `member:${id}`,
  })
}
