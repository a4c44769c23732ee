/** What operators search for: each statement reads a few entries of one index, however many members there are. */
import type { FOUND_BY } from '@aval/contract'
import type { Db } from '@aval/db'
import { sql } from 'kysely'
import { beginningsWith, LAST_CHARACTER } from '../../core/names.sql.ts'
import { query, queryColumn, queryValue } from '../../core/query.sql.ts'

export type FoundBy = (typeof FOUND_BY)[number]

export interface FoundMember {
  readonly id: bigint
  readonly by: FoundBy
}

/** As names are compared: without accents, in lower case, one space between words. */
export const selectFolded = (db: Db, text: string) =>
  queryValue<string>(db)`SELECT folded_name(${text}) AS folded`

/** Of each index of names, entries that are held against the other words: more people have two names than anybody reads. */
const LOOKED_AT = 20_000

const range = (word: string, most: number) =>
  sql.join(
    beginningsWith(word).map(
      ({ is, inOrder }) => sql`(SELECT id FROM member WHERE ${is} ${inOrder} LIMIT ${most})`,
    ),
    sql` UNION ALL `,
  )

/** Members whose username, or a word of whose name, begins with each of the words. */
export async function selectCalled(db: Db, words: readonly string[], limit: number): Promise<bigint[]> {
  const [first, ...others] = [...words].sort((a, b) => b.length - a.length)
  if (first === undefined) return []
  if (others.length === 0)
    return queryColumn<bigint>(db)`SELECT DISTINCT id FROM (${range(first, limit)}) k LIMIT ${limit}`
  const also = others.map((word) => sql`AND k.id IN (${range(word, LOOKED_AT)})`)
  return queryColumn<bigint>(db)`
    SELECT DISTINCT k.id FROM (${range(first, LOOKED_AT)}) k WHERE true ${sql.join(also, sql` `)} LIMIT ${limit}`
}

export const selectByUsername = (db: Db, folded: string, limit: number) =>
  queryColumn<bigint>(
    db,
  )`SELECT id FROM member WHERE folded_name(username) COLLATE "C" = ${folded} LIMIT ${limit}`

/** Addresses that somebody left are theirs no more. */
export const selectByEmail = (db: Db, beginning: string, limit: number) =>
  queryColumn<bigint>(db)`SELECT member_id FROM member_identifier
    WHERE kind = 'email' AND value COLLATE "C" >= ${beginning} AND value COLLATE "C" < ${beginning + LAST_CHARACTER}
      AND former_since IS NULL AND member_id <> 0 ORDER BY value COLLATE "C" LIMIT ${limit}`

export const selectByRefCode = (db: Db, code: string) =>
  queryColumn<bigint>(
    db,
  )`SELECT member_id FROM member_identifier WHERE kind = 'ref_code' AND value = ${code} AND member_id <> 0`

/** By its last digits, with or without the code of the country. */
export function selectByPhone(db: Db, digits: string, limit: number) {
  const ending = [...digits].reverse().join('')
  const phone = sql`reverse(ltrim(phone_number, '+')) COLLATE "C"`
  return queryColumn<bigint>(db)`SELECT id FROM member
    WHERE phone_number <> '' AND ${phone} >= ${ending} AND ${phone} < ${ending + LAST_CHARACTER} ORDER BY ${phone} LIMIT ${limit}`
}

export const selectByWallet = (db: Db, address: string, limit: number) =>
  queryColumn<bigint>(
    db,
  )`SELECT id FROM member WHERE usdt_wallet = ${address} AND usdt_wallet <> '' ORDER BY id LIMIT ${limit}`

export const selectByDepositAddress = (db: Db, address: string) =>
  queryColumn<bigint>(db)`SELECT member_id FROM deposit_address WHERE address = ${address} AND member_id <> 0`

export const selectById = (db: Db, id: bigint) =>
  queryColumn<bigint>(db)`SELECT id FROM member WHERE id = ${id}`

export interface MemberLine {
  readonly id: bigint
  readonly username: string
  readonly name: string
  readonly email: string
}

export const selectMemberLines = (db: Db, ids: readonly bigint[]) =>
  query<MemberLine>(db)`SELECT id, username, trim(first_name || ' ' || last_name) AS name, email FROM member
    WHERE id = ANY(${ids.map(String)}::bigint[])`

/** Something that is no member; `member_id` 0 is the company. */
export interface FoundThing {
  readonly kind: 'withdrawal' | 'investment' | 'deposit' | 'invoice' | 'transfer'
  readonly id: string
  readonly member_id: bigint
  readonly username: string | null
  readonly amount: bigint | null
  readonly at: Date | null
}

const things = (db: Db) => query<FoundThing>(db)

export const selectThingsByNumber = (db: Db, id: bigint) => things(db)`
  SELECT 'withdrawal' AS kind, w.id::text, w.member_id, m.username, w.amount, w.requested_at AS at
    FROM withdrawal w JOIN member m ON m.id = w.member_id WHERE w.id = ${id}
  UNION ALL SELECT 'investment', i.id::text, i.member_id, m.username, i.amount, i.credited_at
    FROM investment i JOIN member m ON m.id = i.member_id WHERE i.id = ${id}`

export const selectThingsByAmount = (db: Db, amount: bigint, limit: number) => things(db)`
  SELECT f.kind, f.id, f.member_id, m.username, f.amount, f.at FROM (
    (SELECT 'withdrawal' AS kind, id::text, member_id, amount, requested_at AS at
      FROM withdrawal WHERE amount = ${amount} ORDER BY amount DESC, id DESC LIMIT ${limit})
    UNION ALL (SELECT 'deposit', txid, member_id, amount, credited_at
      FROM deposit_credit WHERE amount = ${amount} ORDER BY amount DESC, credited_at DESC LIMIT ${limit})
    UNION ALL (SELECT 'investment', id::text, member_id, amount, credited_at
      FROM investment WHERE amount = ${amount} ORDER BY amount DESC, id DESC LIMIT ${limit})) f
    LEFT JOIN member m ON m.id = f.member_id`

/** Of a transaction at most so many transfers to us, and the one of ours that it is. */
export const selectThingsByTxid = (db: Db, txid: string, limit: number) => things(db)`
  SELECT f.kind, f.id, f.member_id, m.username, f.amount, f.at FROM (
    (SELECT 'deposit' AS kind, txid AS id, member_id, CASE WHEN value <= 1000000000000000 THEN value::bigint END AS amount, block_at AS at
      FROM incoming_transfer WHERE txid = ${txid} ORDER BY position LIMIT ${limit})
    UNION ALL (SELECT CASE purpose WHEN 'withdrawal' THEN 'withdrawal' ELSE 'transfer' END, coalesce(withdrawal_id::text, txid), member_id,
        amount, prepared_at FROM outgoing_transfer WHERE txid = ${txid})) f
    LEFT JOIN member m ON m.id = f.member_id`

export const selectThingsByInvoice = (db: Db, txnId: string) => things(db)`
  SELECT 'invoice' AS kind, k.txn_id AS id, k.member_id, m.username, i.amount, i.created_at AS at
  FROM invoice_key k JOIN invoice i ON i.member_id = k.member_id AND i.id = k.invoice_id JOIN member m ON m.id = k.member_id
  WHERE k.txn_id = ${txnId}`

export interface FoundRun {
  readonly id: bigint
  readonly kind: string
  readonly period: string
  readonly at: Date
  readonly total: bigint
}

export const selectRuns = (db: Db, id: bigint | null, day: string | null) => query<FoundRun>(db)`
  SELECT id, kind, period, at, item_sum AS total FROM payout_run WHERE id = ${id}
  UNION ALL (SELECT id, kind, period, at, item_sum FROM payout_run
    WHERE kind IN ('passive', 'binary') AND period = ${day} AND state <> 'cancelled' ORDER BY kind LIMIT 4)`
