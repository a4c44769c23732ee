import { pageOf, payoutRun } from '@aval/contract'
import { inTransaction } from '@aval/db'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { join } from '../../http/testing.ts'
import { selectBalances } from '../../ledger/ledger.commands.ts'
import { createMoneyHouse, type MoneyHouse, usdt } from '../../testing/money-house.ts'
import { openMidnight } from '../payouts/opening.commands.ts'
import { payCommissions, resumeRuns, runDue } from '../payouts/payouts.commands.ts'
import { createInvoice } from '../plans/plans.commands.ts'

type Headers = Record<string, string>

let house: MoneyHouse
let operator: Headers
let second: Headers
let member: Headers
let memberId: bigint

beforeEach(async () => {
  house = await createMoneyHouse(inject('ownerUrl'), '2026-05-03T15:00:00Z')
  memberId = await joined('ana')
  member = await house.bearer(memberId)
  operator = await house.bearer(await joined('olga', true))
  second = await house.bearer(await joined('otto', true))
})
afterEach(async () => {
  expect(await house.faults()).toEqual([])
  await house.close()
})

const db = () => house.server.context.db
const joined = (username: string, isOperator = false) =>
  join(house.server, { username, isOperator }, house.server.rootId, house.now)
const get = (path: string, headers: Headers = operator) =>
  house.server.call({ url: `/api/operator/${path}`, headers: { 'accept-language': 'en', ...headers } })
const decide = (id: number | string, decision: string, headers: Headers = operator, payload?: object) =>
  house.server.call({
    method: 'POST',
    url: `/api/operator/runs/${id}/${decision}/`,
    headers: { 'accept-language': 'en', ...headers },
    ...(payload === undefined ? {} : { payload }),
  })
const runs = async (search = '') => pageOf(payoutRun).parse((await get(`runs/${search}`)).json())
const runOf = async (kind: string, period: string) => {
  const { results } = await runs('?page_size=100')
  const run = results.find((one) => one.kind === kind && one.period === period && one.state !== 'cancelled')
  if (run === undefined) throw new Error(`no ${kind} run of ${period}`)
  return run
}
const nextDay = async () => {
  house.now = new Date(house.now.getTime() + 86_400_000)
  await runDue(db(), house.now)
}
const resume = () => resumeRuns(db(), house.now)

/** A day whose passive run comes to twice that of the day before, and is held for it. */
async function doubledDay() {
  await house.fund('profit', '100000')
  await house.invest(memberId, '600000')
  await nextDay()
  await house.invest(memberId, '600000')
  await nextDay()
  return runOf('passive', '2026-05-05')
}

/** A day whose pool holds half of what its passive run needs. */
async function shortDay() {
  await house.fund('profit', '1000')
  await house.invest(memberId, '600000')
  await nextDay()
  return runOf('passive', '2026-05-04')
}

describe('a payout run, as an operator sees it,', () => {
  it('tells what it paid, under which plan, at which rate, and what it stands on', async () => {
    await house.fund('profit', '100000')
    await house.invest(memberId, '600000')
    await nextDay()
    const run = await runOf('passive', '2026-05-04')
    expect(run).toMatchObject({
      investor: null,
      state: 'done',
      reasons: [],
      progress: { done: 1, total: 1, per_second: 0 },
      items: 1,
      posted: 1,
      total: '2000.00',
      payable: '2000.00',
      missing: '0.00',
      not_paid: '0.00',
      plan_version: 1,
      rate: '0.333333',
      released_by: null,
      created_at: '2026-05-04T05:00:00.000Z',
      finished_at: house.now.toISOString(),
    })
    expect(run.input_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(run.items_hash).toMatch(/^[0-9a-f]{64}$/)
    expect((await get(`runs/${run.id}/`)).json()).toEqual(run)
  })

  it('names whose investment it pays the commissions of, where it is one, and what stays in the pool', async () => {
    await house.invest(memberId, '1000')
    const [other, third] = [await house.member(), await house.member()]
    const [one] = (await runs()).results
    // The first member of all is above, and has nothing invested.
    expect(one).toMatchObject({ kind: 'direct', investor: 'ana', rate: null, not_paid: '50.00' })
    for (const id of [other, third]) {
      await inTransaction(db(), (tx) => createInvoice(tx, id, usdt('1000'), house.now))
      await house.receive(id, '1005')
    }
    await payCommissions(db(), house.now)
    const [both] = (await runs()).results
    expect(both).toMatchObject({ kind: 'direct', investor: null, state: 'done', items: 0 })
    expect(both?.period).toMatch(/^\d+-\d+$/)
  })

  it('that is held says why, in the language of who asks', async () => {
    const run = await doubledDay()
    expect(run).toMatchObject({ state: 'held', released_by: null, missing: '0.00', posted: 0 })
    expect(run.reasons).toEqual([
      {
        check: 'change_too_large',
        sentence: 'It comes to 4,000.00 USD; the run before came to 2,000.00 USD.',
      },
    ])
    const spanish = await get(`runs/${run.id}/`, { ...operator, 'accept-language': 'es' })
    expect(spanish.json().reasons).toEqual([
      {
        check: 'change_too_large',
        sentence: 'Suma 4,000.00 USD; la corrida anterior sumó 2,000.00 USD.',
      },
    ])
  })

  it('that lacks money says how much, until it has it', async () => {
    const run = await shortDay()
    expect(run).toMatchObject({ state: 'held', missing: '1000.00', total: '2000.00' })
    expect(run.reasons).toEqual([{ check: 'pool_short', sentence: 'The pool lacks 1,000.00 USD.' }])
    await house.fund('profit', '1000')
    await resume()
    expect(await runOf('passive', '2026-05-04')).toMatchObject({
      state: 'done',
      reasons: [],
      missing: '0.00',
    })
  })

  it('is open until it is done or cancelled', async () => {
    const held = await shortDay()
    const open = await runs('?state=open')
    expect(open.results).toEqual([held])
    expect(open).toMatchObject({ count: 1, total_pages: 1 })
    expect((await runs()).count).toBeGreaterThan(1)
    expect((await get('runs/?state=nonsense')).statusCode).toBe(400)
    expect((await get('runs/?state=open&page=2')).statusCode).toBe(404)
  })

  it('under way tells how far it is, and how fast', async () => {
    await house.invest(memberId, '600000')
    house.now = new Date('2026-05-04T15:00:00Z')
    const midnight = { day: '2026-05-04', matched: '2026-05-03' } as Parameters<typeof openMidnight>[1]
    const [passive = 0n] = await openMidnight(db(), midnight, 'America/Bogota')
    expect((await get(`runs/${passive}/`)).json()).toMatchObject({
      state: 'computing',
      input_hash: '',
      progress: { done: 0, total: 0, per_second: 0 },
    })
    const standing = (through: number) =>
      sql`UPDATE payout_run SET computed_through = ${through}, member_count = 5000,
        stage_since = clock_timestamp() - interval '4.5 seconds' WHERE id = ${passive}`.execute(db())
    await standing(2)
    const { progress } = (await get(`runs/${passive}/`)).json()
    expect(progress).toMatchObject({ done: 2048, total: 5000 })
    expect(progress.per_second).toBeGreaterThan(300)
    expect(progress.per_second).toBeLessThan(456)
    await standing(5)
    expect((await get(`runs/${passive}/`)).json().progress).toMatchObject({ done: 5000, total: 5000 })
    await sql`UPDATE payout_run SET computed_through = 0, member_count = 0 WHERE id = ${passive}`.execute(
      db(),
    )
  })
})

describe('a held run', () => {
  it('goes on once an operator releases it, under that name', async () => {
    const run = await doubledDay()
    const answer = await decide(run.id, 'release', operator, { note: 'A large deposit, seen.' })
    expect(answer.json()).toEqual({ message: 'The run goes on.' })
    expect(await runOf('passive', '2026-05-05')).toMatchObject({ released_by: 'olga', reasons: [] })
    await resume()
    expect(await runOf('passive', '2026-05-05')).toMatchObject({ state: 'done', released_by: 'olga' })
    expect((await selectBalances(db(), memberId)).balance).toBe(usdt('6000'))
    expect((await decide(run.id, 'release')).json()).toBe(
      'This run does not wait for this decision any more.',
    )
  })

  it('that was released and lacks money still says so', async () => {
    await house.fund('profit', '2000')
    await house.invest(memberId, '600000')
    await nextDay()
    await house.invest(memberId, '600000')
    await nextDay()
    const run = await runOf('passive', '2026-05-05')
    expect(run.reasons.map(({ check }) => check)).toEqual(['change_too_large', 'pool_short'])
    expect((await decide(run.id, 'prorate')).statusCode).toBe(409)
    expect((await decide(run.id, 'release')).statusCode).toBe(200)
    await resume()
    expect(await runOf('passive', '2026-05-05')).toMatchObject({
      state: 'held',
      missing: '4000.00',
      reasons: [{ check: 'pool_short' }],
    })
  })

  it('is released by one of two operators who decide at once', async () => {
    const run = await doubledDay()
    const answers = await Promise.all([decide(run.id, 'release'), decide(run.id, 'release', second)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    await resume()
    expect((await selectBalances(db(), memberId)).balance).toBe(usdt('6000'))
  })

  it('is cancelled by one of two who decide at once, and computed anew once', async () => {
    const run = await doubledDay()
    const answers = await Promise.all([decide(run.id, 'cancel'), decide(run.id, 'cancel', second)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    await resume()
    const { results } = await runs('?page_size=100')
    const ofDay = results.filter(({ kind, period }) => kind === 'passive' && period === '2026-05-05')
    expect(ofDay.map(({ state }) => state)).toEqual(['held', 'cancelled'])
    expect(ofDay[1]).toMatchObject({ id: run.id, released_by: null, reasons: [], missing: '0.00' })
    expect(ofDay[0]?.input_hash).toBe(run.input_hash)
    expect((await decide(run.id, 'release')).statusCode).toBe(409)
  })

  it('is released or cancelled, whoever comes first, and paid once', async () => {
    const run = await doubledDay()
    const [released, cancelled] = await Promise.all([
      decide(run.id, 'release'),
      decide(run.id, 'cancel', second),
    ])
    expect(cancelled.statusCode).toBe(200)
    expect([200, 409]).toContain(released.statusCode)
    await resume()
    expect(await runOf('passive', '2026-05-05')).toMatchObject({ state: 'held' })
    expect((await selectBalances(db(), memberId)).balance).toBe(usdt('2000'))
  })

  it('is paid pro rata with what the pool has', async () => {
    const run = await shortDay()
    expect((await decide(run.id, 'release')).statusCode).toBe(409)
    const answer = await decide(run.id, 'prorate', { ...operator, 'accept-language': 'es' })
    expect(answer.json()).toEqual({ message: 'La corrida se paga a prorrata: 1,000.00 USD.' })
    await resume()
    expect(await runOf('passive', '2026-05-04')).toMatchObject({
      state: 'done',
      total: '2000.00',
      payable: '1000.00',
      released_by: 'olga',
    })
    expect((await selectBalances(db(), memberId)).balance).toBe(usdt('1000'))
    expect((await decide(run.id, 'prorate')).statusCode).toBe(409)
  })

  it('is not paid pro rata out of an empty pool, nor where the pool covers it', async () => {
    await house.invest(memberId, '600000')
    await nextDay()
    const run = await runOf('passive', '2026-05-04')
    const empty = await decide(run.id, 'prorate')
    expect([empty.statusCode, empty.json()]).toEqual([422, 'The pool is empty.'])
    await house.fund('profit', '2000')
    const covered = await decide(run.id, 'prorate')
    expect([covered.statusCode, covered.json()]).toEqual([
      409,
      'The pool covers this run: there is nothing to pay pro rata.',
    ])
  })
})

describe('a decision', () => {
  it('about a run that is done or that is none changes nothing', async () => {
    await house.fund('profit', '100000')
    await house.invest(memberId, '600000')
    await nextDay()
    const { id } = await runOf('passive', '2026-05-04')
    expect((await decide(id, 'cancel')).json()).toMatch(/^This run cannot be cancelled any more/)
    for (const decision of ['release', 'prorate', 'cancel']) {
      expect((await decide(id, decision)).statusCode).toBe(409)
      for (const none of [
        0,
        -1,
        '1e9',
        '1.0',
        'text',
        999_999,
        '9'.repeat(18),
        '9'.repeat(40),
        '%00',
        ' 1',
      ]) {
        const answer = await decide(encodeURIComponent(none), decision)
        expect([answer.statusCode, answer.json()], `${none}`).toEqual([404, 'There is no such payout run.'])
      }
    }
    for (const none of ['0', '-1', '1e9', 'text', '999999', '9'.repeat(18), '9'.repeat(40)])
      expect((await get(`runs/${none}/`)).statusCode).toBe(404)
  })

  it('is for operators alone', async () => {
    const run = await doubledDay()
    for (const decision of ['release', 'prorate', 'cancel'])
      expect((await decide(run.id, decision, member)).statusCode).toBe(403)
    expect((await get(`runs/${run.id}/`, member)).statusCode).toBe(403)
    expect(await runOf('passive', '2026-05-05')).toMatchObject({
      state: 'held',
      reasons: [expect.anything()],
    })
  })

  it('sent again under its key is answered as before', async () => {
    const run = await shortDay()
    const keyed = { ...operator, 'idempotency-key': 'prorate-1' }
    const [one, again] = [await decide(run.id, 'prorate', keyed), await decide(run.id, 'prorate', keyed)]
    expect([again.statusCode, again.json()]).toEqual([200, one.json()])
    expect((await decide(run.id, 'cancel', keyed)).statusCode).toBe(409)
    expect(await runOf('passive', '2026-05-04')).toMatchObject({ state: 'held', payable: '1000.00' })
  })

  it('takes a note of at most 200 characters', async () => {
    const run = await shortDay()
    for (const note of ['x'.repeat(201), 5, null, '\u0000'])
      expect((await decide(run.id, 'prorate', operator, { note })).statusCode).toBe(400)
    expect((await decide(run.id, 'prorate', operator, { note: 'x'.repeat(200) })).statusCode).toBe(200)
  })
})
