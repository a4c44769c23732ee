import { type Db, prepared } from '@aval/db'
import { sql } from 'kysely'

/** The member behind a session that has not ended: one read by the session's key. */
export function selectCaller(db: Db, memberId: bigint, sessionId: string) {
  return (
    db
      .selectFrom('session')
      .innerJoin('member', 'member.id', 'session.member_id')
      .modifyFront(prepared)
      .select(['member.username', 'member.operator_role', 'member.is_fundator', 'member.region'])
      .select(sql<boolean>`current_setting('transaction_read_only') = 'on'`.as('takes_no_writes'))
      // The company's is looked up for who has said none.
      .select(
        sql<string>`coalesce(member.time_zone, (SELECT document->>'timeZone' FROM plan_version
          WHERE starts_at <= now() ORDER BY starts_at DESC, version DESC LIMIT 1), 'UTC')`.as('time_zone'),
      )
      .select([
        'session.second_factor_at',
        'session.started_at',
        'session.acted_at',
        'session.elevated_until',
      ])
      // Where the log is on the disk: what anybody was answered until now lies before.
      .select(sql<bigint>`(pg_current_wal_flush_lsn() - '0/0')::bigint`.as('place'))
      .where('session.member_id', '=', memberId)
      .where('session.id', '=', sessionId)
      .where('session.ended_at', 'is', null)
      // A sign-in whose password was compared before the account was closed may have opened one since.
      .where('member.closed_at', 'is', null)
      .executeTakeFirst()
  )
}

/** A person caused a call. Nothing where another call of that moment was later. */
export async function recordAct(db: Db, memberId: bigint, sessionId: string, now: Date): Promise<void> {
  await db
    .updateTable('session')
    .set({ acted_at: now })
    .where('member_id', '=', memberId)
    .where('id', '=', sessionId)
    .where((where) => where.or([where('acted_at', 'is', null), where('acted_at', '<', now)]))
    .execute()
}
