import type { Db } from '@aval/db'
import { queryOne } from './query.sql.ts'

/** Up to where a stand-by has replayed its primary's log, a number of bytes; null where it takes writes of its own. */
export async function selectReplayed(db: Db): Promise<bigint | null> {
  const { place } = await queryOne<{ place: bigint | null }>(db)`
    SELECT (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END - '0/0')::bigint AS place`
  return place
}
