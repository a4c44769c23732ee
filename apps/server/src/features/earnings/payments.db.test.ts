/** All payments of a member in one list, and the totals of what a filter finds. */
import type { Payment, PaymentTotals } from '@aval/contract'
import { formatMicro, micro, microToJsonNumber } from '@aval/money'
import type { KyselyPlugin } from 'kysely'
import { describe, expect, it } from 'vitest'
import { queryValue } from '../../core/query.sql.ts'
import { createMoneyFixture, usdt } from '../../testing/money-fixture.ts'
import { join } from '../../testing/server.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { cancelRun } from '../payout-runs/pay/decisions.sql.ts'
import { paymentsOf } from './payments.queries.ts'

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')

const person = (username: string, firstName: string, lastName: string, sponsorId: bigint) =>
  join(
    money.server,
    { username, firstName, lastName, email: `${username}@mail-of-${username}.com` },
    sponsorId,
    money.now,
  )

await money.fund('commission', '5000')
await money.fund('profit', '5000')
const top = await money.investor('2000')
const luis = await person('lgomez', 'Luis', 'Gómez', top)
const ana = await person('ana.ruiz', 'Ana', 'Ruiz', top)
const below = await person('pedro', 'Pedro', 'Luján', luis)
await money.invest(luis, '1000')
await money.invest(ana, '600')
await money.payDay()
await money.invest(below, '500')
await money.payDay(2)
await money.invest(ana, '700')
await money.reverseLatest(ana)

const stranger = await money.investor('2000')
await money.payDay()
// More than the pool has: it waits.
await money.invest(below, '100000')
const client = await money.client(top)

async function list(search = '', who = client): Promise<Payment[]> {
  const answer = await who.get(`payments/all/?page_size=100${search}`, { 'accept-language': 'en' })
  expect(answer.statusCode).toBe(200)
  return answer.json().results
}
const totals = async (search = '', who = client): Promise<PaymentTotals> =>
  (await who.get(`payments/totals/?${search.replace('&', '')}`)).json()
const sum = (amounts: readonly string[]) =>
  formatMicro(micro(amounts.reduce((all, text) => all + usdt(text), 0n)))
const said = (row: Payment) => [row.kind, row.user_username, row.level, row.amount, row.status]

describe('all payments', () => {
  it('are the member’s own of every kind, newest first, with what was taken back and what waits', async () => {
    const rows = await list()
    expect(rows.map(said)).toEqual([
      ['direct', 'pedro', 2, '2000.00', 'pending'],
      ['passive', null, null, '6.666666', 'paid'],
      ['direct', 'ana.ruiz', 1, '35.00', 'reversed'],
      ['passive', null, null, '6.666666', 'paid'],
      ['passive', null, null, '6.666666', 'paid'],
      ['direct', 'pedro', 2, '10.00', 'paid'],
      ['passive', null, null, '6.666666', 'paid'],
      ['binary', null, null, '60.00', 'paid'],
      ['direct', 'ana.ruiz', 1, '30.00', 'paid'],
      ['direct', 'lgomez', 1, '50.00', 'paid'],
    ])
    const dates = rows.map(({ date }) => date)
    expect(dates).toEqual(dates.toSorted().toReversed())
    expect(rows[0]).toMatchObject({
      state: 'in_review',
      user_email: 'p•••@m•••.com',
      basis: '100000.00',
    })
    expect(rows[2]).toMatchObject({ taken_back: '35.00', user_email: 'ana.ruiz@mail-of-ana.ruiz.com' })
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  })

  it('say why, as the lists of one kind do', async () => {
    const one = (rows: Payment[], path: string) => rows.find((row) => row.kind === path)
    const rows = await list()
    for (const [kind, path] of [
      ['passive', 'pasive-payments'],
      ['binary', 'binary-payments'],
    ] as const) {
      const [newest] = (await client.get(`payments/${path}/`, { 'accept-language': 'en' })).json().results
      expect(one(rows, kind)).toMatchObject({ id: newest.id, why: newest.why })
    }
  })

  it('are of nobody else', async () => {
    const others = await money.client(stranger)
    expect((await list('', others)).map(said)).toEqual([['passive', null, null, '6.666666', 'paid']])
    expect((await list('&q=luis', others)).length).toBe(0)
    expect(await totals('', others)).toMatchObject({ count: 1, received: '6.666666' })
  })

  it('come in pages without a gap', async () => {
    const whole = await list()
    const pages: Payment[] = []
    for (const page of [1, 2, 3, 4]) {
      const answer = await client.get(`payments/all/?page_size=3&page=${page}`, { 'accept-language': 'en' })
      expect(answer.json()).toMatchObject({ count: 10, total_pages: 4 })
      pages.push(...answer.json().results)
    }
    expect(pages).toEqual(whole)
    expect(await client.get('payments/all/?page_size=3&page=5')).toAnswer(404)
  })
})

describe('what a filter finds', () => {
  it.each([
    ['a kind', '&kind=direct', 5],
    ['another kind', '&kind=binary', 1],
    ['a kind that nobody was paid', '&kind=master', 0],
    ['from a day on, it included', '&from=2026-05-06', 4],
    ['until a day, it included', '&to=2026-05-04', 5],
    ['one day', '&from=2026-05-04&to=2026-05-04', 3],
    ['a first name', '&q=Luis', 1],
    ['the beginning of a last name, without its accent and in capitals', '&q=GOM', 1],
    ['the beginnings of several', '&q=an%20rui', 2],
    ['two people whose names begin so', '&q=lu', 3],
    ['a username', '&q=ana.ruiz', 2],
    ['the e-mail of an own referral', '&q=ana.ruiz%40mail', 2],
    ['not the e-mail of anybody else', '&q=pedro%40mail', 0],
    ['the middle of a name: nobody', '&q=mez', 0],
    ['a person and a kind without one', '&q=ana&kind=passive', 0],
    ['a person in some days', '&q=ana&from=2026-05-05', 1],
  ])('%s', async (_, search, count) => {
    const rows = await list(search)
    expect(rows.length).toBe(count)
    const found = await totals(search)
    const waiting = rows.filter(({ state }) => state !== 'paid').map(({ amount }) => amount)
    expect(found).toMatchObject({
      count,
      amount: sum(rows.map(({ amount }) => amount)),
      taken_back: sum(rows.map(({ taken_back }) => taken_back)),
      waiting: sum(waiting),
    })
    const lost = sum([found.waiting, found.taken_back])
    expect(sum([found.received, lost])).toBe(found.amount)
  })

  it.each(['%25%25', '__', '%27%20OR%201%3D1--', '%5C%5C', 'a%5C', '%F0%9F%92%B8%F0%9F%92%B8', ')%3B', '.*'])(
    'of the text %s is nobody: it is no pattern and no statement',
    async (text) => {
      expect(await list(`&q=${text}`)).toEqual([])
      expect(await totals(`&q=${text}`)).toMatchObject({ count: 0, amount: '0.00', received: '0.00' })
    },
  )

  it.each([
    ['kind=passives', 'There is no such kind of payment.'],
    ['kind=', 'There is no such kind of payment.'],
    ['kind=direct&kind=binary', 'There is no such kind of payment.'],
    ['from=2026-02-30', 'The dates are not valid.'],
    ['from=04/05/2026', 'The dates are not valid.'],
    ['from=1999-12-31', 'The dates are not valid.'],
    ['to=%00', 'The dates are not valid.'],
    ['from=2026-05-05&to=2026-05-04', 'The dates are not valid.'],
    [`q=${'x'.repeat(65)}`, 'What was sent is not valid.'],
    ['q=%20%20', 'What was sent is not valid.'],
    ['q=a', 'What was sent is not valid.'],
    ['q=a%00', 'What was sent is not valid.'],
  ])('%s is refused', async (search, sentence) => {
    for (const call of ['all', 'totals'])
      expect(await client.get(`payments/${call}/?${search}`, { 'accept-language': 'en' })).toAnswer(
        400,
        sentence,
      )
  })
})

it('the totals of a year are what the earnings by month and the dashboard say', async () => {
  const { received } = await totals('&from=2026-01-01&to=2026-12-31')
  const months = (await client.get('payments/earnings/2026/')).json()
  expect(months[4].amount).toBe(received)
  expect((await client.get('core/dashboard/')).json().total_profit).toBe(microToJsonNumber(usdt(received)))
})

it('what was taken back of passive payments is in the totals of their days', async () => {
  const other = await money.investor('1000')
  await money.fund('profit', '100')
  await money.payDay()
  await money.invest(other, '500')
  await money.payDay()
  await money.reverseLatest(other)
  const own = await money.client(other)
  expect(await totals('', own)).toEqual({
    count: 2,
    amount: '8.333333',
    waiting: '0.00',
    taken_back: '1.666667',
    received: '6.666666',
  })
  const [second] = await list('', own)
  const day = second?.date.slice(0, 10)
  expect(await totals(`&from=${day}`, own)).toMatchObject({
    count: 1,
    amount: '5.00',
    taken_back: '1.666667',
  })
  expect(await totals(`&to=${day}&kind=direct`, own)).toMatchObject({ count: 0, taken_back: '0.00' })
})

it('a run that is cancelled while its payments are read is there as a whole or not at all', async () => {
  const { db } = money.server.owner
  const runId = await queryValue<bigint>(
    db,
  )`SELECT id FROM payout_run WHERE state = 'held' ORDER BY id LIMIT 1`
  const operatorId = await queryValue<bigint>(
    db,
  )`UPDATE member SET is_operator = true, operator_role = 'admin' WHERE id = ${stranger} RETURNING id`
  let isCancelled = false
  const cancelling: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      // The places are known by now, and what stands there is not.
      if (result.rows.length < 2 || isCancelled) return result
      isCancelled = true
      const decided = { runId, operatorId, note: 'too much', now: money.now }
      await db.transaction().execute((tx) => cancelRun(tx, decided))
      return result
    },
  }
  const wanted = { kind: undefined, from: new Date(0), until: new Date('2100-01-01'), person: '' }
  const { rows, count } = await paymentsOf(db.withPlugin(cancelling), top, wanted, 100, 0)
  expect(isCancelled).toBe(true)
  expect(rows.length).toBe(count)
  expect((await list()).length).toBe(count - 1)
})
