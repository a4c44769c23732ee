/** The work of the check grows as the ledger does: counted in rows, over all questions. */
import { DEFAULT_PLAN } from '@aval/plan'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { storePlan } from '../testing/deciding.ts'
import { createMoneyFixture } from '../testing/money-fixture.ts'
import { soundSuiteFixture } from '../testing/suite.ts'
import { chooseReading, type Questions } from './check.sql.ts'
import { QUESTIONS } from './faults.sql.ts'

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')

interface Node {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly Plans?: readonly Node[]
}

/** Rows that a statement's steps handed on or looked at in vain. */
const rowsOf = (node: Node): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)) *
    node['Actual Loops'] +
  (node.Plans ?? []).reduce((sum, below) => sum + rowsOf(below), 0)

async function workOf(question: Questions[string]): Promise<number> {
  return money.within(async (tx) => {
    await chooseReading(tx, true)
    const { rows } = await sql<{
      'QUERY PLAN': [{ Plan: Node }]
    }>`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${question}`.execute(tx)
    return rowsOf((rows[0] as (typeof rows)[number])['QUERY PLAN'][0].Plan)
  })
}

/** As after the maintenance that every database has. */
async function works() {
  await sql`ANALYZE`.execute(money.owner)
  const found = new Map<string, number>()
  for (const [sentence, question] of Object.entries(QUESTIONS)) found.set(sentence, await workOf(question))
  return found
}

it('twice the days are twice the work, where a cap was reached long ago', async () => {
  const passive = { percentPerPeriod: '10', periodDays: 30, weekdaysOnly: false, capMultiple: '0.01' }
  await storePlan(money.owner, 2, money.now, { ...DEFAULT_PLAN, passive })
  await money.fund('profit', '1000')
  await money.fund('commission', '1000')
  for (let members = 0; members < 12; members += 1) await money.investor('1000')
  await money.payDay(20)
  const once = await works()
  await money.payDay(20)
  const twice = await works()
  // Some rows are there from the start, or of the day; a quarter more is none of them, four times the work is.
  const grown = [...twice].filter(([sentence, rows]) => rows > 2.5 * (once.get(sentence) ?? 0) + 200)
  expect(grown).toEqual([])
})
