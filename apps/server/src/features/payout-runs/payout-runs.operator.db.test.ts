import { inTransaction } from '@aval/db'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { usdt } from '../../testing/money-fixture.ts'
import { createInvoice } from '../investments/investments.commands.ts'
import { payCommissions } from './advance.commands.ts'
import { openMidnight } from './runs/runs.commands.ts'
import { createRunsFixture, type RunsFixture } from './testing/runs-fixture.ts'

let fixture: RunsFixture
beforeEach(async () => {
  fixture = await createRunsFixture(inject('ownerUrl'))
})
afterEach(async () => {
  expect(await fixture.money.faults()).toEqual([])
  await fixture.money.close()
})

describe('a payout run, as an operator sees it,', () => {
  it('tells what it paid, under which plan, at which rate, and what it stands on', async () => {
    await fixture.money.fund('profit', '100000')
    await fixture.dayOf('600000')
    const run = await fixture.runOf('passive', '2026-05-04')
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
      finished_at: fixture.money.now.toISOString(),
    })
    expect(run.input_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(run.items_hash).toMatch(/^[0-9a-f]{64}$/)
    expect((await fixture.get(`runs/${run.id}/`)).json()).toEqual(run)
  })

  it('names whose investment it pays the commissions of, where it is one, and what stays in the pool', async () => {
    const { money, db } = fixture
    await money.invest(fixture.memberId, '1000')
    // The first member of all is above, and has nothing invested.
    expect((await fixture.runs()).results[0]).toMatchObject({
      kind: 'direct',
      investor: 'ana',
      rate: null,
      not_paid: '50.00',
    })
    for (const id of [await money.member(), await money.member()]) {
      await inTransaction(db, (tx) => createInvoice(tx, id, usdt('1000'), money.now))
      await money.receive(id, '1005')
    }
    await payCommissions(db, money.now)
    const [both] = (await fixture.runs()).results
    expect(both).toMatchObject({ kind: 'direct', investor: null, state: 'done', items: 0 })
    expect(both?.period).toMatch(/^\d+-\d+$/)
  })

  it('that is held says why, in the language of who asks', async () => {
    const run = await fixture.doubledDay()
    expect(run).toMatchObject({ state: 'held', released_by: null, missing: '0.00', posted: 0 })
    expect(run.reasons).toEqual([
      {
        check: 'change_too_large',
        sentence: 'It comes to 4,000.00 USD; the run before came to 2,000.00 USD.',
      },
    ])
    const spanish = await fixture.get(`runs/${run.id}/`, { ...fixture.operator, 'accept-language': 'es' })
    expect(spanish.json().reasons).toEqual([
      { check: 'change_too_large', sentence: 'Suma 4,000.00 USD; la corrida anterior sumó 2,000.00 USD.' },
    ])
  })

  it('that lacks money says how much, until it has it', async () => {
    const run = await fixture.shortDay()
    expect(run).toMatchObject({ state: 'held', missing: '1000.00', total: '2000.00' })
    expect(run.reasons).toEqual([{ check: 'pool_short', sentence: 'The pool lacks 1,000.00 USD.' }])
    await fixture.money.fund('profit', '1000')
    await fixture.resume()
    expect(await fixture.runOf('passive', '2026-05-04')).toMatchObject({
      state: 'done',
      reasons: [],
      missing: '0.00',
    })
  })

  it('is open until it is done or cancelled', async () => {
    const held = await fixture.shortDay()
    const open = await fixture.runs('?state=open')
    expect(open.results).toEqual([held])
    expect(open).toMatchObject({ count: 1, total_pages: 1 })
    expect((await fixture.runs()).count).toBeGreaterThan(1)
    expect((await fixture.get('runs/?state=nonsense')).statusCode).toBe(400)
    expect((await fixture.get('runs/?state=open&page=2')).statusCode).toBe(404)
    await fixture.decide(held.id, 'cancel')
    expect((await fixture.runs('?state=open')).results.map(({ id }) => id)).not.toContain(held.id)
  })

  it('under way tells how far it is, and how fast', async () => {
    const { money, db } = fixture
    await money.invest(fixture.memberId, '600000')
    money.now = new Date('2026-05-04T15:00:00Z')
    const midnight = { day: '2026-05-04', matched: '2026-05-03' } as Parameters<typeof openMidnight>[1]
    const [passive = 0n] = await openMidnight(db, midnight, 'America/Bogota')
    const progress = async () => (await fixture.get(`runs/${passive}/`)).json().progress
    expect((await fixture.get(`runs/${passive}/`)).json()).toMatchObject({
      state: 'computing',
      input_hash: '',
    })
    expect(await progress()).toEqual({ done: 0, total: 0, per_second: 0 })
    const stand = (through: number, members: number) =>
      sql`UPDATE payout_run SET computed_through = ${through}, member_count = ${members},
        stage_since = clock_timestamp() - interval '4.5 seconds' WHERE id = ${passive}`.execute(db)
    await stand(2, 5000)
    expect(await progress()).toMatchObject({ done: 2048, total: 5000 })
    // 2,048 in four and a half seconds, and the time the answer took.
    expect((await progress()).per_second).toBeGreaterThan(100)
    expect((await progress()).per_second).toBeLessThan(456)
    await stand(5, 5000)
    expect(await progress()).toMatchObject({ done: 5000, total: 5000 })
    await stand(0, 0)
  })

  it('is for operators alone, and found by its number', async () => {
    const { id } = await fixture.shortDay()
    for (const path of ['runs/', `runs/${id}/`])
      expect((await fixture.get(path, fixture.member)).statusCode).toBe(403)
    for (const none of ['0', '-1', '1e9', 'text', '999999', '9'.repeat(18), '9'.repeat(40), '%00']) {
      const answer = await fixture.get(`runs/${none}/`)
      expect([answer.statusCode, answer.json()], none).toEqual([404, 'There is no such payout run.'])
    }
  })
})
