import { type DB, type Db, prepared, type Tx } from '@aval/db'
import type { Micro } from '@aval/money'
import { micro } from '@aval/money'
import { sql } from 'kysely'

export type PostingKind = DB['posting']['kind']
export type LedgerAccount = DB['posting']['source']
/** House accounts that PostgreSQL keeps at or above zero. */
export type GuardedAccount =
  | 'pool:profit'
  | 'pool:commission'
  | 'due:profit'
  | 'due:commission'
  | 'company:capital'

export interface PostingRow {
  readonly member_id: bigint
  readonly leg: number
  readonly kind: PostingKind
  readonly source: LedgerAccount
  readonly destination: LedgerAccount
  readonly amount: Micro
}

/** Null when the key is taken. */
export async function insertJournal(
  tx: Tx,
  journal: { key: string; kind: string; at: Date; input_hash: string },
): Promise<bigint | null> {
  const row = await tx
    .insertInto('journal')
    .values(journal)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

export function findJournal(db: Db, key: string) {
  return db.selectFrom('journal').select(['id', 'input_hash']).where('key', '=', key).executeTakeFirst()
}

export async function insertPostings(
  tx: Tx,
  journalId: bigint,
  at: Date,
  rows: readonly PostingRow[],
): Promise<void> {
  await tx
    .insertInto('posting')
    .values(rows.map((row) => ({ ...row, journal_id: journalId, at })))
    .execute()
}

export interface RunJournal {
  readonly runId: bigint
  readonly journalId: bigint
  readonly at: Date
  readonly source: LedgerAccount
}

/** Members whose items are posted together. */
export interface PostingRange {
  readonly first: bigint
  readonly last: bigint
}

/** Posts the sealed items of a run that belong to a range of members; answers how many there were. */
export async function insertItemPostings(
  tx: Tx,
  run: RunJournal,
  { first, last }: PostingRange,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    WITH sealed AS MATERIALIZED (
      SELECT i.member_id, i.leg, i.kind, coalesce(s.amount, i.amount) AS amount
      FROM payout_item i LEFT JOIN payout_share s ON s.member_id = i.member_id AND s.run_id = i.run_id AND s.leg = i.leg
      WHERE i.run_id = ${run.runId} AND i.member_id BETWEEN ${first} AND ${last}
    ), posted AS (
      INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at)
      SELECT member_id, ${run.journalId}, leg, kind, ${run.source}::ledger_account, 'balance', amount, ${run.at}
      FROM sealed WHERE amount > 0 ORDER BY member_id, leg
    )
    SELECT count(*)::int AS count FROM sealed`.execute(tx)
  return rows[0]?.count ?? 0
}

/** The same for a passive run, whose items stand in pages by blocks of 1,024 ids. */
export async function insertPagePostings(
  tx: Tx,
  run: RunJournal,
  { first, last }: PostingRange,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    WITH sealed AS MATERIALIZED (
      SELECT p.block, p.item_count, p.members, coalesce(s.amounts, p.amounts) AS amounts
      FROM payout_page p LEFT JOIN payout_page_share s ON s.run_id = p.run_id AND s.block = p.block
      WHERE p.run_id = ${run.runId} AND p.block BETWEEN ${first / 1024n} AND ${last / 1024n} ORDER BY p.block
    ), posted AS (
      INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at)
      SELECT i.member_id, ${run.journalId}, 0, 'passive', ${run.source}::ledger_account, 'balance', i.amount, ${run.at}
      FROM sealed n, unnest(n.members, n.amounts) AS i (member_id, amount) WHERE i.amount > 0
    )
    SELECT coalesce(sum(item_count), 0)::int AS count FROM sealed`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Serialises the commands of one member. The balances themselves are out of the server's reach, the member row is not. */
export async function lockMemberRow(tx: Tx, memberId: bigint): Promise<void> {
  await sql`SELECT FROM member WHERE id = ${memberId} FOR NO KEY UPDATE`.execute(tx)
}

/** The same for the company's money, which has no member row: who credits it and who spends it take turns. */
export async function lockHouseRow(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(7202)`.execute(tx)
}

export async function selectBalances(db: Db, memberId: bigint) {
  const row = await db
    .selectFrom('member_balance')
    .modifyFront(prepared)
    .select(['principal', 'balance', 'held', 'earned', 'earned_passive', 'earned_binary'])
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return {
    principal: micro(row.principal),
    balance: micro(row.balance),
    held: micro(row.held),
    earned: micro(row.earned),
    earnedPassive: micro(row.earned_passive),
    earnedBinary: micro(row.earned_binary),
  }
}

export async function selectGuarded(db: Db, account: GuardedAccount): Promise<Micro> {
  const row = await db
    .selectFrom('house_balance')
    .select('amount')
    .where('account', '=', account)
    .executeTakeFirstOrThrow()
  return micro(row.amount)
}

/** Holds the period open for this transaction, and tells up to where it is closed already. */
export async function holdPeriodOpen(tx: Tx): Promise<Date | null> {
  await sql`SELECT pg_advisory_xact_lock_shared(7201)`.execute(tx)
  const { rows } = await sql<{ closed_until: Date | null }>`
    SELECT CASE WHEN isfinite(closed_until) THEN closed_until END AS closed_until FROM period_close`.execute(
    tx,
  )
  return rows[0]?.closed_until ?? null
}

export async function closePeriodAt(tx: Tx, until: Date): Promise<void> {
  await sql`SELECT close_period(${until})`.execute(tx)
}

export interface Owed {
  readonly memberId: bigint
  readonly profit: Micro
  readonly commission: Micro
}

/** Members who owe something and have a balance to take it from, at most `limit` above `after`. */
export async function selectOwing(db: Db, after: bigint, limit: number): Promise<bigint[]> {
  const { rows } = await sql<{ member_id: bigint }>`
    SELECT DISTINCT r.member_id FROM member_receivable r JOIN member_balance b ON b.member_id = r.member_id AND b.balance > 0
    WHERE r.amount > 0 AND r.member_id > ${after} ORDER BY r.member_id LIMIT ${limit}`.execute(db)
  return rows.map((row) => row.member_id)
}

export async function selectOwed(db: Db, memberId: bigint): Promise<Owed> {
  const rows = await db
    .selectFrom('member_receivable')
    .select(['pool', 'amount'])
    .where('member_id', '=', memberId)
    .execute()
  const owed = (pool: string) => micro(rows.find((row) => row.pool === pool)?.amount ?? 0n)
  return { memberId, profit: owed('profit'), commission: owed('commission') }
}
