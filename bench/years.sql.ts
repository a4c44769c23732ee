/** What history takes on the disk and in the log, as the owner of the tables. */
import type pg from 'pg'

/** Tables that a day adds to. Where rows are kept says whether they are online or archived. */
export interface Kept {
  /** Postings of parts that have their rows. */
  readonly open: number
  /** Postings of archived ones, and what seals keep. */
  readonly archived: number
  /** Items of passive profit, by columns. */
  readonly pages: number
  /** Commissions, matches, what was not paid, and what legs carry. */
  readonly items: number
  /** Members' balances, journals and runs: they grow little. */
  readonly others: number
}

export async function selectKept(client: pg.ClientBase): Promise<Kept> {
  const { rows } = await client.query<{ name: keyof Kept; bytes: string }>(
    `SELECT CASE WHEN relname ~ '^posting_[0-9]+$' THEN 'open' WHEN relname ~ '^(archived_|ledger_seal|sealed_)' THEN 'archived'
         WHEN relname ~ '^payout_page_[0-9]+$' THEN 'pages' WHEN relname ~ '^(payout_(item|missed)_[0-9]+|binary_carry)$' THEN 'items' ELSE 'others' END AS name,
       sum(pg_total_relation_size(oid))::text AS bytes
     FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
       AND (relname ~ '^(posting|archived_payout|payout_page|payout_item|payout_missed)_[0-9]+$'
         OR relname IN ('archived_posting', 'ledger_seal', 'ledger_seal_sum', 'sealed_earning', 'binary_carry', 'member_balance', 'journal', 'payout_run', 'payout_batch'))
     GROUP BY 1`,
  )
  const bytes = Object.fromEntries(rows.map((row) => [row.name, Number.parseInt(row.bytes, 10)]))
  return { open: 0, archived: 0, pages: 0, items: 0, others: 0, ...bytes }
}

/** Where the log is, in bytes from its beginning; the last journal. */
export async function selectPlace(client: pg.ClientBase): Promise<{ log: number; journal: string }> {
  const { rows } = await client.query<{ log: string; journal: string }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text AS log, (SELECT max(id)::text FROM journal) AS journal`,
  )
  return { log: Number(rows[0]?.log), journal: rows[0]?.journal ?? '0' }
}

export async function countPostings(client: pg.ClientBase, afterJournal: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM posting WHERE journal_id > $1',
    [afterJournal],
  )
  return rows[0]?.count ?? 0
}

/** Members who could invest of their balance, another few each day. */
export async function selectInvestors(client: pg.ClientBase, day: number, most: number): Promise<bigint[]> {
  const { rows } = await client.query<{ member_id: string }>(
    `SELECT member_id FROM member_balance WHERE principal BETWEEN 1 AND 20000000000 AND balance >= 60000000
     ORDER BY hashint8(member_id + $1) LIMIT $2`,
    [day * 1_000_003, most],
  )
  return rows.map(({ member_id }) => BigInt(member_id))
}

export async function selectSeals(client: pg.ClientBase): Promise<{ parts: number; until: string }> {
  const { rows } = await client.query<{ parts: number; until: string }>(
    'SELECT (SELECT count(*)::int FROM ledger_seal) AS parts, archived_until()::text AS until',
  )
  return rows[0] ?? { parts: 0, until: '0' }
}

/** Days of profit whose postings are archived. */
export async function countArchivedDays(client: pg.ClientBase, until: string): Promise<number> {
  const { rows } = await client.query<{ days: number }>(
    "SELECT count(*)::int AS days FROM payout_run WHERE kind = 'passive' AND state = 'done' AND journal_id < $1",
    [until],
  )
  return rows[0]?.days ?? 0
}

/** From the first day on, profit ends at this multiple of principal. */
export async function storeCap(owner: pg.Client, cap: string, from: Date): Promise<void> {
  await owner.query(
    `INSERT INTO plan_version (version, starts_at, document) SELECT version + 1, $2, jsonb_set(document, '{passive,capMultiple}', to_jsonb($1::text))
      FROM plan_version ORDER BY version DESC LIMIT 1`,
    [cap, from],
  )
}
