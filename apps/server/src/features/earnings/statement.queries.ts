/** A member's own ledger as CSV: every line with its effect and the totals after it. */
import type { Locale } from '@aval/contract'
import type { Db } from '@aval/db'
import { formatMicro, micro } from '@aval/money'
import { addDays, type Day, dayAt, dayStart } from '@aval/plan'
import { type MessageKey, say } from '../../core/messages.ts'
import { Refusal } from '../../core/refusal.ts'
import { csvLine } from './csv.rules.ts'
import { timeZoneAt } from './earnings.queries.ts'
import { type StatementRow, selectLines, selectTotalsBefore } from './statement.sql.ts'

const LINES_A_QUERY = 2000
const EARLIEST = '2000-01-01' as Day
const SHARED_WORDS: Readonly<Record<string, MessageKey>> = {
  clawback_profit: 'posting_clawback',
  clawback_commission: 'posting_clawback',
  owed_profit: 'posting_owed',
  owed_commission: 'posting_owed',
  recover_profit: 'posting_recover',
  recover_commission: 'posting_recover',
  repay_profit: 'posting_settle',
  repay_commission: 'posting_settle',
  hold_balance: 'posting_hold',
  hold_principal: 'posting_hold',
  release_balance: 'posting_release',
  release_principal: 'posting_release',
}

function detailOf(row: StatementRow, locale: Locale): string {
  if (row.level !== null) return say(locale, 'level_of', { level: row.level, name: row.from_username ?? '' })
  // What moves neither figure still says its amount: a fee on top, a debt.
  return row.to_balance === 0n && row.to_principal === 0n ? formatMicro(micro(row.amount)) : ''
}

const change = (amount: bigint): string => (amount === 0n ? '' : formatMicro(micro(amount)))

export interface StatementRange {
  readonly from: Day
  readonly to: Day
  readonly timeZone: string
}

/** The days asked for, inclusive; everything up to today when none are. @throws Refusal dates_invalid when they are crossed. */
export async function readRange(
  db: Db,
  query: { from?: string | undefined; to?: string | undefined },
  now: Date,
): Promise<StatementRange> {
  const timeZone = await timeZoneAt(db, now)
  const from = (query.from ?? EARLIEST) as Day
  const to = (query.to ?? dayAt(now, timeZone)) as Day
  if (from > to || from < EARLIEST || to > '2999-12-31') throw new Refusal('dates_invalid')
  return { from, to, timeZone }
}

/** The statement, line by line: a header, the totals before, then every posting with the totals after it. */
export async function* statementLines(
  db: Db,
  memberId: bigint,
  { from, to, timeZone }: StatementRange,
  locale: Locale,
): AsyncGenerator<string> {
  const range = { from: dayStart(from, timeZone), until: dayStart(addDays(to, 1), timeZone) }
  const columns = ['date', 'what', 'detail', 'amount', 'balance', 'change', 'principal'] as const
  // With a byte order mark, or spreadsheets take the accents for something else.
  yield `\uFEFF${csvLine(columns.map((name) => say(locale, `statement_${name}`)))}`
  const totals = await selectTotalsBefore(db, memberId, range.from)
  const amounts = () => [formatMicro(micro(totals.balance)), formatMicro(micro(totals.principal))] as const
  yield csvLine([from, say(locale, 'statement_opening'), '', '', amounts()[0], '', amounts()[1]])
  let after = { journalId: 0n, leg: -1 }
  for (;;) {
    const rows = await selectLines(db, memberId, range, after, LINES_A_QUERY)
    for (const row of rows) {
      totals.balance += row.to_balance
      totals.principal += row.to_principal
      const word = SHARED_WORDS[row.kind] ?? (`posting_${row.kind}` as MessageKey)
      const [balance, principal] = amounts()
      yield csvLine([
        row.at.toISOString(),
        say(locale, word),
        detailOf(row, locale),
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
