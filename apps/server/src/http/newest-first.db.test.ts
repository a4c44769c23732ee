/** Numbers are given in another order than dates where much happens at once: every list goes by the date that it shows. */
import { expect, it } from 'vitest'
import { query } from '../core/query.sql.ts'
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
// What the company writes down: the same again, of things that are seldom.
for (const at of [money.now, new Date(start)])
  await query(money.owner)`
    WITH mail AS (INSERT INTO mail_message (member_id, event, template, locale, to_address, params, created_at, next_try_at)
        VALUES (${top}, ${at.toISOString()}, 'welcome', 'es', 'top@example.com', '{}', ${at}, ${at})),
      note AS (INSERT INTO member_note (member_id, author_id, text, at) VALUES (${top}, ${top}, 'Called.', ${at})),
      funding AS (INSERT INTO pool_funding (pool, amount, at) VALUES ('profit', 1, ${at}))
    INSERT INTO decision (kind, subject, statement, proposed_by, proposed_at) VALUES ('plan', ${`plan:${at.toISOString()}`}, '{}', ${top}, ${at})`
// The run of a day is made before the binary one of the day before.
await money.payDay(3)
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
  [`operator/members/${top}/mails/`, olga],
  [`operator/members/${top}/notes/`, olga],
  ['operator/pools/fundings/', olga],
  ['operator/decisions/', olga],
  ['operator/runs/', olga],
])('%s is newest first by date, whole and page by page', async (path, who) => {
  const read = async (query: string) =>
    (await who.get(`${path}${path.includes('?') ? '&' : '?'}${query}`)).json()
  const { results: whole, count } = await read('page_size=100')
  expect(count).toBeGreaterThan(1)
  const dateOf = ({ period, ...row }: Record<string, string>) =>
    // A run goes by the day that it pays, and else by the day on which it was made.
    period === undefined
      ? (row['date'] ?? row['created_at'] ?? row['arrived_at'] ?? row['proposed_at'] ?? row['at'])
      : (/^\d{4}-\d\d-\d\d$/.exec(period)?.[0] ?? row['created_at']?.slice(0, 10))
  const dates = whole.map(dateOf)
  expect(dates).not.toContain(undefined)
  expect(dates).toEqual(dates.toSorted().toReversed())
  const pages = []
  for (let page = 1; page <= count; page += 1) pages.push(...(await read(`page_size=1&page=${page}`)).results)
  expect(pages).toEqual(whole)
})
