/** Whether every page says the same of a member: dashboard, payments, earnings by year, history, statement, and the ledger. */
import type { Db } from '@aval/db'
import { formatMicro } from '@aval/money'
import type { Day } from '@aval/plan'
import { sql } from 'kysely'
import { readDashboard } from '../../apps/server/src/features/dashboard/dashboard.queries.ts'
import { commissionsOf, passivesOf } from '../../apps/server/src/features/earnings/earnings.queries.ts'
import { monthsOf } from '../../apps/server/src/features/earnings/months.queries.ts'
import { statementLines } from '../../apps/server/src/features/earnings/statement.queries.ts'
import { reversalsOf, sumTakenBack } from '../../apps/server/src/features/earnings/taken-back.queries.ts'
import {
  investmentsOf,
  unfinishedInvoices,
} from '../../apps/server/src/features/investments/investments.queries.ts'
import { balancesOf } from '../../apps/server/src/ledger/ledger.queries.ts'

/** More rows than a list of a random history has. */
const ALL = 100_000

const sumOf = <Row>(rows: readonly Row[], amountOf: (row: Row) => bigint): bigint =>
  rows.reduce((sum, row) => sum + amountOf(row), 0n)

/** A sentence for every figure of a member that two pages show differently. */
export async function figureDifferences(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT member_id AS id FROM member_balance WHERE member_id <> 0 ORDER BY 1`.execute(db)
  const found: string[] = []
  for (const { id } of rows)
    for (const [figure, ...shown] of await figuresOf(db, id, now))
      if (new Set(shown.map(String)).size > 1) found.push(`member ${id}, ${figure}: ${shown.join(', ')}`)
  return found
}

/** Each figure by its name, as the ledger has it and as the pages show it. */
async function figuresOf(db: Db, id: bigint, now: Date) {
  const ledger = await balancesOf(db, id)
  const { figures } = await readDashboard(db, id, now)
  const year = now.getUTCFullYear()
  const months = [...(await monthsOf(db, id, year - 1, now)), ...(await monthsOf(db, id, year, now))]
  const direct = (await commissionsOf(db, id, 'direct', ALL, 0)).rows.filter(({ posted }) => posted)
  const binary = (await commissionsOf(db, id, 'binary', ALL, 0)).rows.filter(({ posted }) => posted)
  const passive = (await passivesOf(db, id, ALL, 0)).rows.filter(({ posted }) => posted)
  const history = (await investmentsOf(db, id, ALL, 0)).rows
  const standing = history.filter(({ reversed_at }) => reversed_at === null)
  const [balance, , principal] = (await lastLine(db, id)).slice(-3)
  const paidDirect = sumOf(direct, (row) => (row.reversed_at === null ? row.amount : 0n))
  const takenBack = sumOf(passive, ({ taken }) => sumTakenBack(taken))
  const paidPassive = sumOf(passive, ({ amount }) => amount) - takenBack
  const open = (await unfinishedInvoices(db, id, now, 1)).filter(({ view }) => view.isOpen)
  return [
    [
      'passive',
      ledger.earnedPassive,
      figures.earned_passive,
      sumOf(months, (month) => month.passive),
      paidPassive,
    ],
    [
      'passive taken back',
      await takenBackOfProfit(db, id),
      sumOf(await reversalsOf(db, id), ({ profit }) => profit),
      takenBack,
    ],
    [
      'direct',
      ledger.earned - ledger.earnedPassive - figures.earned_binary,
      sumOf(months, (month) => month.direct),
      paidDirect,
    ],
    [
      'binary',
      figures.earned_binary,
      sumOf(months, (month) => month.binary),
      sumOf(binary, ({ amount }) => amount),
    ],
    ['earned', ledger.earned, figures.earned],
    ['pending', await pendingOf(db, id), sumOf(open, ({ view }) => view.received)],
    [
      'principal',
      ledger.principal,
      figures.principal,
      history[0]?.value ?? 0n,
      sumOf(standing, ({ amount }) => amount),
    ],
    ['principal of the statement', formatMicro(ledger.principal), principal],
    ['balance of the statement', formatMicro(ledger.balance), balance],
    ['latest investment', standing[0]?.credited_at ?? null, figures.latest],
    ['first investment', standing.at(-1)?.credited_at ?? null, figures.first],
  ] as const
}

async function lastLine(db: Db, id: bigint): Promise<string[]> {
  let last = ''
  const range = { from: '2000-01-01' as Day, to: '2999-12-31' as Day, timeZone: 'UTC' }
  for await (const line of statementLines(db, id, range, 'en')) last = line
  return last.trim().split(',')
}

async function pendingOf(db: Db, id: bigint): Promise<bigint> {
  const { rows } = await sql<{
    amount: bigint
  }>`SELECT amount FROM member_pending WHERE member_id = ${id}`.execute(db)
  return rows[0]?.amount ?? 0n
}

/** As it was posted: in one sum for each reversal, not day by day. */
async function takenBackOfProfit(db: Db, id: bigint): Promise<bigint> {
  const { rows } = await sql<{ amount: bigint }>`
    SELECT coalesce(sum(amount), 0)::bigint AS amount FROM posting
    WHERE member_id = ${id} AND kind IN ('clawback_profit', 'owed_profit')`.execute(db)
  return rows[0]?.amount ?? 0n
}
