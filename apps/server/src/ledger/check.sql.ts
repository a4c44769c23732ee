import { type Db, sqlState } from '@aval/db'
import { type RawBuilder, sql } from 'kysely'
import { query, queryOne } from '../core/query.sql.ts'

/** Each question counts how often something is that must not be. Its sentence follows the number: "3 credits …". */
export type Questions = Readonly<Record<string, RawBuilder<{ count: number }>>>

/** One thing to look at, which `of` names: a sentence for each fault in it. */
export interface Look {
  readonly of: string
  readonly find: (reader: Db) => Promise<readonly string[]>
}

/** The database as a whole: it is down, short of something, or has other work. Nothing is said of what it holds. */
const NOT_OF_ROWS = /^(08|25|40|53|55|57|58)/

/** What cannot be read as it stands is a fault that is named, and what is asked next is answered. */
export async function findOrName(reader: Db, { of, find }: Look): Promise<readonly string[]> {
  await query(reader)`SAVEPOINT looking`
  let found: readonly string[]
  try {
    found = await find(reader)
  } catch (error) {
    if (NOT_OF_ROWS.test(sqlState(error) ?? '')) throw error
    await query(reader)`ROLLBACK TO SAVEPOINT looking`
    found = [`${of}: cannot be read: ${error instanceof Error ? error.message : error}`]
  }
  await query(reader)`RELEASE SAVEPOINT looking`
  return found
}

/**
 * Has the names of the ledger's tables mean what is to be read, up to the end of the transaction (migration 0039). With memory for a million
 * members: each question sorts or hashes all of them.
 */
export async function chooseReading(tx: Db, whole: boolean): Promise<void> {
  const names = whole ? 'ledger_whole, public' : 'ledger_open, public'
  await query(tx)`SELECT set_config('search_path', ${names}, true), set_config('work_mem', '64MB', true)`
}

/** Sums over postings, per account: what went in less what went out. Custody, an asset, comes out below zero. */
export async function sumAccounts(db: Db): Promise<{ account: string; amount: bigint }[]> {
  return query<{ account: string; amount: bigint }>(db)`
    WITH flow AS (SELECT source, destination, sum(amount) AS amount FROM posting GROUP BY source, destination
      UNION ALL SELECT c.source, c.destination, b.amount FROM paid_before b JOIN posting_chart c ON c.kind = b.kind)
    SELECT account, sum(amount)::bigint AS amount FROM (
      SELECT destination::text AS account, amount FROM flow
      UNION ALL SELECT source::text, -amount FROM flow) moves
    GROUP BY account ORDER BY account`
}

/** What a member has in each account, and what of it was earned how, net of what reversals took back: since the seals, or in all. */
const SUMMED_SINCE = `
  SELECT member_id,
    sum(CASE WHEN destination = 'principal' THEN amount WHEN source = 'principal' THEN -amount ELSE 0 END)::bigint AS principal,
    sum(CASE WHEN destination = 'balance' THEN amount WHEN source = 'balance' THEN -amount ELSE 0 END)::bigint AS balance,
    sum(CASE WHEN destination = 'held' THEN amount WHEN source = 'held' THEN -amount ELSE 0 END)::bigint AS held,
    sum(CASE WHEN destination = 'pending' THEN amount WHEN source = 'pending' THEN -amount ELSE 0 END)::bigint AS pending,
    sum(CASE WHEN kind IN ('passive', 'direct', 'master', 'binary') THEN amount
      WHEN kind IN ('clawback_profit', 'clawback_commission', 'owed_profit', 'owed_commission') THEN -amount ELSE 0 END)::bigint AS earned,
    sum(CASE WHEN kind = 'passive' THEN amount WHEN kind IN ('clawback_profit', 'owed_profit') THEN -amount ELSE 0 END)::bigint AS earned_passive,
    sum(CASE WHEN kind = 'binary' THEN amount ELSE 0 END)::bigint AS earned_binary,
    count(*) FILTER (WHERE kind = 'passive') AS passive_days,
    sum(CASE WHEN kind = 'owed_profit' THEN amount WHEN kind = 'repay_profit' THEN -amount ELSE 0 END)::bigint AS owed_profit,
    sum(CASE WHEN kind = 'owed_commission' THEN amount WHEN kind = 'repay_commission' THEN -amount ELSE 0 END)::bigint AS owed_commission
  FROM posting WHERE member_id <> 0 GROUP BY member_id`

const STORED = sql.raw(`
  SELECT b.*, coalesce(w.amount, 0) AS pending, coalesce(p.amount, 0) AS owed_profit, coalesce(c.amount, 0) AS owed_commission
  FROM member_balance b LEFT JOIN member_pending w ON w.member_id = b.member_id
    LEFT JOIN member_receivable p ON p.member_id = b.member_id AND p.pool = 'profit'
    LEFT JOIN member_receivable c ON c.member_id = b.member_id AND c.pool = 'commission'`)

const COLUMNS = [
  'principal',
  'balance',
  'held',
  'pending',
  'earned',
  'earned_passive',
  'earned_binary',
  'passive_days',
  'owed_profit',
  'owed_commission',
] as const

/** With what sealed parts paid. */
const SUMMED = sql.raw(`
  SELECT member_id, ${COLUMNS.map((name) => `sum(${name})::bigint AS ${name}`).join(', ')} FROM (${SUMMED_SINCE}
    UNION ALL SELECT member_id, 0, passive + commission + matched, 0, 0, passive + commission + matched, passive, matched, passive_days, 0, 0
    FROM earned_before) parts GROUP BY member_id`)

/** Of the figures of a row. */
const figuresOf = (row: 'a' | 'b') => COLUMNS.map((name) => `coalesce(${row}.${name}, 0)`).join(', ')

/** Members whose stored figures differ from those of their postings; the first twenty figures. */
export async function membersThatDiffer(
  db: Db,
): Promise<{ member_id: bigint; account: string; stored: bigint; summed: bigint }[]> {
  const values = COLUMNS.map((name) => `('${name}', b.${name}, a.${name})`).join(', ')
  return query<{ member_id: bigint; account: string; stored: bigint; summed: bigint }>(db)`
    SELECT member_id, figure.account, coalesce(figure.stored, 0)::bigint AS stored, coalesce(figure.summed, 0)::bigint AS summed
    FROM (${SUMMED}) a FULL JOIN (${STORED}) b USING (member_id)
      CROSS JOIN LATERAL (VALUES ${sql.raw(values)}) figure (account, stored, summed)
    WHERE (${sql.raw(figuresOf('a'))}) <> (${sql.raw(figuresOf('b'))}) AND coalesce(figure.stored, 0) <> coalesce(figure.summed, 0)
    ORDER BY member_id LIMIT 20`
}

export async function storedHouse(db: Db): Promise<{ account: string; amount: bigint }[]> {
  return db.selectFrom('house_balance').select(['account', 'amount']).orderBy('account').execute()
}

/** What the wallets hold by the books, kept beside the postings. */
export function storedCustody(db: Db): Promise<{ account: string; amount: bigint }[]> {
  return db.selectFrom('custody_balance').select(['account', 'amount']).orderBy('account').execute()
}

/**
 * What the chain brought in, was credited and has not left again, against everything stored that is owed for it. What members
 * owe backs nothing.
 */
export async function selectBacking(db: Db): Promise<{ arrived: bigint; owed: bigint }> {
  return queryOne<{ arrived: bigint; owed: bigint }>(db)`
    SELECT ((SELECT coalesce(sum(t.value), 0) FROM incoming_transfer t JOIN deposit_credit c USING (txid, position) WHERE c.outcome <> 'refill')
        + (SELECT coalesce(sum(a.opening), 0) FROM custody_address a JOIN journal j ON j.key = 'opening:' || a.address)
        + (SELECT coalesce(sum(amount), 0) FROM custody_adjustment)
        - (SELECT coalesce(sum(CASE p.purpose WHEN 'withdrawal' THEN p.amount ELSE p.amount - p.arrived END), 0)
          FROM outgoing_transfer p JOIN outgoing_transfer_booking b ON b.txid = p.txid WHERE p.state = 'settled'))::bigint AS arrived,
      ((SELECT coalesce(sum(principal + balance + held), 0) FROM member_balance)
        + (SELECT coalesce(sum(amount), 0) FROM member_pending) + (SELECT sum(amount) FROM house_balance)
        + (SELECT coalesce(sum(amount), 0) FROM posting WHERE destination = 'company:revenue'))::bigint AS owed`
}

/** How much there is of everything, and what still waits for its job. */
export async function countRows(db: Db): Promise<Readonly<Record<string, number>>> {
  return queryOne<Record<string, number>>(db)`
    SELECT (SELECT count(*)::int FROM posting) + (SELECT coalesce(sum(postings), 0)::int FROM paid_before) AS postings,
      (SELECT count(*)::int FROM journal) AS journals,
      (SELECT count(*)::int FROM member) AS members,
      (SELECT count(*)::int FROM incoming_transfer WHERE verdict = 'credit') AS transfers,
      (SELECT count(*)::int FROM public.payout_run) AS runs,
      (SELECT count(*)::int FROM reversal) AS reversals,
      (SELECT count(*)::int FROM incoming_transfer t WHERE verdict = 'credit' AND NOT EXISTS (
        SELECT FROM deposit_credit c WHERE c.member_id = t.member_id AND c.txid = t.txid AND c.position = t.position)) AS uncredited,
      (SELECT count(*)::int FROM withdrawal) AS withdrawals,
      (SELECT count(*)::int FROM outgoing_transfer p WHERE p.state IN ('settled', 'failed') AND p.purpose <> 'trx_topup'
        AND NOT EXISTS (SELECT FROM outgoing_transfer_booking b WHERE b.txid = p.txid)) AS unbooked,
      (SELECT count(*)::int FROM investment WHERE id > (SELECT coalesce(max(last_investment), 0) FROM public.payout_run
        WHERE kind = 'direct' AND state <> 'cancelled')) AS uncommissioned`
}

/** A day of the calendar, leap years and all. A text that looks like one and is none would end the statement that reads it as a date. */
const A_DAY =
  '^(\\d{4}-((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|1\\d|2[0-8]))|(\\d\\d(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)$'

/** The day of a daily run `of`; NULL where its period is none. */
export const dayOf = (of: string) =>
  sql.raw(`CASE WHEN ${of}.period ~ '${A_DAY}' THEN ${of}.period::date END`)

/** Daily runs whose period is no day; no other question takes them for a day. */
export function selectRunsOfNoDay(db: Db) {
  return query<{ id: bigint; kind: string; period: string }>(db)`
    SELECT id, kind, period FROM public.payout_run r WHERE kind IN ('passive', 'binary') AND ${dayOf('r')} IS NULL ORDER BY id LIMIT 20`
}
