/** A member's ledger, newest first, with the figures after each line. */
import type { MemberMovement } from '@aval/contract'
import type { Db } from '@aval/db'
import { formatAmount, micro } from '@aval/money'
import { type RawBuilder, sql } from 'kysely'
import type { Config } from '../../config.ts'
import { explorerUrl } from '../../core/explorer.ts'
import { paymentId } from '../../core/ids.ts'
import { type Reader, sayAmount } from '../../core/messages.ts'
import { postingsOf } from '../../core/postings.sql.ts'
import { atOneMoment, countOf, holdLedger, query, queryOne } from '../../core/query.sql.ts'
import { detailOf, type Standing, type StatementRow, wordOf } from '../earnings/statement.queries.ts'

/** Where a line stands in the order of booking. */
export interface MovementKey {
  readonly journalId: bigint
  readonly leg: number
}

export interface MovementRow extends StatementRow {
  readonly run_id: bigint | null
  readonly withdrawal_id: bigint | null
  readonly investment_id: bigint | null
  readonly txid: string | null
  /** The figures after it. */
  balance: bigint
  principal: bigint
}

const effectOn = (
  account: 'balance' | 'principal',
) => sql`CASE WHEN p.destination = ${sql.lit(account)} THEN p.amount
  WHEN p.source = ${sql.lit(account)} THEN -p.amount ELSE 0 END`

/** Lines, with what each came from; its run and its sources are looked up for those lines alone. */
const withSources = (lines: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql`
  SELECT p.journal_id, p.leg, p.at, p.kind::text AS kind, p.amount, ${effectOn('balance')} AS to_balance, ${effectOn('principal')} AS to_principal,
    r.id AS run_id, i.level, f.username AS from_username, w.id AS withdrawal_id, coalesce(n.id, v.investment_id) AS investment_id,
    coalesce(d.txid, w.txid) AS txid
  FROM (${lines}) p
    LEFT JOIN payout_run r ON r.journal_id = p.journal_id
    LEFT JOIN payout_item i ON i.member_id = p.member_id AND i.run_id = r.id AND i.leg = p.leg AND p.kind IN ('direct', 'master')
    LEFT JOIN member f ON f.id = i.from_member_id
    LEFT JOIN LATERAL (SELECT id, CASE WHEN close_journal_id = p.journal_id THEN txid END AS txid FROM withdrawal
      WHERE member_id = p.member_id AND p.journal_id IN (hold_journal_id, close_journal_id) LIMIT 1) w ON r.id IS NULL
    LEFT JOIN LATERAL (SELECT id FROM investment WHERE member_id = p.member_id AND journal_id = p.journal_id LIMIT 1) n ON r.id IS NULL
    LEFT JOIN LATERAL (SELECT investment_id FROM reversal WHERE member_id = p.member_id AND journal_id = p.journal_id LIMIT 1) v ON r.id IS NULL
    LEFT JOIN LATERAL (SELECT txid FROM deposit_credit WHERE member_id = p.member_id AND journal_id = p.journal_id LIMIT 1) d ON r.id IS NULL
  ORDER BY ${order}`

/** What was done to the figures by a line and all that were booked after it. */
const selectSince = (db: Db, memberId: bigint, { journalId, leg }: MovementKey) => queryOne<Standing>(db)`
  SELECT coalesce(sum(${effectOn('balance')}), 0)::bigint AS balance, coalesce(sum(${effectOn('principal')}), 0)::bigint AS principal
  FROM ${postingsOf(memberId)} p WHERE journal_id >= ${journalId} AND (journal_id, leg) >= (${journalId}, ${leg})`

const selectStanding = (db: Db, memberId: bigint) =>
  queryOne<Standing>(db)`SELECT balance, principal FROM member_balance WHERE member_id = ${memberId}`

/** A page of lines before one, newest first, and whether there are older ones. */
export function movementsOf(db: Db, memberId: bigint, before: MovementKey | null, limit: number) {
  return atOneMoment(db, async (tx) => {
    await holdLedger(tx)
    const standing = await selectStanding(tx, memberId)
    if (before !== null) {
      const since = await selectSince(tx, memberId, before)
      standing.balance -= since.balance
      standing.principal -= since.principal
    }
    const older =
      before === null
        ? sql``
        : sql`WHERE journal_id <= ${before.journalId} AND (journal_id, leg) < (${before.journalId}, ${before.leg})`
    const lines = sql`SELECT * FROM ${postingsOf(memberId)} q ${older} ORDER BY journal_id DESC, leg DESC LIMIT ${limit + 1}`
    const rows = await query<MovementRow>(tx)`${withSources(lines, sql`p.journal_id DESC, p.leg DESC`)}`
    for (const row of rows) {
      row.balance = standing.balance
      row.principal = standing.principal
      standing.balance -= row.to_balance
      standing.principal -= row.to_principal
    }
    return { rows: rows.slice(0, limit), more: rows.length > limit }
  })
}

/** The same from the oldest on, for a file: the figures go on from those of the line before. */
export async function movementsAfter(
  db: Db,
  memberId: bigint,
  after: MovementRow | null,
  limit: number,
): Promise<MovementRow[]> {
  const newer =
    after === null
      ? sql``
      : sql`WHERE journal_id >= ${after.journal_id} AND (journal_id, leg) > (${after.journal_id}, ${after.leg})`
  const lines = sql`SELECT * FROM ${postingsOf(memberId)} q ${newer} ORDER BY journal_id, leg LIMIT ${limit}`
  const rows = await query<MovementRow>(db)`${withSources(lines, sql`p.journal_id, p.leg`)}`
  let { balance, principal } = after ?? { balance: 0n, principal: 0n }
  for (const row of rows) {
    balance += row.to_balance
    principal += row.to_principal
    row.balance = balance
    row.principal = principal
  }
  return rows
}

/** How many lines there are. */
export const countMovements = (db: Db, memberId: bigint) => countOf(db)`${postingsOf(memberId)} p`

export function presentMovement(row: MovementRow, reader: Reader, config: Config): MemberMovement {
  const isPayment = row.run_id !== null && ['passive', 'direct', 'master', 'binary'].includes(row.kind)
  return {
    id: `${row.journal_id}-${row.leg}`,
    date: row.at.toISOString(),
    kind: row.kind,
    what: wordOf(row, reader),
    detail: detailOf(row, reader, (amount) => sayAmount(reader, micro(amount))),
    amount: formatAmount(row.amount),
    to_balance: formatAmount(row.to_balance),
    to_principal: formatAmount(row.to_principal),
    balance: formatAmount(row.balance),
    principal: formatAmount(row.principal),
    run_id: row.run_id === null ? null : Number(row.run_id),
    payment_id: isPayment && row.run_id !== null ? paymentId(row.run_id, row.leg) : null,
    withdrawal_id: row.withdrawal_id === null ? null : Number(row.withdrawal_id),
    investment_id: row.investment_id === null ? null : Number(row.investment_id),
    txid: row.txid,
    explorer_url: explorerUrl(config, row.txid),
  }
}
