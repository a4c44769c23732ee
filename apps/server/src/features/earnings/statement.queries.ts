/** A member's own ledger as CSV: every line with its effect and the totals after it. */
import type { Database, Db } from '@aval/db'
import { formatAmount } from '@aval/money'
import { addDays, type Day, dayAt, dayStart } from '@aval/plan'
import { sql } from 'kysely'
import { csvLine } from '../../core/csv.rules.ts'
import { type MessageKey, type Reader, say } from '../../core/messages.ts'
import { postingsOf } from '../../core/postings.sql.ts'
import { inSnapshot, query, queryOne } from '../../core/query.sql.ts'
import { Refusal } from '../../core/refusal.ts'

/** The figures of an account: what can be taken out, and what is invested. */
export interface Standing {
  balance: bigint
  principal: bigint
}

export interface StatementRow {
  readonly journal_id: bigint
  readonly leg: number
  readonly at: Date
  readonly kind: string
  readonly amount: bigint
  /** What this line does to the balance and to the investment. */
  readonly to_balance: bigint
  readonly to_principal: bigint
  readonly level: number | null
  readonly from_username: string | null
}

const EFFECT =
  sql.raw(`CASE WHEN p.destination = 'balance' THEN p.amount WHEN p.source = 'balance' THEN -p.amount ELSE 0 END AS to_balance,
  CASE WHEN p.destination = 'principal' THEN p.amount WHEN p.source = 'principal' THEN -p.amount ELSE 0 END AS to_principal`)

/** A member's postings in the order in which they were booked, dated from `from` up to `until`, after a place. */
async function selectLines(
  db: Db,
  memberId: bigint,
  range: { from: Date; until: Date },
  after: { journalId: bigint; leg: number },
  limit: number,
): Promise<StatementRow[]> {
  return query<StatementRow>(db)`
    SELECT p.journal_id, p.leg, p.at, p.kind::text AS kind, p.amount, ${EFFECT}, i.level, m.username AS from_username
    FROM (SELECT * FROM ${postingsOf(memberId)} q WHERE journal_id >= ${after.journalId} AND (journal_id, leg) > (${after.journalId}, ${after.leg})
        AND at >= ${range.from} AND at < ${range.until} ORDER BY journal_id, leg LIMIT ${limit}) p
      LEFT JOIN payout_run r ON p.kind IN ('direct', 'master') AND r.journal_id = p.journal_id
      LEFT JOIN payout_item i ON i.member_id = p.member_id AND i.run_id = r.id AND i.leg = p.leg
      LEFT JOIN member m ON m.id = i.from_member_id
    ORDER BY p.journal_id, p.leg`
}

/** Balance and principal before an instant: the sums of everything dated earlier. */
async function selectTotalsBefore(db: Db, memberId: bigint, at: Date) {
  return queryOne<Standing>(db)`
    SELECT coalesce(sum(to_balance), 0)::bigint AS balance, coalesce(sum(to_principal), 0)::bigint AS principal
    FROM (SELECT ${EFFECT} FROM ${postingsOf(memberId)} p WHERE p.at < ${at}) before`
}

const LINES_A_QUERY = 2000
const EARLIEST = '2000-01-01' as Day
const SHARED_WORDS: Readonly<Record<string, MessageKey>> = {
  recover_profit: 'posting_recover',
  recover_commission: 'posting_recover',
  repay_profit: 'posting_settle',
  repay_commission: 'posting_settle',
  hold_balance: 'posting_hold',
  hold_principal: 'posting_hold',
  release_balance: 'posting_release',
  release_principal: 'posting_release',
}

/** What a movement is called. */
export const wordOf = (row: StatementRow, reader: Reader): string =>
  say(reader, SHARED_WORDS[row.kind] ?? (`posting_${row.kind}` as MessageKey))

/** What there is to say of it besides: whose investment and at which level, or an amount that moves neither figure. */
export function detailOf(row: StatementRow, reader: Reader, write: (amount: bigint) => string): string {
  if (row.level !== null) return say(reader, 'level_of', { level: row.level, name: row.from_username ?? '' })
  // What moves neither figure still says its amount: a fee on top, a debt.
  return row.to_balance === 0n && row.to_principal === 0n ? write(row.amount) : ''
}

const change = (amount: bigint): string => (amount === 0n ? '' : formatAmount(amount))

export interface StatementRange {
  readonly from: Day
  readonly to: Day
  readonly timeZone: string
}

const LATEST = '2999-12-31' as Day

/** The days as an instant from which and one until which, and everything where none are asked for. @throws Refusal dates_invalid */
export function readDays(query: { from?: string | undefined; to?: string | undefined }, timeZone: string) {
  const from = (query.from ?? EARLIEST) as Day
  const to = (query.to ?? LATEST) as Day
  if (from > to || from < EARLIEST || to > LATEST) throw new Refusal('dates_invalid')
  return { from: dayStart(from, timeZone), until: dayStart(addDays(to, 1), timeZone) }
}

/**
 * The days asked for, inclusive; everything up to today when none are.
 * @param timeZone of the reader, whose days they are
 * @throws Refusal dates_invalid when they are crossed.
 */
export function readRange(
  query: { from?: string | undefined; to?: string | undefined },
  now: Date,
  timeZone: string,
): StatementRange {
  const from = (query.from ?? EARLIEST) as Day
  const to = (query.to ?? dayAt(now, timeZone)) as Day
  if (from > to || from < EARLIEST || to > LATEST) throw new Refusal('dates_invalid')
  return { from, to, timeZone }
}

/** `2026-11-20 00:05:09` in a time zone: what spreadsheets read as a time in every language. */
function localTime(at: Date, timeZone: string): string {
  const options = { dateStyle: 'short', timeStyle: 'medium', timeZone } as const
  return new Intl.DateTimeFormat('sv-SE', options).format(at)
}

const instantsOf = ({ from, to, timeZone }: StatementRange) => ({
  from: dayStart(from, timeZone),
  until: dayStart(addDays(to, 1), timeZone),
})

/** What a statement on paper says: it is read whole, so that its closing standing stands on its first page. */
export interface Statement {
  readonly username: string
  readonly name: string
  readonly opening: Standing
  readonly closing: Standing
  readonly lines: readonly StatementRow[]
}

/**
 * @param most lines it may have
 * @throws Refusal statement_too_long
 */
export function readStatement(
  db: Database,
  memberId: bigint,
  days: StatementRange,
  most: number,
): Promise<Statement> {
  const range = instantsOf(days)
  return inSnapshot(db, async (tx) => {
    const lines = await selectLines(tx, memberId, range, { journalId: 0n, leg: -1 }, most + 1)
    if (lines.length > most) throw new Refusal('statement_too_long', { most })
    const opening = await selectTotalsBefore(tx, memberId, range.from)
    const closing = await selectTotalsBefore(tx, memberId, range.until)
    const person = await queryOne<{ username: string; name: string }>(tx)`
      SELECT username, trim(first_name || ' ' || last_name) AS name FROM member WHERE id = ${memberId}`
    return { ...person, opening, closing, lines }
  })
}

/** The statement, line by line: a header, the totals before, then every posting with the totals after it. */
export async function* statementLines(
  db: Db,
  memberId: bigint,
  days: StatementRange,
  reader: Reader,
): AsyncGenerator<string> {
  const range = instantsOf(days)
  const columns = ['date', 'what', 'detail', 'amount', 'balance', 'change', 'principal'] as const
  // With a byte order mark, or spreadsheets take the accents for something else.
  yield `\uFEFF${csvLine(columns.map((name) => say(reader, `statement_${name}`, { zone: days.timeZone })))}`
  const totals = await selectTotalsBefore(db, memberId, range.from)
  const amounts = () => [formatAmount(totals.balance), formatAmount(totals.principal)] as const
  yield csvLine([days.from, say(reader, 'statement_opening'), '', '', amounts()[0], '', amounts()[1]])
  let after = { journalId: 0n, leg: -1 }
  for (;;) {
    const rows = await selectLines(db, memberId, range, after, LINES_A_QUERY)
    for (const row of rows) {
      totals.balance += row.to_balance
      totals.principal += row.to_principal
      const [balance, principal] = amounts()
      yield csvLine([
        localTime(row.at, days.timeZone),
        wordOf(row, reader),
        detailOf(row, reader, formatAmount),
        change(row.to_balance),
        balance,
        change(row.to_principal),
        principal,
      ])
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < LINES_A_QUERY) return
    after = { journalId: last.journal_id, leg: last.leg }
  }
}
