/** What a reversal takes back of passive profit: in one sum on the ledger, and shown by every day that it was paid on. */
import type { Dashboard, MonthEarnings, PassivePayment } from '@aval/contract'
import { formatMicro, micro } from '@aval/money'
import { expect, it } from 'vitest'
import { createMoneyFixture, usdt } from '../../testing/money-fixture.ts'
import { soundTestFixture } from '../../testing/suite.ts'

const money = soundTestFixture(createMoneyFixture, '2026-05-03T15:00:00Z')

/** 1,000 for two days, 1,500 for the second of them. */
async function twoInvestments() {
  await money.fund('commission', '1000')
  await money.fund('profit', '1000')
  const member = await money.investor('1000')
  const first = await money.latestInvestment(member)
  await money.payDay()
  await money.invest(member, '500')
  await money.payDay()
  const client = await money.client(member)
  const get = async (path: string, language = 'en') => client.get(path, { 'accept-language': language })
  const days = async (language?: string): Promise<PassivePayment[]> =>
    (await get('payments/pasive-payments/', language)).json().results
  return { member, first, get, days }
}

const shown = (rows: PassivePayment[]) => rows.map((row) => [row.amount, row.status, row.taken_back])
const sum = (amounts: readonly string[]) =>
  formatMicro(micro(amounts.reduce((total, text) => total + usdt(text), 0n)))

it('a day says how much of it was taken back, when, with which investment, and how much in all', async () => {
  const { member, get, days } = await twoInvestments()
  await money.reverseLatest(member)
  const [second, first] = await days()
  expect(shown(await days())).toEqual([
    ['5.00', 'partly_reversed', '1.666667'],
    ['3.333333', 'paid', '0.00'],
  ])
  expect(second?.why.sentence).toMatch(
    /under plan version 1\. On May 5, 2026 your investment of \$500\.00 of May 4, 2026 was reversed, and \$1\.666667 of this payment with it: \$1\.666667 of passive payments in all\.$/,
  )
  expect((await days('es'))[0]?.why.sentence).toMatch(
    /El 5 de mayo de 2026 se revirtió tu inversión de \$500\.00 del 4 de mayo de 2026, y con ella \$1\.666667 de este pago: en total, \$1\.666667 de pagos pasivos\.$/,
  )
  expect(first?.why.sentence).not.toContain('reversed')
  const why = (await get(`payments/why/${second?.id}/`)).json()
  expect(why.sentence).toBe(second?.why.sentence)
  expect(why.inputs.at(-1)).toEqual({ name: 'taken_back', label: 'Taken back of it', value: '$1.666667' })
})

it('what the days say adds up to the statement, the earnings of the year and the total profit', async () => {
  const { member, get, days } = await twoInvestments()
  await money.reverseLatest(member)
  const rows = await days()
  const back = sum(rows.map((row) => row.taken_back))
  const statement = (await get('payments/statement/')).body.split('\r\n')
  const lines = statement.filter((line) => line.includes('Passive payments taken back'))
  expect(lines.map((line) => line.split(',')[3])).toEqual([`-${back}`])
  const kept = formatMicro(micro(usdt(sum(rows.map(({ amount }) => amount))) - usdt(back)))
  const months: MonthEarnings[] = (await get('payments/earnings/2026/')).json()
  const dashboard: Dashboard = (await get('core/dashboard/')).json()
  expect([kept, months[4]?.passive, dashboard.profit_by_kind.passive, dashboard.total_profit]).toEqual([
    '6.666666',
    '6.666666',
    6.666666,
    6.666666,
  ])
})

it('with every investment reversed, each day is taken back whole', async () => {
  const { member, first, days } = await twoInvestments()
  await money.reverse(first)
  expect(shown(await days())).toEqual([
    ['5.00', 'partly_reversed', '3.333334'],
    ['3.333333', 'reversed', '3.333333'],
  ])
  await money.reverseLatest(member)
  expect(shown(await days())).toEqual([
    ['5.00', 'reversed', '5.00'],
    ['3.333333', 'reversed', '3.333333'],
  ])
})
