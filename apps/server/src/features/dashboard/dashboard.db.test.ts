import { type DirectPayment, dashboard, type InvestmentEntry, type MonthEarnings } from '@aval/contract'
import { DEFAULT_PLAN } from '@aval/plan'
import { expect, it } from 'vitest'
import { storePlan } from '../../testing/deciding.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { cancelInvoice, completeInvoice } from '../investments/invoices.commands.ts'
import { createWithdrawalFixture } from '../withdrawals/testing/withdrawal-fixture.ts'
import { fundsOf } from '../withdrawals/withdrawals.queries.ts'

const DAY = 86_400_000
const add = (left: number, right: number) => left + right
const money = await soundSuiteFixture(createWithdrawalFixture, '2026-05-03T15:00:00Z')

await money.fund('commission', '1000')
await money.fund('profit', '1000')

async function read(memberId: bigint) {
  const headers = await money.bearer(memberId)
  return dashboard.parse((await money.server.call({ url: '/api/core/dashboard/', headers })).json())
}

it('the dashboard of who never invested is zeros, and no day on which anything unlocks', async () => {
  const seen = await read(await money.member())
  expect(seen).toMatchObject({
    daily_payment: 0,
    daily_payment_day: null,
    daily_percentage: 0.333333,
    investment_amount: 0,
    withdrawable_date: null,
    total_profit: 0,
    days_profit: 0,
    investment_progress: 0,
    direct_users: 0,
    indirect_users: 0,
    recent: [],
  })
  expect(seen.chart_data.series).toEqual(Array(15).fill(0))
})

it('the dashboard counts days, profit and people, and draws fifteen days', async () => {
  const member = await money.member()
  const direct = await money.member(member)
  const other = await money.member(member)
  for (const sponsor of [direct, other, other]) await money.member(sponsor)
  await money.invest(member, '1000')
  await money.invest(direct, '500')
  await money.payDay()
  const seen = await read(member)
  expect(seen).toMatchObject({
    daily_payment: 3.333333,
    daily_payment_day: '2026-05-05',
    daily_percentage: 0.333333,
    investment_amount: 1000,
    // 3.333333 of its own, and 5 % of the referral's 500.
    total_profit: 28.333333,
    profit_by_kind: { passive: 3.333333, direct: 25, binary: 0 },
    days_profit: 1,
    direct_users: 2,
    indirect_users: 3,
    // One of 365 days, rounded down to two decimals.
    investment_progress: 0.27,
  })
  expect(seen.withdrawable_date).toBe(
    new Date(Date.parse('2026-05-03T15:00:00Z') + seen.term_days * DAY).toISOString(),
  )
  expect([seen.chart_data.labels.length, seen.chart_data.labels.at(-1)]).toEqual([15, '05-04'])
  expect(seen.chart_data.series.slice(-2)).toEqual([25, 3.333333])
})

it('an investment that was reversed locks nothing and moves no progress', async () => {
  const member = await money.investor('1000')
  const made = money.now.getTime()
  await money.payDay(3)
  await money.invest(member, '50')
  await money.reverseLatest(member)
  expect(await read(member)).toMatchObject({
    investment_amount: 1000,
    days_profit: 3,
    elapsed_days: 3,
    withdrawable_date: new Date(made + 365 * DAY).toISOString(),
  })
  const { unlocked, lock } = await fundsOf(money.db, member, new Date(made + 365 * DAY))
  expect([unlocked, lock.unlocksAt?.getTime()]).toEqual([1_000_000_000n, made + 365 * DAY])
})

it('a reversal tells one story to who invested and to the sponsor who was paid for it', async () => {
  const sponsor = await money.investor('1000')
  const member = await money.investor('1000', sponsor)
  await money.invest(member, '50')
  await money.reverseLatest(member)
  await money.invest(member, '20')
  const [own, above] = [await money.client(member), await money.client(sponsor)]
  const history = (await own.get('plans/history/')).json().results
  expect(
    history.map((row: InvestmentEntry) => [row.amount, row.status, row.before_investment_value]),
  ).toEqual([
    ['20.00', 'completed', '1020.00'],
    ['50.00', 'reversed', '1000.00'],
    ['1000.00', 'completed', '1000.00'],
  ])
  expect(history[1].reversed_at).toBe(money.now.toISOString())
  const payments = (await above.get('payments/direct-payments/')).json().results
  expect(payments.map((row: DirectPayment) => [row.amount, row.status])).toEqual([
    ['1.00', 'paid'],
    ['2.50', 'reversed'],
    ['50.00', 'paid'],
  ])
  expect(payments[1].why.sentence).toMatch(/It was taken back on .*: the investment was reversed\.$/)
  const months = (await above.get('payments/earnings/2026/')).json()
  const seen = await read(sponsor)
  expect(months.map((month: MonthEarnings) => Number(month.direct)).reduce(add)).toBe(51)
  expect([seen.total_profit, seen.profit_by_kind.direct, seen.chart_data.series.reduce(add)]).toEqual([
    51, 51, 51,
  ])
})

it('what happened lately shows an investment once and whole, and what became of its parts', async () => {
  const member = await money.member()
  await money.invoiceOver(member, '700')
  await money.receive(member, '300')
  await money.receive(member, '499.50')
  const { invoice } = await money.invoiceOver(member, '200')
  await money.receive(member, '150')
  await money.within((tx) => completeInvoice(tx, member, invoice.txn_id, money.now))
  const { invoice: given } = await money.invoiceOver(member, '50')
  await money.receive(member, '12.34')
  await money.within((tx) => cancelInvoice(tx, member, given.txn_id, money.now))
  await money.payAllDirect()
  await money.reverseLatest(member)
  expect((await read(member)).recent.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['reversed', '200.00'],
    ['deposit', '12.34'],
    ['investment', '200.00'],
    ['investment', '700.00'],
    ['deposit', '96.00'],
  ])
})

it('the estimate is for the next day that pays, not for the day of investing', async () => {
  const member = await money.member()
  const passive = { ...DEFAULT_PLAN.passive, weekdaysOnly: true }
  await storePlan(money.owner, 3, money.now, { ...DEFAULT_PLAN, passive })
  // 10:00 in Bogotá, a Friday: the week-end rests.
  money.now = new Date('2026-06-05T15:00:00Z')
  await money.invest(member, '1000')
  expect(await read(member)).toMatchObject({
    daily_payment: 3.333333,
    daily_payment_day: '2026-06-08',
    total_profit: 0,
  })
})

it('what a member has is the sum of where it stands, and what can be withdrawn is what the withdrawal says', async () => {
  const who = await money.withdrawer('100')
  const parts = async () => (await read(who.id)).holdings
  const can = async () => (await who.get('withdrawals/terms/')).json().available
  expect(await parts()).toEqual({
    total: '100.00',
    available: '100.00',
    invested: '0.00',
    held: '0.00',
    pending: '0.00',
  })
  await money.invest(who.id, '1000')
  await money.place(who, '30')
  await money.invoiceOver(who.id, '50')
  await money.receive(who.id, '12.34')
  expect(await parts()).toEqual({
    total: '1112.34',
    available: '70.00',
    invested: '1000.00',
    held: '30.00',
    pending: '12.34',
  })
  expect(await can()).toBe('70.00')
  money.now = new Date(money.now.getTime() + 365 * DAY)
  const { total, available, invested } = await parts()
  expect([total, available, invested, await can()]).toEqual(['1112.34', '1070.00', '0.00', '1070.00'])
})

it('each investment keeps a term of its own, whatever is invested and whatever plan comes later', async () => {
  const member = await money.investor('10000')
  const made = money.now.getTime()
  const investment = { ...DEFAULT_PLAN.investment, lockDays: 30 }
  await storePlan(money.owner, 4, new Date(made + DAY), { ...DEFAULT_PLAN, investment })
  money.nextDay(25)
  await money.invest(member, '50')
  const [year, month] = [made + 365 * DAY, made + 55 * DAY].map((at) => new Date(at).toISOString())
  const seen = await read(member)
  expect(seen).toMatchObject({
    withdrawable_date: month,
    term_days: 30,
    elapsed_days: 0,
    // 25 of 365 days of 10,000 of 10,050.
    investment_progress: 6.81,
    days_profit: 25,
    holdings: { available: '0.00', invested: '10050.00' },
    locked: {
      amount: '10050.00',
      count: 2,
      parts: [
        { amount: '50.00', unlocks_at: month },
        { amount: '10000.00', invested_at: new Date(made).toISOString(), unlocks_at: year },
      ],
    },
  })
  money.nextDay(30)
  const later = await read(member)
  expect(later).toMatchObject({
    withdrawable_date: year,
    holdings: { available: '50.00', invested: '10000.00' },
    locked: { amount: '10000.00', count: 1 },
  })
})
