import { operatorInvestment, pageOf, reversal } from '@aval/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { queryValue } from '../../../core/query.sql.ts'
import { guardedBalance, owedBy } from '../../../ledger/ledger.queries.ts'
import { exportedRows, rowByRow } from '../../../testing/exported.ts'
import { createMoneyFixture, usdt } from '../../../testing/money-fixture.ts'
import { type Client, operatorClient } from '../../../testing/server.ts'
import { soundTestFixture } from '../../../testing/suite.ts'
import { investmentsAfter, type Reversible } from './reversals.queries.ts'

const money = soundTestFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
let operator: Client
let second: Client
let _member: Client
/** ana introduced bea. */
let ana: bigint
let bea: bigint

beforeEach(async () => {
  ana = await money.joined('ana')
  bea = await money.joined('bea', ana)
  operator = await money.client(await money.joined('olga', undefined, true))
  second = await money.client(await money.joined('otto', undefined, true))
  _member = await money.client(bea)
  await money.fund('profit', '10000')
  await money.fund('commission', '10000')
  await money.invest(ana, '500')
  await money.invest(bea, '1000')
})

const get = (path: string, who = operator) => who.get(`operator/${path}`)
const found = async (search: string) =>
  pageOf(operatorInvestment).parse((await get(`investments/${search}`)).json())
const numberOf = async (member: string) => {
  const [latest] = (await found(`?member=${member}`)).results
  if (latest === undefined) throw new Error(`${member} has no investment`)
  return latest.id
}
const preview = (id: number | string, who = operator) => get(`investments/${id}/reversal/`, who)
const reverse = (
  id: number | string,
  who = operator,
  payload: object = { reason: 'A mistake.' },
  more = {},
) => who.decide(`operator/investments/${id}/reversal/`, payload, more)

describe('the investments that an operator looks for', () => {
  it('are those of members called so, newest first', async () => {
    expect((await found('?member=be')).results).toEqual([
      {
        id: await numberOf('bea'),
        member: 'bea',
        member_id: Number(bea),
        amount: '1000.00',
        date: money.now.toISOString(),
        from_balance: false,
        state: 'settled',
      },
    ])
    expect((await found('')).results.map(({ member }) => member)).toEqual(['bea', 'ana'])
    expect((await found('?page_size=1&page=2')).results).toMatchObject([{ member: 'ana', amount: '500.00' }])
    expect((await found('?member=ANA')).count).toBe(1)
    const email = await queryValue<string>(money.db)`SELECT email FROM member WHERE id = ${bea}`
    const [row] = (await found(`?member=${encodeURIComponent(` ${email.toUpperCase()} `)}`)).results
    expect(row?.member).toBe('bea')
    for (const nobody of ['%25', '_ea', 'bea%25', 'nobody', `'--`]) {
      expect(await found(`?member=${nobody}`)).toMatchObject({ count: 0, results: [] })
    }
    expect(await get(`investments/?member=${'x'.repeat(255)}`)).toAnswer(400)
    expect(await get('investments/?member=%00')).toAnswer(400)
    const [newest] = (await get('investments/')).json().results
    expect((await get(`investments/?member=%23${newest.id}`)).json()).toMatchObject({
      count: 1,
      results: [newest],
    })
  })

  it('leave as a file under their filter, in the order of the list', async () => {
    const all = (await found('')).results
    const rows = await exportedRows(operator, 'operator/investments/export/')
    expect(rows.map((row) => [row['id'], row['username'], row['amount'], row['state']])).toEqual(
      all.map((row) => [row.id, row.member, row.amount, row.state === 'settled' ? 'credited' : row.state]),
    )
    expect(await exportedRows(operator, 'operator/investments/export/?member=ANA')).toMatchObject([
      { username: 'ana' },
    ])
    const read = await rowByRow<Reversible>((after, limit) => investmentsAfter(money.db, '', after, limit))
    expect(read.map(({ id }) => Number(id))).toEqual(all.map(({ id }) => id))
  })

  it('are open until their commissions are paid', async () => {
    const cleo = await money.joined('cleo', bea)
    await money.receive(cleo, '700')
    await money.reinvest(cleo, '600')
    expect((await found('?member=cleo')).results).toMatchObject([{ state: 'open', from_balance: true }])
    const id = await numberOf('cleo')
    for (const answer of [await preview(id), await reverse(id)])
      expect(answer).toAnswer(
        409,
        'What this investment pays is not paid yet: release or cancel its runs first.',
      )
    await money.payAllDirect()
    expect((await found('?member=cleo')).results).toMatchObject([{ state: 'settled' }])
  })
})

describe('a reversal', () => {
  it('is shown before it is done, and changes nothing then', async () => {
    await money.payDay()
    const id = await numberOf('bea')
    const shown = reversal.parse((await preview(id)).json())
    expect(shown).toEqual({
      investment: expect.objectContaining({ id, member: 'bea', state: 'settled' }),
      parts: [
        { member: 'ana', pool: 'commission', amount: '50.00', from_balance: '50.00', owed: '0.00' },
        { member: 'bea', pool: 'profit', amount: '3.333333', from_balance: '3.333333', owed: '0.00' },
      ],
      message: 'Reversing returns $1,000.00 to the balance of bea and takes back $53.333333.',
    })
    const spanish = await operator.get(`operator/investments/${id}/reversal/`, { 'accept-language': 'es' })
    expect(spanish.json().message).toBe('Revertirla devuelve $1.000,00 al saldo de bea y quita $53,333333.')
    expect(await money.balanceOf(ana)).toBe(usdt('51.666666'))
    expect((await found('?member=bea')).results).toMatchObject([{ state: 'settled' }])
  })

  it('takes back to the micro what was paid, and gives the principal back', async () => {
    await money.payDay()
    const id = await numberOf('bea')
    const asked = await reverse(id)
    expect(asked).toAnswer(200)
    expect(reversal.parse(asked.json())).toMatchObject({
      investment: { state: 'settled' },
      message:
        'Proposed. Once operators approve it, $1,000.00 return to the balance of bea and $53.333333 are taken back.',
    })
    const [{ statement }] = (await get('decisions/?state=open')).json().results
    expect(statement).toMatchObject({
      ...{ investment: String(id), member: String(bea), username: 'bea', amount: '1000000000' },
      ...{ members: '2', parts: '2', commission: '50000000', profit: '3333333' },
      ...{ largest: 'ana 50.000000, bea 3.333333', reason: 'A mistake.' },
    })
    await money.signProposed(`investment:${id}`)
    expect(await money.balancesOf(bea)).toMatchObject({ principal: 0n, balance: usdt('1000') })
    expect(await money.balancesOf(ana)).toMatchObject({ balance: usdt('1.666666'), earned: usdt('1.666666') })
    expect(await guardedBalance(money.db, 'pool:commission')).toBe(usdt('10000'))
    expect((await found('?member=bea')).results).toMatchObject([{ state: 'reversed' }])
    for (const again of [await preview(id), await reverse(id)])
      expect(again).toAnswer(409, expect.stringMatching(/^This investment was reversed already\./))
  })

  it('leaves owing what balances do not cover', async () => {
    await money.receive(ana, '450')
    await money.reinvest(ana, '500')
    await money.payAllDirect()
    const id = await numberOf('bea')
    const asked = (await reverse(id)).json()
    await money.signProposed(`investment:${id}`)
    expect(asked.parts).toEqual([
      { member: 'ana', pool: 'commission', amount: '50.00', from_balance: '0.00', owed: '50.00' },
    ])
    expect(await owedBy(money.db, ana)).toMatchObject({ commission: usdt('50') })
    expect(await money.balancesOf(bea)).toMatchObject({ principal: 0n, balance: usdt('1000') })
  })

  it('is not done when what it takes back changed since, or while a day that began is not paid', async () => {
    const id = await numberOf('bea')
    const subject = `investment:${id}`
    expect(await reverse(id)).toAnswer(200)
    money.nextDay()
    await expect(money.signProposed(subject)).rejects.toThrow('investment_unsettled')
    await money.payDay(0)
    // The day paid on it as well: that is not what was signed.
    await expect(money.signProposed(subject)).rejects.toThrow('decision_changed')
    expect(await reverse(id)).toAnswer(200)
    await money.signProposed(subject)
    expect(await money.balancesOf(bea)).toMatchObject({ principal: 0n, earned: 0n })
  })

  it('is done once, by the first of two operators', async () => {
    const id = await numberOf('bea')
    const third = await operatorClient(money.server)
    const answers = await Promise.all([reverse(id), reverse(id, second), reverse(id, third)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409])
    await money.signProposed(`investment:${id}`)
    await expect(money.signProposed(`investment:${id}`)).rejects.toThrow('decision_closed')
    expect(await money.balanceOf(bea)).toBe(usdt('1000'))
    expect(await money.balanceOf(ana)).toBe(0n)
  })

  it('needs a reason, and an investment that is there', async () => {
    const id = await numberOf('bea')
    expect(await reverse(id, operator, {})).toAnswer(400, 'Please fill in: reason.')
    for (const reason of ['', 'ab', '   a   ', 'x'.repeat(201), 5, null, 'a\u0000bc'])
      expect(await reverse(id, operator, { reason }), `${reason}`).toAnswer(400)
    for (const none of ['0', '-1', '1e9', 'text', '999999', '9'.repeat(18), '9'.repeat(40), '%00']) {
      for (const answer of [await preview(none), await reverse(none)])
        expect(answer, none).toAnswer(404, 'We could not find that investment.')
    }
    expect((await found('?member=bea')).results).toMatchObject([{ state: 'settled' }])
  })
})

it('what held runs wait for is shown by pool: direct and binary runs together, until they are released pro rata', async () => {
  const awaiting = async () => {
    const { pools } = (await get('today/')).json()
    return pools.map((pool: { awaiting: string }) => pool.awaiting)
  }
  const cleo = await money.joined('cleo', bea)
  const dan = await money.joined('dan', ana)
  await money.invest(dan, '1000')
  await money.invest(cleo, '900000')
  // 5 % to bea and 2 % to ana; the first member of all is inactive.
  expect(await awaiting()).toEqual(['0.00', '63000.00'])
  const [run] = (await get('runs/?state=open')).json().results
  // Twice the part of what was invested that the runs before paid: an operator looks at that first.
  expect(await operator.decide(`operator/runs/${run.id}/release/`, { note: 'A large sponsor.' })).toAnswer(
    200,
  )
  await money.signProposed(`run:${run.id}`)
  expect(await awaiting()).toEqual(['0.00', '63000.00'])
  expect(await operator.decide(`operator/runs/${run.id}/prorate/`)).toAnswer(200)
  await money.signProposed(`run:${run.id}`)
  // Released with what the pool has, in the same breath.
  expect(await awaiting()).toEqual(['0.00', '0.00'])
  await money.resume()
  expect(await awaiting()).toEqual(['0.00', '0.00'])
  // 50 and 20 of commission; then ana's match of 2,000 on the right against more on the left.
  await money.invest(await money.joined('eve', dan), '1000')
  expect(await awaiting()).toEqual(['0.00', '70.00'])
  await money.payDay()
  expect(await awaiting()).toEqual(['0.00', '270.00'])
})
