import type { DB, Db, Tx } from '@aval/db'
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

/** Posts the sealed items of a run for members above `after`, at most `limit`; answers how far it came. */
export async function insertPostingsOfRun(
  tx: Tx,
  run: { id: bigint; journalId: bigint; at: Date; source: LedgerAccount },
  after: bigint,
  limit: number,
): Promise<{ count: number; through: bigint | null }> {
  const { rows } = await sql<{ count: number; through: bigint | null }>`
    WITH posted AS (
      INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at)
      SELECT member_id, ${run.journalId}, leg, kind, ${run.source}::ledger_account, 'balance', amount, ${run.at}
      FROM payout_item WHERE run_id = ${run.id} AND member_id > ${after}
      ORDER BY run_id, member_id, leg LIMIT ${limit}
      RETURNING member_id
    )
    SELECT count(*)::int AS count, max(member_id) AS through FROM posted`.execute(tx)
  return rows[0] ?? { count: 0, through: null }
}

/** Serialises the commands of one member. The balances themselves are out of the server's reach, the member row is not. */
export async function lockMember(tx: Tx, memberId: bigint): Promise<void> {
  await sql`SELECT FROM member WHERE id = ${memberId} FOR NO KEY UPDATE`.execute(tx)
}

/** The same for the company's money, which has no member row: who credits it and who spends it take turns. */
export async function lockHouse(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(7202)`.execute(tx)
}

export async function selectBalances(db: Db, memberId: bigint) {
  const row = await db
    .selectFrom('member_balance')
    .select(['principal', 'balance', 'held', 'earned'])
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return {
    principal: micro(row.principal),
    balance: micro(row.balance),
    held: micro(row.held),
    earned: micro(row.earned),
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

export async function closePeriod(tx: Tx, until: Date): Promise<void> {
  await sql`SELECT close_period(${until})`.execute(tx)
}
