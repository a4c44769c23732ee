import type { Db, Tx } from '@aval/db'
import { queryFirst, queryValue } from '../../../core/query.sql.ts'

export interface OpenRelease {
  readonly askedBy: bigint
  /** Username of who asked. */
  readonly by: string
  readonly reason: string
  readonly identified: string
  readonly askedAt: Date
  readonly endsAt: Date
}

/** The one that waits for another operator; undefined where none does. */
export function selectOpenRelease(db: Db, memberId: bigint, now: Date): Promise<OpenRelease | undefined> {
  return queryFirst<OpenRelease>(db)`
    SELECT r.asked_by AS "askedBy", o.username AS by, r.reason, r.identified, r.asked_at AS "askedAt", r.ends_at AS "endsAt"
    FROM factor_release r JOIN member o ON o.id = r.asked_by
    WHERE r.member_id = ${memberId} AND r.outcome IS NULL AND r.ends_at > ${now}`
}

/** @returns its number; null where one is open */
export function insertRelease(
  tx: Tx,
  asked: {
    readonly memberId: bigint
    readonly reason: string
    readonly identified: string
    readonly operatorId: bigint
  },
  at: Date,
): Promise<bigint | null> {
  const { memberId, reason, identified, operatorId } = asked
  return queryValue<bigint | null>(tx)`
    SELECT ask_release(${memberId}, ${reason}, ${identified}, ${operatorId}, ${at})`
}

/** @param operatorId null where its member stops it. @returns false where none is open */
export function endRelease(
  tx: Tx,
  memberId: bigint,
  outcome: 'released' | 'refused' | 'stopped',
  operatorId: bigint | null,
  at: Date,
): Promise<boolean> {
  return queryValue<boolean>(tx)`SELECT end_release(${memberId}, ${outcome}, ${operatorId}, ${at})`
}
