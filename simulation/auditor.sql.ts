/**
 * What must hold at every moment, asked of the rows as their owner. Written from the rules alone: it shares nothing with the
 * commands, the triggers or the ledger's own check.
 */
import type pg from 'pg'

/** Each answers a line for everything that is wrong. */
const QUESTIONS: readonly string[] = [
  // All accounts add up to nothing, and so does each stored balance with the postings behind it.
  `SELECT format('member %s: %s stored as %s, postings say %s', b.member_id, a.name, a.stored, coalesce(s.sum, 0)) AS line
   FROM member_balance b
   CROSS JOIN LATERAL (VALUES ('principal', b.principal), ('balance', b.balance), ('held', b.held)) a (name, stored)
   LEFT JOIN LATERAL (SELECT sum(CASE WHEN p.destination::text = a.name THEN p.amount ELSE 0 END)
     - sum(CASE WHEN p.source::text = a.name THEN p.amount ELSE 0 END) AS sum
     FROM posting p WHERE p.member_id = b.member_id) s ON true
   WHERE a.stored <> coalesce(s.sum, 0) OR a.stored < 0`,
  `SELECT format('%s stored as %s, postings say %s', c.account, c.amount, coalesce(s.sum, 0)) FROM custody_balance c
   LEFT JOIN LATERAL (SELECT sum(CASE WHEN p.source::text = c.account THEN p.amount ELSE 0 END)
     - sum(CASE WHEN p.destination::text = c.account THEN p.amount ELSE 0 END) AS sum FROM posting p) s ON true
   WHERE c.amount <> coalesce(s.sum, 0)`,
  // What is held is what open withdrawals hold.
  `SELECT format('member %s holds %s, open withdrawals %s', b.member_id, b.held, coalesce(w.sum, 0)) FROM member_balance b
   LEFT JOIN (SELECT member_id, sum(amount) AS sum FROM withdrawal WHERE state IN ('requested', 'approved') GROUP BY 1) w USING (member_id)
   WHERE b.held <> coalesce(w.sum, 0)`,
  // In the end a withdrawal has taken its amount, or nothing.
  `SELECT format('withdrawal %s is %s and took %s of %s', w.id, w.state, s.taken, w.amount) FROM withdrawal w
   JOIN LATERAL (SELECT coalesce(sum(CASE WHEN p.source::text IN ('balance', 'principal') THEN p.amount
       WHEN p.destination::text IN ('balance', 'principal') THEN -p.amount ELSE 0 END), 0) AS taken,
       coalesce(sum(p.amount) FILTER (WHERE p.kind::text IN ('withdraw', 'withdraw_fee')), 0) AS gone
     FROM posting p JOIN journal j ON j.id = p.journal_id
     WHERE p.member_id = w.member_id AND j.key LIKE format('withdrawal:%s:%%', w.id)) s ON true
   WHERE s.taken <> CASE WHEN w.state IN ('cancelled', 'refused', 'failed') THEN 0 ELSE w.amount END
     OR s.gone <> CASE WHEN w.state = 'completed' THEN w.amount ELSE 0 END`,
  // What is left of investments is the principal, and nothing left one whose term ran.
  `SELECT format('member %s: %s of investments left, principal %s', b.member_id, coalesce(s.sum, 0), b.principal) FROM member_balance b
   LEFT JOIN (SELECT i.member_id, sum(i.amount + coalesce((SELECT sum(p.amount) FROM principal_movement_part p
       WHERE p.member_id = i.member_id AND p.investment_id = i.id), 0)) AS sum FROM investment i
     WHERE NOT EXISTS (SELECT FROM reversal r WHERE r.member_id = i.member_id AND r.investment_id = i.id) GROUP BY 1) s USING (member_id)
   WHERE b.principal <> coalesce(s.sum, 0)`,
  `SELECT format('withdrawal %s took from investment %s before it unlocked', w.id, i.id) FROM principal_movement_part p
   JOIN principal_movement m ON m.member_id = p.member_id AND m.id = p.movement_id
   JOIN withdrawal w ON w.member_id = m.member_id AND w.id = m.withdrawal_id
   JOIN investment i ON i.member_id = p.member_id AND i.id = p.investment_id
   JOIN plan_version v ON v.version = i.plan_version
   WHERE p.amount < 0 AND w.requested_at < i.credited_at + make_interval(hours => 24 * (v.document #>> '{investment,lockDays}')::int)`,
  // A day's limit, and approvals by others.
  `SELECT format('member %s asked for %s on one day', member_id, sum(amount)) FROM withdrawal
   WHERE state NOT IN ('cancelled', 'refused', 'failed')
   GROUP BY member_id, (requested_at AT TIME ZONE 'America/Bogota')::date HAVING sum(amount) > 5000000000`,
  `SELECT format('withdrawal %s is %s with %s of %s approvals', w.id, w.state, count(a.operator_id), w.approvals_needed) FROM withdrawal w
   LEFT JOIN withdrawal_approval a ON a.member_id = w.member_id AND a.withdrawal_id = w.id AND a.operator_id <> w.member_id
   WHERE w.state IN ('approved', 'completed', 'failed')
   GROUP BY w.id, w.state, w.approvals_needed HAVING count(a.operator_id) < w.approvals_needed
     OR w.approvals_needed < CASE WHEN max(w.amount) >= 1000000000 THEN 2 ELSE 1 END`,
  // A transfer is credited once, and no mail is written twice for one event.
  `SELECT format('transfer %s:%s was booked %s times', t.txid, t.position, count(*)) FROM incoming_transfer t
   JOIN journal j ON j.key = format('deposit:%s:%s', t.txid, t.position) GROUP BY t.txid, t.position HAVING count(*) > 1`,
  `SELECT format('transfer %s:%s brought %s and was credited with %s', t.txid, t.position, t.value, c.amount) FROM deposit_credit c
   JOIN incoming_transfer t USING (txid, position) WHERE c.amount <> t.value OR t.verdict <> 'credit'`,
  // What waits in pending is what came for open invoices, and nothing is invested that did not come.
  `SELECT format('member %s has %s pending, and %s came for open invoices', member_id, p.amount, c.amount) FROM
     (SELECT member_id, sum(CASE WHEN destination = 'pending' THEN amount ELSE -amount END) AS amount FROM posting
       WHERE source = 'pending' OR destination = 'pending' GROUP BY member_id) p
   FULL JOIN (SELECT c.member_id, sum(c.amount) AS amount FROM deposit_credit c
       JOIN invoice i ON i.member_id = c.member_id AND i.id = c.invoice_id WHERE c.outcome = 'part' AND i.state = 'open'
       GROUP BY c.member_id) c USING (member_id)
   WHERE coalesce(p.amount, 0) <> coalesce(c.amount, 0)`,
  `SELECT format('invoice %s asked %s and became an investment of %s, of which the balance paid %s', i.id, i.amount, v.amount, b.amount)
   FROM invoice i LEFT JOIN investment v ON v.member_id = i.member_id AND v.txn_id = i.txn_id
     LEFT JOIN LATERAL (SELECT coalesce(sum(p.amount), 0) AS amount FROM posting p
       WHERE p.member_id = v.member_id AND p.journal_id = v.journal_id AND p.kind = 'reinvest') b ON true
   WHERE (i.state = 'paid') <> (v.id IS NOT NULL) OR v.amount <> i.amount
     OR (i.state = 'paid' AND i.received + b.amount NOT BETWEEN i.amount AND i.amount + i.fee)`,
  `SELECT format('withdrawal %s is completed by %s, which is %s', w.id, w.txid, p.state) FROM withdrawal w
   LEFT JOIN outgoing_transfer p ON p.txid = w.txid WHERE w.state = 'completed' AND p.state IS DISTINCT FROM 'settled'`,
]

/** A transfer as the database has it. */
export interface KnownPayment {
  readonly txid: string
  readonly purpose: string
  readonly withdrawal: string | null
  readonly state: string
  readonly signed: boolean
  readonly expires: number
  readonly amount: string
  readonly to: string
}
export interface Credit {
  readonly txid: string
  readonly position: number
  readonly value: string
}
interface Rows {
  readonly faults: readonly string[]
  readonly payments: readonly KnownPayment[]
  readonly credits: readonly Credit[]
}

const rowsOf = (rows: string, each = 'to_json(r)') =>
  `coalesce((SELECT json_agg(${each}) FROM (${rows}) r), '[]')`

const AUDIT = `SELECT ${rowsOf(QUESTIONS.join('\nUNION ALL\n'), 'r.line')} AS faults, ${rowsOf(`
    SELECT txid, purpose, member_id || '/' || withdrawal_id AS withdrawal, state, signature IS NOT NULL AS signed,
      (extract(epoch FROM expires_at) * 1000)::float8 AS expires, amount::text, to_address AS "to" FROM outgoing_transfer`)} AS payments,
  ${rowsOf('SELECT txid, position, amount::text AS value FROM deposit_credit')} AS credits`

/** What is wrong in the rows by themselves, and what the chain has to explain. */
export async function readRows(owner: pg.Pool): Promise<Rows> {
  // Named, so that it is planned once a run: planning takes longer than answering.
  const { rows } = await owner.query<Rows>({ name: 'audit', text: AUDIT })
  return rows[0] ?? { faults: ['the audit answered nothing'], payments: [], credits: [] }
}

export async function readBooks(owner: pg.Pool): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await owner.query<{ account: string; amount: string }>(
    'SELECT account, amount::text FROM custody_balance',
  )
  return new Map(rows.map((row) => [row.account, BigInt(row.amount)]))
}

/** What is still to happen: open withdrawals, transfers under way, bookings and jobs. */
export async function readUnsettled(owner: pg.Pool): Promise<string[]> {
  const { rows } = await owner.query<{ line: string }>(`
    SELECT format('withdrawal %s is %s', id, state) AS line FROM withdrawal WHERE state IN ('requested', 'approved')
    UNION ALL SELECT format('transfer %s is %s', txid, state) FROM outgoing_transfer WHERE state IN ('prepared', 'signed')
    UNION ALL SELECT format('transfer %s is not booked', txid) FROM outgoing_transfer p
      WHERE state IN ('settled', 'failed') AND purpose <> 'trx_topup' AND NOT EXISTS (SELECT FROM outgoing_transfer_booking b WHERE b.txid = p.txid)
    UNION ALL SELECT format('deposit %s is not credited', txid) FROM incoming_transfer t
      WHERE verdict = 'credit' AND NOT EXISTS (SELECT FROM deposit_credit c WHERE c.member_id = t.member_id AND c.txid = t.txid AND c.position = t.position)`)
  return rows.map((row) => row.line)
}

/** The last block that the gateway has read. */
export async function readCursor(owner: pg.Pool): Promise<number> {
  const { rows } = await owner.query<{ scanned_block: string }>('SELECT scanned_block FROM chain_cursor')
  return Number(rows[0]?.scanned_block ?? 0)
}

/** How withdrawals and transfers ended, by name: whether a run got anywhere. */
export async function readReached(owner: pg.Pool): Promise<Record<string, number>> {
  const { rows } = await owner.query<{ name: string; count: number }>(`
    SELECT 'withdrawal ' || state AS name, count(*)::int AS count FROM withdrawal GROUP BY 1
    UNION ALL SELECT purpose || ' ' || state, count(*)::int FROM outgoing_transfer GROUP BY 1
    UNION ALL SELECT 'rebroadcast', count(*)::int FROM outgoing_transfer WHERE broadcasts > 2`)
  return Object.fromEntries(rows.map((row) => [row.name, row.count]))
}
