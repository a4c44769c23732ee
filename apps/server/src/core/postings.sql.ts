/** A member's postings, wherever they are kept: those of parts that have their rows, and of archived ones in the archive (decisions 064, 074). */
import { type RawBuilder, sql } from 'kysely'

const COLUMNS = sql.raw('member_id, journal_id, leg, kind, source, destination, amount, at')

/** All that are rows: everything that is not archived, and of archived parts what is no payout. */
const rowsOf = (memberId: bigint) => sql`SELECT ${COLUMNS} FROM posting WHERE member_id = ${memberId}
  UNION ALL SELECT ${COLUMNS} FROM archived_posting WHERE member_id = ${memberId} AND journal_id < (SELECT archived_until())`

/** A source of rows, to stand after FROM with a name. */
export const recentPostingsOf = (memberId: bigint): RawBuilder<unknown> => sql`(${rowsOf(memberId)})`

/**
 * The same with the payouts of archived parts. They are looked up block by block, 0.05 ms each, and not at all for who was paid by no sealed
 * part; a condition on `at` or `journal_id` is applied before that.
 */
export const postingsOf = (memberId: bigint): RawBuilder<unknown> => sql`(${rowsOf(memberId)}
  UNION ALL SELECT ${memberId}::bigint, a.journal_id, coalesce(a.legs[i.place], 0), a.kind, c.source, c.destination, a.amounts[i.place], a.at
  FROM archived_payout a JOIN posting_chart c ON c.kind = a.kind
    CROSS JOIN LATERAL unnest(array_positions(a.members, (${memberId}::bigint % 1024)::smallint)) AS i (place)
  WHERE a.block = ${memberId}::bigint / 1024 AND (SELECT EXISTS (SELECT FROM sealed_earning e WHERE e.block = ${memberId}::bigint / 1024
    AND e.passive_days[${memberId}::bigint % 1024 + 1] + e.commission[${memberId}::bigint % 1024 + 1] + e.matched[${memberId}::bigint % 1024 + 1] > 0)))`
