/** What must not be of the house itself: its journals and accounts. Its guards are compared with the migrations (features/integrity). */
import { sql } from 'kysely'
import type { Questions } from './check.sql.ts'

export const house: Questions = {
  'postings belong to no journal': sql`
    SELECT count(*)::int AS count FROM posting p WHERE NOT EXISTS (SELECT FROM journal j WHERE j.id = p.journal_id)`,
  'members have no accounts, or accounts no member': sql`
    SELECT count(*)::int AS count FROM member m FULL JOIN member_balance b ON b.member_id = m.id
    WHERE m.id IS NULL OR b.member_id IS NULL`,
}
