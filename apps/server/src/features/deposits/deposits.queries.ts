/** Deposits as operators see them: what came to our addresses, and what became of it. */
import type { DepositFate, ReviewedFate } from '@aval/contract'
import type { Db } from '@aval/db'
import { type RawBuilder, sql } from 'kysely'
import { query, queryFirst, queryOne } from '../../core/query.sql.ts'
import { findByEmail, findByUsername } from '../identity/members/members.queries.ts'

export interface TransferRow {
  /** By when they are listed, to the microsecond. */
  readonly at: string
  readonly txid: string
  readonly position: number
  readonly member_id: bigint
  readonly block: bigint
  readonly block_at: Date
  readonly verdict: string
  readonly fate: string
  /** Whether it is of our token: then its value is an amount. */
  readonly is_ours: boolean
  readonly contract: string
  readonly from_address: string
  readonly to_address: string
  readonly value: string
  readonly username: string | null
  readonly credited_at: Date | null
  readonly invoice: string | null
  readonly invoice_due: bigint | null
  readonly invoice_received: bigint | null
  readonly invoice_state: string | null
  readonly to_balance: bigint | null
  readonly reviewed_by: string | null
  readonly reviewed_at: Date | null
  readonly note: string | null
}

export interface TransferFilter {
  readonly fate: DepositFate | null
  /** A txid, an address, a username or an e-mail; empty for all. */
  readonly search: string
  readonly from: Date | null
  /** Before this. */
  readonly until: Date | null
  /** Only what nobody has looked into. */
  readonly open: boolean
}

const VERDICTS = new Set<string>(['wrong_token', 'wrong_asset', 'zero_value', 'failed', 'unclaimed'])
/** Counted up to so many: a page further down than these is not asked for by a person. */
export const MOST_LISTED = 10_000

const NO_ROW = sql`false`

/** A number that fits no transfer is a name; a name that nobody has finds nothing. */
async function searched(db: Db, text: string): Promise<RawBuilder<unknown> | null> {
  if (text === '') return null
  if (/^[0-9a-f]{64}$/i.test(text)) return sql`t.txid = ${text.toLowerCase()}`
  if (/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) {
    const ours = await queryFirst<{ member_id: bigint }>(db)`
      SELECT coalesce(member_id, 0) AS member_id FROM deposit_address WHERE address = ${text} UNION ALL SELECT 0 FROM custody_address WHERE address = ${text}`
    return ours === undefined
      ? sql`t.from_address = ${text}`
      : sql`t.member_id = ${ours.member_id} AND t.to_address = ${text}`
  }
  const member = await (text.includes('@') ? findByEmail(db, text) : findByUsername(db, text))
  return member === null ? NO_ROW : sql`t.member_id = ${member}`
}

const sameTransfer = (alias: string) =>
  sql.raw(`${alias}.member_id = t.member_id AND ${alias}.txid = t.txid AND ${alias}.position = t.position`)

const CREDITED = sql`JOIN deposit_credit c ON ${sameTransfer('c')}`

/** What has no credit was recorded after the last transfer up to which all had one: few, and read before anything else. */
const UNCREDITED = sql`(SELECT * FROM incoming_transfer WHERE verdict = 'credit'
    AND seq > coalesce((SELECT credited_seq FROM reserve_check ORDER BY id DESC LIMIT 1), 0) ORDER BY seq OFFSET 0) t LEFT ${CREDITED}`

/**
 * Where the rows come from, and in which order. By an outcome: from the credits of it, by when they were made; else from the transfers, by
 * the time of their block. Both are read from an index.
 */
function sourceOf(fate: DepositFate | null, isSearched: boolean) {
  if (fate === null)
    return { from: sql`incoming_transfer t LEFT ${CREDITED}`, where: sql`true`, at: sql.ref('t.block_at') }
  if (fate === 'waiting') return { from: UNCREDITED, where: sql`c.txid IS NULL`, at: sql.ref('t.block_at') }
  if (VERDICTS.has(fate))
    return {
      from: sql`incoming_transfer t LEFT ${CREDITED}`,
      // As a constant: the partial index is of what is not credited.
      where: sql`t.verdict = ${fate} AND t.verdict <> 'credit'`,
      at: sql.ref('t.block_at'),
    }
  const at = sql.ref(isSearched ? 't.block_at' : 'c.credited_at')
  return { from: sql`incoming_transfer t ${CREDITED}`, where: sql`c.outcome = ${fate}`, at }
}

const isOutcome = (fate: DepositFate | null) => fate !== null && fate !== 'waiting' && !VERDICTS.has(fate)

async function rowsOf(db: Db, { fate, search, from, until, open }: TransferFilter) {
  const found = await searched(db, search)
  const source = sourceOf(fate, found !== null)
  // By an outcome alone a page is chosen from the credits, before the transfers are looked up: the planner expects next to none of the join,
  // and would read all of both for it.
  const alias = found === null && isOutcome(fate) ? 'c' : 't'
  const review = sql.raw(
    `r.member_id = ${alias}.member_id AND r.txid = ${alias}.txid AND r.position = ${alias}.position`,
  )
  const where = sql.join(
    [
      source.where,
      ...(found === null ? [] : [found]),
      ...(from === null ? [] : [sql`${source.at} >= ${from}`]),
      ...(until === null ? [] : [sql`${source.at} < ${until}`]),
      ...(open ? [sql`NOT EXISTS (SELECT FROM transfer_review r WHERE ${review})`] : []),
    ],
    sql` AND `,
  )
  return { ...source, where, alias }
}

type Rows = Awaited<ReturnType<typeof rowsOf>>

/** So many rows, newest first, from one on. @param after the last row of the page before, or how many to leave out */
function selectRows(db: Db, { from, where, at, alias }: Rows, limit: number, after: TransferRow | number) {
  const [txid, position] = [sql.ref(`${alias}.txid`), sql.ref(`${alias}.position`)]
  const [offset, later] =
    typeof after === 'number'
      ? [after, sql`true`]
      : [
          0,
          sql`${at} <= ${after.at}::timestamptz AND (${at} < ${after.at}::timestamptz OR (${txid}, ${position}) > (${after.txid}, ${after.position}))`,
        ]
  const page = sql`WHERE ${where} AND ${later} ORDER BY ${at} DESC, ${txid}, ${position} LIMIT ${limit} OFFSET ${offset}`
  const chosen =
    alias === 'c'
      ? sql`(SELECT * FROM deposit_credit c ${page}) c JOIN incoming_transfer t ON ${sameTransfer('c')}`
      : sql`${from} ${page}`
  return query<TransferRow>(db)`
    SELECT p.*, p.verdict = 'credit' OR coalesce(p.contract = (SELECT contract FROM incoming_transfer WHERE verdict = 'credit' ORDER BY seq DESC LIMIT 1), false) AS is_ours,
      m.username, i.txn_id AS invoice, i.amount + i.fee AS invoice_due, i.received AS invoice_received, i.state AS invoice_state,
      CASE WHEN p.fate IN ('late', 'no_invoice') THEN p.value::bigint WHEN p.fate = 'overpaid' THEN (
        SELECT sum(l.amount)::bigint FROM ledger_open.posting l
        WHERE l.member_id = p.member_id AND l.journal_id = p.journal_id AND l.kind = 'deposit_to_balance') END AS to_balance,
      o.username AS reviewed_by, r.at AS reviewed_at, r.note
    FROM (SELECT t.txid, t.position, t.member_id, t.block, t.block_at, t.verdict, t.contract, t.from_address, t.to_address, t.value::text AS value,
        CASE WHEN t.verdict <> 'credit' THEN t.verdict ELSE coalesce(c.outcome, 'waiting') END AS fate, c.credited_at, c.journal_id, c.invoice_id, ${at}::text AS at
      FROM ${chosen}) p
    LEFT JOIN member m ON m.id = p.member_id LEFT JOIN invoice i ON i.member_id = p.member_id AND i.id = p.invoice_id
    LEFT JOIN transfer_review r ON r.member_id = p.member_id AND r.txid = p.txid AND r.position = p.position LEFT JOIN member o ON o.id = r.reviewed_by
    ORDER BY p.at::timestamptz DESC, p.txid, p.position`
}

async function countRows(db: Db, { from, where, at, alias }: Rows) {
  // All that came to one end is counted without the transfers themselves; the order leads to the index.
  const rows =
    alias === 'c'
      ? sql`SELECT c.amount AS value, 'credit' AS verdict FROM deposit_credit c WHERE ${where} ORDER BY ${at} DESC`
      : sql`SELECT t.value, t.verdict FROM ${from} WHERE ${where}`
  const counted = await queryOne<{ count: number; sum: bigint }>(db)`
    SELECT count(*)::int AS count, coalesce(sum(value) FILTER (WHERE verdict = 'credit'), 0)::bigint AS sum
    FROM (${rows} LIMIT ${MOST_LISTED + 1}) listed`
  const more = counted.count > MOST_LISTED
  return { count: Math.min(counted.count, MOST_LISTED), more, sum: more ? null : counted.sum }
}

/** What came to our addresses, newest first. Its count and sum are of the first ten thousand. */
export async function listTransfers(db: Db, filter: TransferFilter, limit: number, offset: number) {
  const rows = await rowsOf(db, filter)
  return { rows: await selectRows(db, rows, limit, offset), ...(await countRows(db, rows)) }
}

/** The same from one row on, for who reads all of it. @param after null for the first */
export async function transfersAfter(
  db: Db,
  filter: TransferFilter,
  after: TransferRow | null,
  limit: number,
) {
  return selectRows(db, await rowsOf(db, filter), limit, after ?? 0)
}

/** About how many there are: ten thousand where there are more. */
export const countTransfers = async (db: Db, filter: TransferFilter) =>
  (await countRows(db, await rowsOf(db, filter))).count

/** Those of a fate since an instant that nobody has looked into, as `at` and `amount`, for who counts what waits. */
export const waitingDeposits = (fate: ReviewedFate, since: Date): RawBuilder<unknown> =>
  VERDICTS.has(fate)
    ? sql`SELECT t.block_at AS at, 0 AS amount FROM incoming_transfer t WHERE t.verdict = ${fate} AND t.verdict <> 'credit' AND t.block_at >= ${since}
        AND NOT EXISTS (SELECT FROM transfer_review r WHERE ${sameTransfer('r')}) ORDER BY t.block_at DESC`
    : sql`SELECT t.credited_at AS at, t.amount FROM deposit_credit t WHERE t.outcome = ${fate} AND t.credited_at >= ${since}
        AND NOT EXISTS (SELECT FROM transfer_review r WHERE ${sameTransfer('r')}) ORDER BY t.credited_at DESC`

/** Who looked into a transfer; null where nobody did. Undefined where there is no such transfer. */
export async function findReview(db: Db, txid: string, position: number) {
  return queryFirst<{ member_id: bigint; by: string | null }>(db)`
    SELECT t.member_id, o.username AS by FROM incoming_transfer t LEFT JOIN transfer_review r ON ${sameTransfer('r')}
      LEFT JOIN member o ON o.id = r.reviewed_by WHERE t.txid = ${txid} AND t.position = ${position}`
}
