import type { DB, Db, Tx } from '@aval/db'
import type { Insertable } from 'kysely'
import { query, queryValue } from '../core/query.sql.ts'

const LOCK_CLASS = 7301

/** Until this transaction ends, the only one that works under this member's key. */
export async function lockKey(tx: Tx, memberId: bigint, key: string): Promise<void> {
  await query(tx)`SELECT pg_advisory_xact_lock(${LOCK_CLASS}, hashtext(${`${memberId}:${key}`}))`
}

export function selectAnswer(tx: Tx, memberId: bigint, key: string) {
  return tx
    .selectFrom('idempotency_response')
    .select(['request_hash', 'status', 'body'])
    .where('member_id', '=', memberId)
    .where('key', '=', key)
    .executeTakeFirst()
}

export async function insertAnswer(tx: Tx, answer: Insertable<DB['idempotency_response']>): Promise<void> {
  await tx.insertInto('idempotency_response').values(answer).execute()
}

/** Deletes expired ones, the oldest first. @returns how many */
export async function deleteOldResponses(db: Db, now: Date, most: number): Promise<number> {
  return queryValue<number>(db)`SELECT purge_idempotency_responses(${now}, ${most}::int) AS n`
}
