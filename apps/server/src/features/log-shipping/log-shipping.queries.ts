/** The database's log on its way to other disks, as Prometheus sees it. */
import type { Db } from '@aval/db'
import { queryOne } from '../../core/query.sql.ts'

export interface LogShipping {
  /** Up to here the database has written its log. */
  readonly place: bigint
  /** When a file of the log was archived last, or since when none was; null where none is to be. */
  readonly archived: Date | null
  /** Those for whom the database keeps its log, by the name of their slot: up to where they have it. */
  readonly receivers: Readonly<Record<string, string | null>>
}

/** A slot that is gone with its session, such as that of a copy, follows nothing. */
export function readLogShipping(db: Db): Promise<LogShipping> {
  return queryOne<LogShipping>(db)`
    SELECT (pg_current_wal_flush_lsn() - '0/0')::bigint AS place,
      (SELECT coalesce(last_archived_time, stats_reset) FROM pg_stat_archiver WHERE current_setting('archive_mode') <> 'off') AS archived,
      (SELECT coalesce(jsonb_object_agg(slot_name, (restart_lsn - '0/0')::bigint::text), '{}') FROM pg_replication_slots
        WHERE slot_type = 'physical' AND NOT temporary) AS receivers`
}
