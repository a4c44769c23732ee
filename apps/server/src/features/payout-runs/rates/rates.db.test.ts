import { declaredRate, pageOf } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import { countOf, query } from '../../../core/query.sql.ts'
import { createMoneyFixture } from '../../../testing/money-fixture.ts'
import { operatorClient, PROBLEM } from '../../../testing/server.ts'
import { soundSuiteFixture } from '../../../testing/suite.ts'

// Two in the morning of the 4th in UTC, still the 3rd in Bogotá.
const money = await soundSuiteFixture(createMoneyFixture, '2026-05-04T02:00:00Z')
const { db } = money

const member = await money.client(await money.investor('1000'))
const operator = await operatorClient(money.server, { username: 'olga' })

const get = (path: string) => operator.get(`operator/${path}`)
const declare = (day: string, percentage: string | number, who = operator, more = {}) =>
  who.decide('operator/rates/', { day, percentage, reason: 'A slow week.' }, more)
const rates = async () => pageOf(declaredRate).parse((await get('rates/')).json())

describe('the rate of a day', () => {
  it('is declared, and answered as it counts', async () => {
    expect((await declare('2026-05-04', '0.250')).json()).toEqual({
      message: 'The percentage of May 4, 2026 is now 0.25%.',
    })
    const spanish = await declare('2026-05-06', 0, operator, { 'accept-language': 'es' })
    expect(spanish.json()).toEqual({ message: 'El porcentaje del 6 de mayo de 2026 ahora es 0 %.' })
  })

  it('is what was said last, newest day first, beside what the plan pays', async () => {
    await declare('2026-05-04', '0.1')
    expect((await rates()).results).toEqual([
      {
        day: '2026-05-06',
        percentage: '0',
        target: '0.333333',
        reason: 'A slow week.',
        declared_by: 'olga',
        declared_at: money.now.toISOString(),
      },
      expect.objectContaining({ day: '2026-05-04', percentage: '0.1', target: '0.333333' }),
    ])
    expect(await rates()).toMatchObject({ count: 2, total_pages: 1 })
    expect((await get('rates/?page_size=1&page=2')).json().results).toMatchObject([{ day: '2026-05-04' }])
    expect(await get('rates/?page=2')).toAnswer(404)
  })

  it('below the plan’s own has a reason, which the trail keeps and each payment of the day tells its member', async () => {
    const bare = (percentage: string, reason?: string) =>
      operator.decide('operator/rates/', { day: '2026-05-09', percentage, reason }, PROBLEM)
    for (const reason of [undefined, '', ' ab ']) {
      const refused = await bare('0.333332', reason)
      expect(refused).toAnswer(400)
      expect(refused.json()).toMatchObject({ code: 'field_required', errors: [{ path: 'reason' }] })
    }
    expect(await bare('0.333333')).toAnswer(200)
    const [entry] = await query<{ details: object }>(db)`
      SELECT details FROM audit_event WHERE action = 'rate.declare' AND outcome = 'done' ORDER BY id LIMIT 1`
    expect(entry?.details).toMatchObject({ reason: 'A slow week.' })
  })

  it('is what the day’s run then pays, and not to be changed once that is released', async () => {
    await money.fund('profit', '1000')
    await money.payDay()
    const { results } = (await get('runs/')).json()
    expect(results).toContainEqual(
      expect.objectContaining({ kind: 'passive', period: '2026-05-04', rate: '0.1', total: '1.00' }),
    )
    const [paid] = (await member.get('payments/pasive-payments/')).json().results
    const why = (await member.get(`payments/why/${paid.id}/`)).json()
    expect(why.rule).toBe('Passive profit: the company declared 0.1% for this day. The reason: A slow week.')
    expect(await declare('2026-05-04', '0.2')).toAnswer(409, 'That day has been paid already.')
  })

  it('of a past day without a run counts as paid', async () => {
    expect(await declare('2026-05-01', '0.1')).toAnswer(409)
    expect(await declare('1970-01-02', '0.1')).toAnswer(409)
  })

  it('is never above the plan’s own', async () => {
    expect(await declare('2026-05-07', '0.333334')).toAnswer(
      422,
      'A day can pay at most what the plan says: 0.333333%.',
    )
    expect(await declare('2026-05-07', '0.333333')).toAnswer(200)
  })

  it.each([
    ['2027-05-06', 400],
    ['9999-12-31', 400],
    ['0000-01-01', 400],
    ['1969-12-31', 400],
    ['2026-02-30', 400],
    ['2026-5-3', 400],
    ['tomorrow', 400],
    ['', 400],
    ['2027-05-05', 200],
  ])('on %s is answered %i', async (day, status) => {
    const answer = await declare(day, '0.1')
    expect([answer.statusCode, status === 200 || answer.json()]).toEqual([
      status,
      status === 200 || 'The dates are not valid.',
    ])
  })

  it.each(['-0.1', '1e-3', '0.1234567', '1000', '00.1', 'x', '', '0,1'])(
    'is no percentage written %j',
    async (percentage) => {
      expect(await declare('2026-05-07', percentage)).toAnswer(
        400,
        expect.stringMatching(/^The percentage|^Please/),
      )
    },
  )

  it('is declared once a key', async () => {
    const keyed = (percentage: string) =>
      declare('2026-05-08', percentage, operator, { 'idempotency-key': 'rate-1' })
    await Promise.all([keyed('0.1'), keyed('0.1')])
    expect(await countOf(db)`declared_rate WHERE day = '2026-05-08'`).toBe(1)
    expect(await keyed('0.2')).toAnswer(409)
  })
})
