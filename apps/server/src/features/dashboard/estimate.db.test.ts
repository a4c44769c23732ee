import { dashboard } from '@aval/contract'
import { type Day, DEFAULT_PLAN } from '@aval/plan'
import { expect, it } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { storePlan } from '../../testing/deciding.ts'
import { createMoneyFixture } from '../../testing/money-fixture.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { declareRate } from '../payout-runs/rates/rates.commands.ts'

// 10:00 in Bogotá, a Sunday.
const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const member = await money.investor('1000')

async function read() {
  const headers = await money.bearer(member)
  const answer = await money.server.call({ url: '/api/core/dashboard/', headers })
  const { daily_payment, daily_payment_day: day, daily_percentage } = dashboard.parse(answer.json())
  return { day, daily_payment, daily_percentage }
}

it('the estimate is what its day then pays, by its plan, what is declared for it, weekends and the cap', async () => {
  await money.fund('profit', '12')
  const weekdays = { percentPerPeriod: '10', periodDays: 30, weekdaysOnly: true }
  const capped = { ...weekdays, capMultiple: '0.015' }
  await storePlan(money.owner, 2, new Date('2026-05-05T05:00:00Z'), { ...DEFAULT_PLAN, passive: weekdays })
  await storePlan(money.owner, 3, new Date('2026-05-11T05:00:00Z'), { ...DEFAULT_PLAN, passive: capped })
  for (const [day, percentage] of [
    ['2026-05-06', '0'],
    ['2026-05-12', '0.1'],
  ] as const) {
    const declared = { day: day as Day, percentage, reason: 'A slow month.', now: money.now }
    await money.within((tx) => declareRate(tx, { ...declared, operatorId: money.server.rootId }))
  }
  const estimates = new Map<string, unknown>()
  for (let days = 0; days < 15; days += 1) {
    const { day, ...estimate } = await read()
    estimates.set(day ?? '', estimate)
    await money.payDay()
    // Until here the pool was short of the last of the days without a cap, which what waits counts for as well.
    if (days === 7) await money.fund('profit', '100')
    // What waits for the days before it is computed once they are paid.
    await money.resume()
    await money.resume()
  }
  const paid = await query<{ day: string; amount: number; percent: number }>(money.db)`
    SELECT r.period AS day, coalesce((SELECT p.amounts[1] FROM payout_page p WHERE p.run_id = r.id), 0)::float8 / 1e6 AS amount,
      trunc(split_part(r.rate, '/', 1)::numeric * 100 / split_part(r.rate, '/', 2)::numeric, 6)::float8 AS percent
    FROM payout_run r WHERE r.kind = 'passive' AND extract(isodow FROM r.period::date) < 6 ORDER BY r.period`
  const told = [...estimates].map(([day, estimate]) => [day, estimate])
  expect(told).toEqual(
    paid.map(({ day, amount, percent }) => [day, { daily_payment: amount, daily_percentage: percent }]),
  )
  expect(paid.map(({ amount }) => amount)).toEqual([
    3.333333, 3.333333, 0, 3.333333, 3.333333, 1.666668, 0, 0, 0, 0, 0,
  ])
})
