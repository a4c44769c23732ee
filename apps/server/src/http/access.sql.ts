import { type Db, prepared } from '@aval/db'

/** The member behind a session that has not ended: one read by the session's key. */
export function selectCaller(db: Db, memberId: bigint, sessionId: string) {
  return (
    db
      .selectFrom('session')
      .innerJoin('member', 'member.id', 'session.member_id')
      .modifyFront(prepared)
      .select(['member.username', 'member.is_operator', 'member.is_fundator', 'session.second_factor_at'])
      .where('session.member_id', '=', memberId)
      .where('session.id', '=', sessionId)
      .where('session.ended_at', 'is', null)
      // A sign-in whose password was compared before the account was closed may have opened one since.
      .where('member.closed_at', 'is', null)
      .executeTakeFirst()
  )
}
