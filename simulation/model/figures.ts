/** Whether every page says the same of a member: dashboard, payments, earnings by year, history, statement, and the ledger. */
import type { Db } from '@aval/db'
import { formatMicro } from '@aval/money'
import type { Day } from '@aval/plan'
import { sql } from 'kysely'
import { readerOf } from '../../apps/server/src/core/messages.ts'
import { readDashboard } from '../../apps/server/src/features/dashboard/dashboard.queries.ts'
import { commissionsOf, passivesOf } from '../../apps/server/src/features/earnings/earnings.queries.ts'
import { monthsOf } from '../../apps/server/src/features/earnings/months.queries.ts'
import { statementLines } from '../../apps/server/src/features/earnings/statement.queries.ts'
import { reversalsOf } from '../../apps/server/src/features/earnings/taken-back.queries.ts'
import { sumTakenBack } from '../../apps/server/src/features/earnings/taken-back.rules.ts'
import {
  investmentsOf,
  unfinishedInvoices,
} from '../../apps/server/src/features/investments/investments.queries.ts'
import { fundsOf, listWithdrawals } from '../../apps/server/src/features/withdrawals/withdrawals.queries.ts'
import { balancesOf } from '../../apps/server/src/ledger/ledger.queries.ts'
import { smallest } from './exact.ts'

/** More rows than a list of a random history has. */
const ALL = 100_000

/** States of withdrawals whose money is gone, or held. */
const TAKES: ReadonlySet<string> = new Set(['requested', 'approved', 'completed'])

const sumOf = <Row>(rows: readonly Row[], amountOf: (row: Row) => bigint): bigint =>
  rows.reduce((sum, row) => sum + amountOf(row), 0n)

/** A sentence for every figure of a member, of everybody where none is named, that two pages show differently. */
export async function figureDifferences(db: Db, now: Date, memberId?: bigint): Promise<string[]> {
  const found: string[] = []
  for (const id of memberId === undefined ? await everybody(db) : [memberId])
    for (const [figure, ...shown] of await figuresOf(db, id, now))
      if (new Set(shown.map(String)).size > 1) found.push(`member ${id}, ${figure}: ${shown.join(', ')}`)
  return found
}

async function everybody(db: Db): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT member_id AS id FROM member_balance WHERE member_id <> 0 ORDER BY 1`.execute(db)
  return rows.map(({ id }) => id)
}

/** What the ledger has of a member, and what each page reads. */
async function readPages(db: Db, id: bigint, now: Date) {
  const year = now.getUTCFullYear()
  const [
    ledger,
    { figures, parts },
    months,
    monthsBefore,
    direct,
    binary,
    passive,
    history,
    unfinished,
    funds,
  ] = await Promise.all([
    balancesOf(db, id),
    readDashboard(db, id, now),
    monthsOf(db, id, year, now),
    monthsOf(db, id, year - 1, now),
    commissionsOf(db, id, 'direct', ALL, 0),
    commissionsOf(db, id, 'binary', ALL, 0),
    passivesOf(db, id, ALL, 0),
    investmentsOf(db, id, ALL, 0),
    unfinishedInvoices(db, id, now, 1),
    fundsOf(db, id, now),
  ])
  const [pending, withdrawals, reversals, takenBack, line] = await Promise.all([
    pendingOf(db, id),
    listWithdrawals(db, id, ALL, 0),
    reversalsOf(db, id),
    takenBackOfProfit(db, id),
    lastLine(db, id),
  ])
  const years = [...monthsBefore, ...months]
  return {
    ledger,
    figures,
    parts,
    years,
    direct,
    binary,
    passive,
    history,
    unfinished,
    funds,
    pending,
    withdrawals,
    reversals,
    takenBack,
    line,
  }
}

/** Each figure by its name, as the ledger has it and as the pages show it. */
async function figuresOf(db: Db, id: bigint, now: Date) {
  const pages = await readPages(db, id, now)
  const { ledger, figures, parts, years, funds } = pages
  const posted = <Row extends { readonly posted: boolean }>({ rows }: { readonly rows: readonly Row[] }) =>
    rows.filter((row) => row.posted)
  const history = pages.history.rows
  const standing = history.filter(({ reversed_at }) => reversed_at === null)
  const open = pages.unfinished.filter(({ view }) => view.isOpen)
  const taken = pages.withdrawals.rows.filter(({ state }) => TAKES.has(state))
  const underWay = taken.filter(({ state }) => state !== 'completed')
  const invested = sumOf(standing, ({ amount }) => amount)
  const withdrawn = sumOf(taken, (row) => row.from_principal)
  const [balance, , principal] = pages.line.slice(-3)
  const passive = posted(pages.passive)
  const takenBack = sumOf(passive, ({ taken }) => sumTakenBack(taken))
  return [
    [
      'passive',
      ledger.earnedPassive,
      figures.earned_passive,
      sumOf(years, (month) => month.passive),
      sumOf(passive, ({ amount }) => amount) - takenBack,
    ],
    ['passive taken back', pages.takenBack, sumOf(pages.reversals, ({ profit }) => profit), takenBack],
    [
      'direct',
      ledger.earned - ledger.earnedPassive - figures.earned_binary,
      sumOf(years, (month) => month.direct),
      sumOf(posted(pages.direct), (row) => (row.reversed_at === null ? row.amount : 0n)),
    ],
    [
      'binary',
      figures.earned_binary,
      sumOf(years, (month) => month.binary),
      sumOf(posted(pages.binary), ({ amount }) => amount),
    ],
    ['earned', ledger.earned, figures.earned],
    ['principal', ledger.principal, figures.principal, funds.principal, invested - withdrawn],
    // The history says what each entry left behind it, and withdrawals are no entries.
    ...(pages.withdrawals.rows.some((row) => row.from_principal > 0n)
      ? []
      : [['latest value', ledger.principal, history[0]?.value ?? 0n] as const]),
    ['principal of the statement', formatMicro(ledger.principal), principal],
    ['balance of the statement', formatMicro(ledger.balance), balance],
    ['balance', ledger.balance, funds.balance],
    ['held', ledger.held, sumOf(underWay, ({ amount }) => amount)],
    ['pending', pages.pending, sumOf(open, ({ invoice }) => invoice.received)],
    ['pending investments', figures.pending_investments, pages.unfinished.length],
    ['what investments have left', ledger.principal, sumOf(parts, ({ amount }) => amount)],
    ['locked and unlocked', ledger.principal, funds.lock.lockedAmount + funds.unlocked],
    ['locked', locked(standing, withdrawn, now), funds.lock.lockedAmount],
    ['investments of the history', ...[standing, parts].map((rows) => rows.length)],
  ] as const
}

/** Of what the history lists: what was withdrawn came off those that had unlocked, so it takes nothing from the rest. */
const locked = (
  standing: readonly { readonly amount: bigint; readonly unlocks_at: Date }[],
  withdrawn: bigint,
  now: Date,
): bigint => {
  const running = sumOf(
    standing.filter(({ unlocks_at }) => unlocks_at > now),
    ({ amount }) => amount,
  )
  const whole = sumOf(standing, ({ amount }) => amount) - withdrawn
  return smallest(running, whole)
}

async function lastLine(db: Db, id: bigint): Promise<string[]> {
  let last = ''
  const range = { from: '2000-01-01' as Day, to: '2999-12-31' as Day, timeZone: 'UTC' }
  for await (const line of statementLines(db, id, range, readerOf('en', null))) last = line
  return last.trim().split(',')
}

async function pendingOf(db: Db, id: bigint): Promise<bigint> {
  const { rows } = await sql<{
    amount: bigint
  }>`SELECT amount FROM member_pending WHERE member_id = ${id}`.execute(db)
  return rows[0]?.amount ?? 0n
}

/** As it was posted. */
async function takenBackOfProfit(db: Db, id: bigint): Promise<bigint> {
  const { rows } = await sql<{ amount: bigint }>`
    SELECT coalesce(sum(amount), 0)::bigint AS amount FROM posting
    WHERE member_id = ${id} AND kind IN ('clawback_profit', 'owed_profit')`.execute(db)
  return rows[0]?.amount ?? 0n
}
