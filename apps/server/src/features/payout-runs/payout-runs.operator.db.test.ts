import { describe, expect, it } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { usdt } from '../../testing/money-fixture.ts'
import { soundTestFixture } from '../../testing/suite.ts'
import { midnightsDue, openMidnight } from './runs/runs.commands.ts'
import { createRunsFixture } from './testing/runs-fixture.ts'

const fixture = soundTestFixture(createRunsFixture)

const NO_RUNS = ['0', '-1', '1e9', '1.0', 'text', '999999', '9'.repeat(18), '9'.repeat(40), '\u0000', ' 1']
const DECISIONS = ['release', 'prorate', 'cancel']
const statuses = (answers: readonly { statusCode: number }[]) =>
  answers.map(({ statusCode }) => statusCode).sort()

describe('a payout run, as an operator sees it,', () => {
  it('shows what it paid, under which plan, at which rate, and on which data', async () => {
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
    const { money } = fixture
    await money.invest(fixture.memberId, '1000')
    // The first member of all is above, and has nothing invested.
    expect((await fixture.runs()).results[0]).toMatchObject({
      kind: 'direct',
      investor: 'ana',
      rate: null,
      not_paid: '50.00',
    })
    for (const id of [await money.member(), await money.member()]) await money.investOnly(id, '1000')
    await money.payAllDirect()
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
        sentence: 'It comes to $4,000.00; the run before came to $2,000.00.',
      },
    ])
    const spanish = await fixture.get(`runs/${run.id}/`, undefined, { 'accept-language': 'es' })
    expect(spanish.json().reasons).toEqual([
      { check: 'change_too_large', sentence: 'Suma $4.000,00; la ejecución anterior sumó $2.000,00.' },
    ])
  })

  it('that lacks money says how much, until it has it', async () => {
    const run = await fixture.shortDay()
    expect(run).toMatchObject({ state: 'held', missing: '1000.00', total: '2000.00' })
    expect(run.reasons).toEqual([{ check: 'pool_short', sentence: 'The pool lacks $1,000.00.' }])
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
    expect(await fixture.get('runs/?state=nonsense')).toAnswer(400)
    expect(await fixture.get('runs/?state=open&page=2')).toAnswer(404)
    await fixture.decide(held.id, 'cancel')
    expect((await fixture.runs('?state=open')).results.map(({ id }) => id)).not.toContain(held.id)
  })

  it('under way shows how far it is, and how fast', async () => {
    const { money, db } = fixture
    await money.invest(fixture.memberId, '600000')
    money.now = new Date('2026-05-04T15:00:00Z')
    const [midnight] = await midnightsDue(db, money.now)
    if (midnight === undefined) throw new Error('no midnight is due')
    const [passive = 0n] = await openMidnight(db, midnight)
    const progress = async () => (await fixture.get(`runs/${passive}/`)).json().progress
    expect((await fixture.get(`runs/${passive}/`)).json()).toMatchObject({
      state: 'computing',
      input_hash: '',
    })
    expect(await progress()).toEqual({ done: 0, total: 0, per_second: 0 })
    const stand = (through: number, members: number) =>
      query(db)`UPDATE payout_run SET computed_through = ${through}, member_count = ${members},
        stage_since = clock_timestamp() - interval '4.5 seconds' WHERE id = ${passive}`
    await stand(2, 5000)
    expect(await progress()).toMatchObject({ done: 2048, total: 5000 })
    // 2,048 in four and a half seconds, and the time the answer took.
    expect((await progress()).per_second).toBeGreaterThan(100)
    expect((await progress()).per_second).toBeLessThan(456)
    await stand(5, 5000)
    expect(await progress()).toMatchObject({ done: 5000, total: 5000 })
    await stand(0, 0)
  })

  it('is found by its number', async () => {
    for (const none of NO_RUNS) {
      const answer = await fixture.get(`runs/${encodeURIComponent(none)}/`)
      expect(answer, none).toAnswer(404, 'There is no such payout run.')
    }
  })
})

describe('a held run', () => {
  it('goes on once its release was proposed and approved, under that name', async () => {
    const run = await fixture.doubledDay()
    expect(
      await fixture.decide(run.id, 'release', fixture.operator, {
        note: 'A large deposit, seen.',
      }),
    ).toAnswer(200, {
      message: 'Proposed. The run goes on once operators approve it on the approvals page.',
    })
    await fixture.resume()
    expect(await fixture.runOf('passive', '2026-05-05')).toMatchObject({
      state: 'held',
      released_by: null,
      reasons: run.reasons,
      decision: { kind: 'run_release', proposed_by: 'olga', proposed_at: fixture.money.now.toISOString() },
    })
    await fixture.approve(run.id)
    expect(await fixture.runOf('passive', '2026-05-05')).toMatchObject({
      released_by: 'olga',
      reasons: [],
      decision: null,
    })
    await fixture.resume()
    expect(await fixture.runOf('passive', '2026-05-05')).toMatchObject({ state: 'done', released_by: 'olga' })
    expect(await fixture.balance()).toBe(usdt('6000'))
    // The second sees what the first did.
    expect(await fixture.decide(run.id, 'release', fixture.second)).toAnswer(
      409,
      expect.stringMatching(/^olga decided about this run on May 5, 2026, .*\. What you see now/),
    )
  })

  it('that was released and lacks money still says so', async () => {
    await fixture.money.fund('profit', '2000')
    await fixture.dayOf('600000')
    await fixture.dayOf('600000')
    const run = await fixture.runOf('passive', '2026-05-05')
    expect(run.reasons.map(({ check }) => check)).toEqual(['change_too_large', 'pool_short'])
    expect(await fixture.decide(run.id, 'release')).toAnswer(200)
    await fixture.approve(run.id)
    await fixture.resume()
    expect(await fixture.runOf('passive', '2026-05-05')).toMatchObject({
      state: 'held',
      missing: '4000.00',
      reasons: [{ check: 'pool_short', sentence: 'The pool lacks $4,000.00.' }],
    })
  })

  it('is proposed for release by one of two operators who decide at once', async () => {
    const { id } = await fixture.doubledDay()
    const answers = [fixture.decide(id, 'release'), fixture.decide(id, 'release', fixture.second)]
    expect(statuses(await Promise.all(answers))).toEqual([200, 409])
    expect(await fixture.decide(id, 'release')).toAnswer(
      409,
      expect.stringMatching(/^(olga|otto) proposed this on May 5, 2026, .*, and it waits for approval\.$/),
    )
    await fixture.approve(id)
    await fixture.resume()
    expect(await fixture.balance()).toBe(usdt('6000'))
  })

  it('is cancelled by one of two who decide at once, and computed anew once', async () => {
    const run = await fixture.doubledDay()
    const answers = [fixture.decide(run.id, 'cancel'), fixture.decide(run.id, 'cancel', fixture.second)]
    expect(statuses(await Promise.all(answers))).toEqual([200, 409])
    await fixture.resume()
    const { results } = await fixture.runs('?page_size=100')
    const [anew, cancelled, ...more] = results.filter(
      ({ kind, period }) => kind === 'passive' && period === '2026-05-05',
    )
    expect(cancelled).toMatchObject({ id: run.id, state: 'cancelled', released_by: null, reasons: [] })
    expect(anew).toMatchObject({ state: 'held', input_hash: run.input_hash })
    expect(more).toEqual([])
    for (const decision of DECISIONS) expect(await fixture.decide(run.id, decision)).toAnswer(409)
  })

  it('is released or cancelled, by the first of two, and paid at most once', async () => {
    const { id } = await fixture.doubledDay()
    const [released, cancelled] = await Promise.all([
      fixture.decide(id, 'release'),
      fixture.decide(id, 'cancel', fixture.second),
    ])
    expect(cancelled).toAnswer(200)
    expect([200, 409]).toContain(released.statusCode)
    if (released.statusCode === 200) await expect(fixture.approve(id)).rejects.toThrow('decision_closed')
    await fixture.resume()
    expect(await fixture.runOf('passive', '2026-05-05')).toMatchObject({ state: 'held' })
    expect(await fixture.balance()).toBe(usdt('2000'))
  })

  it('is paid pro rata with what the pool has', async () => {
    const { id } = await fixture.shortDay()
    expect(await fixture.decide(id, 'release')).toAnswer(409)
    const answer = await fixture.decide(id, 'prorate', undefined, {}, { 'accept-language': 'es' })
    expect(answer.json()).toEqual({
      message:
        'Propuesta enviada. La ejecución se paga a prorrata cuando los operadores la aprueben en la página de aprobaciones.',
    })
    await fixture.resume()
    expect(await fixture.balance()).toBe(0n)
    await fixture.approve(id)
    await fixture.resume()
    expect(await fixture.runOf('passive', '2026-05-04')).toMatchObject({
      state: 'done',
      total: '2000.00',
      payable: '1000.00',
      released_by: 'olga',
    })
    expect(await fixture.balance()).toBe(usdt('1000'))
    expect(await fixture.decide(id, 'prorate')).toAnswer(409)
  })

  it('is paid pro rata once, as the first of two operators proposed it', async () => {
    const { id } = await fixture.shortDay()
    const answers = [fixture.decide(id, 'prorate'), fixture.decide(id, 'prorate', fixture.second)]
    expect(statuses(await Promise.all(answers))).toEqual([200, 409])
    await fixture.approve(id)
    await fixture.resume()
    expect(await fixture.balance()).toBe(usdt('1000'))
  })

  it('is not paid pro rata out of an empty pool, nor where the pool covers it', async () => {
    await fixture.dayOf('600000')
    const { id } = await fixture.runOf('passive', '2026-05-04')
    const empty = await fixture.decide(id, 'prorate')
    expect(empty).toAnswer(422, 'The pool is empty.')
    await fixture.money.fund('profit', '2000')
    expect(await fixture.decide(id, 'prorate')).toAnswer(
      409,
      'The pool covers this run: there is nothing to pay pro rata.',
    )
  })
})

describe('a decision', () => {
  it('about a run that is done, or about none, changes nothing', async () => {
    await fixture.money.fund('profit', '100000')
    await fixture.dayOf('600000')
    const { id } = await fixture.runOf('passive', '2026-05-04')
    expect((await fixture.decide(id, 'cancel')).json()).toMatch(/^This run can no longer be cancelled/)
    for (const decision of DECISIONS) {
      expect(await fixture.decide(id, decision)).toAnswer(409)
      for (const none of NO_RUNS) {
        const answer = await fixture.decide(encodeURIComponent(none), decision)
        expect(answer, none).toAnswer(404, 'There is no such payout run.')
      }
    }
  })

  it('takes a note of at most 200 characters', async () => {
    const { id } = await fixture.shortDay()
    for (const note of ['x'.repeat(201), 5, null, '\u0000'])
      expect(await fixture.decide(id, 'prorate', fixture.operator, { note })).toAnswer(400)
    expect(await fixture.decide(id, 'prorate', fixture.operator, { note: 'x'.repeat(200) })).toAnswer(200)
  })
})
