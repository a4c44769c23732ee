/** Numbers are given in another order than dates where much happens at once: every list goes by the date that it shows. */
import { expect, it } from 'vitest'
import { createMoneyFixture } from '../testing/money-fixture.ts'
import { soundSuiteFixture } from '../testing/suite.ts'

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const start = money.now.getTime()
const olga = await money.client(await money.joined('olga', undefined, true))
const top = await money.investor('500')

const later = async <Result>(milliseconds: number, act: () => Promise<Result>) => {
  money.now = new Date(start + 60_000 + milliseconds)
  return act()
}
// Each pair the wrong way round: the second number has the earlier date.
const first = await later(79, () => money.joined('first', top))
const second = await later(0, () => money.joined('second', top))
for (const member of [first, second, top]) {
  await later(1079, () => money.investOnly(member, '600'))
  await later(1000, () => money.investOnly(member, '700'))
}
await later(2000, money.payAllDirect)
await later(3079, () => money.receive(top, '5'))
await later(3000, () => money.receive(top, '6'))
const client = await money.client(top)

it.each([
  ['payments/direct-payments/', client],
  ['payments/binary-points-payments/', client],
  ['plans/history/', client],
  ['tree/get-referrals/', client],
  ['tree/get-referrals/?status=active', client],
  ['operator/investments/', olga],
  [`operator/members/${top}/investments/`, olga],
  [`operator/members/${top}/invoices/`, olga],
  [`operator/members/${top}/deposits/`, olga],
])('%s is newest first by date, whole and page by page', async (path, who) => {
  const read = async (query: string) =>
    (await who.get(`${path}${path.includes('?') ? '&' : '?'}${query}`)).json()
  const { results: whole, count } = await read('page_size=100')
  expect(count).toBeGreaterThan(1)
  const dateOf = (row: Record<string, string>) =>
    row['date'] ?? row['created_at'] ?? row['arrived_at'] ?? row['block_at'] ?? row['at']
  const dates = whole.map(dateOf)
  expect(dates).not.toContain(undefined)
  expect(dates).toEqual(dates.toSorted().toReversed())
  const pages = []
  for (let page = 1; page <= count; page += 1) pages.push(...(await read(`page_size=1&page=${page}`)).results)
  expect(pages).toEqual(whole)
})
