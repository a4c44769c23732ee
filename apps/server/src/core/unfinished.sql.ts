import { sql } from 'kysely'

/**
 * Whether an invoice `i` is one that its member has not finished paying: it is open, or it ended unpaid after `since`, after
 * money had come for it.
 */
export const isUnfinished = (
  since: Date,
) => sql<boolean>`(i.state = 'open' OR (i.state <> 'paid' AND i.closed_at > ${since}
  AND EXISTS (SELECT FROM deposit_credit c WHERE c.member_id = i.member_id AND c.invoice_id = i.id)))`
