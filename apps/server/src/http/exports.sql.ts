import type { OperatorRole } from '@aval/contract'
import type { Database, Db, Tx } from '@aval/db'
import { queryFirst, queryValue } from '../core/query.sql.ts'

const LOCK_CLASS = 7303

export interface Snapshot {
  readonly tx: Tx
  /** Ends it; nothing was written in it. */
  end(): Promise<void>
}

/** One moment of everything, open until it is ended. The role's own limits hold: a statement, and how long it may do nothing. */
export async function openSnapshot(db: Database): Promise<Snapshot> {
  const tx = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
  return {
    tx,
    end: async () => {
      if (!tx.isCommitted && !tx.isRolledBack) await tx.rollback().execute()
    },
  }
}

/** Takes one of so many places of a member, over all processes, until the transaction ends. @returns whether one was free */
export async function takePlace(tx: Tx, memberId: bigint, most: number): Promise<boolean> {
  for (let place = 0; place < most; place += 1) {
    const name = `export:${memberId}:${place}`
    if (await queryValue<boolean>(tx)`SELECT pg_try_advisory_xact_lock(${LOCK_CLASS}, hashtext(${name}))`)
      return true
  }
  return false
}

/** The role of an operator whose session goes on; null where it ended, or there is no role any more. */
export async function roleOfSession(
  db: Db,
  memberId: bigint,
  sessionId: string,
): Promise<OperatorRole | null> {
  const row = await queryFirst<{ role: OperatorRole | null }>(db)`
    SELECT m.operator_role AS role FROM session s JOIN member m ON m.id = s.member_id
    WHERE s.member_id = ${memberId} AND s.id = ${sessionId}::uuid AND s.ended_at IS NULL`
  return row?.role ?? null
}
