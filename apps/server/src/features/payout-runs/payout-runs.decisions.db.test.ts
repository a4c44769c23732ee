import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { usdt } from '../../testing/money-fixture.ts'
import { createRunsFixture, type RunsFixture } from './testing/runs-fixture.ts'

let fixture: RunsFixture
beforeEach(async () => {
  fixture = await createRunsFixture(inject('ownerUrl'))
})
afterEach(async () => {
  expect(await fixture.money.faults()).toEqual([])
  await fixture.money.close()
})

const DECISIONS = ['release', 'prorate', 'cancel']
const statuses = (answers: readonly { statusCode: number }[]) =>
  answers.map(({ statusCode }) => statusCode).sort()

describe('a held run', () => {
  it('goes on once an operator releases it, under that name', async () => {
    const run = await fixture.doubledDay()
    const answer = await fixture.decide(run.id, 'release', fixture.operator, {
      note: 'A large deposit, seen.',
    })
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'The run goes on.' }])
    expect(await fixture.runOf('passive', '2026-05-05')).toMatchObject({ released_by: 'olga', reasons: [] })
    await fixture.resume()
    expect(await fixture.runOf('passive', '2026-05-05')).toMatchObject({ state: 'done', released_by: 'olga' })
    expect(await fixture.balance()).toBe(usdt('6000'))
    expect((await fixture.decide(run.id, 'release')).json()).toBe(
      'This run does not wait for this decision any more.',
    )
  })

  it('that was released and lacks money still says so', async () => {
    await fixture.money.fund('profit', '2000')
    await fixture.dayOf('600000')
    await fixture.dayOf('600000')
    const run = await fixture.runOf('passive', '2026-05-05')
    expect(run.reasons.map(({ check }) => check)).toEqual(['change_too_large', 'pool_short'])
    expect((await fixture.decide(run.id, 'release')).statusCode).toBe(200)
    await fixture.resume()
    expect(await fixture.runOf('passive', '2026-05-05')).toMatchObject({
      state: 'held',
      missing: '4000.00',
      reasons: [{ check: 'pool_short', sentence: 'The pool lacks 4,000.00 USD.' }],
    })
  })

  it('is released by one of two operators who decide at once', async () => {
    const { id } = await fixture.doubledDay()
    const answers = [fixture.decide(id, 'release'), fixture.decide(id, 'release', fixture.second)]
    expect(statuses(await Promise.all(answers))).toEqual([200, 409])
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
    for (const decision of DECISIONS) expect((await fixture.decide(run.id, decision)).statusCode).toBe(409)
  })

  it('is released or cancelled, whoever comes first, and paid at most once', async () => {
    const { id } = await fixture.doubledDay()
    const [released, cancelled] = await Promise.all([
      fixture.decide(id, 'release'),
      fixture.decide(id, 'cancel', fixture.second),
    ])
    expect(cancelled.statusCode).toBe(200)
    expect([200, 409]).toContain(released.statusCode)
    await fixture.resume()
    expect(await fixture.runOf('passive', '2026-05-05')).toMatchObject({ state: 'held' })
    expect(await fixture.balance()).toBe(usdt('2000'))
  })

  it('is paid pro rata with what the pool has', async () => {
    const { id } = await fixture.shortDay()
    expect((await fixture.decide(id, 'release')).statusCode).toBe(409)
    const answer = await fixture.decide(id, 'prorate', { ...fixture.operator, 'accept-language': 'es' })
    expect(answer.json()).toEqual({ message: 'La corrida se paga a prorrata: 1,000.00 USD.' })
    await fixture.resume()
    expect(await fixture.runOf('passive', '2026-05-04')).toMatchObject({
      state: 'done',
      total: '2000.00',
      payable: '1000.00',
      released_by: 'olga',
    })
    expect(await fixture.balance()).toBe(usdt('1000'))
    expect((await fixture.decide(id, 'prorate')).statusCode).toBe(409)
  })

  it('is paid pro rata once, whoever of two comes first', async () => {
    const { id } = await fixture.shortDay()
    const answers = [fixture.decide(id, 'prorate'), fixture.decide(id, 'prorate', fixture.second)]
    expect(statuses(await Promise.all(answers))).toEqual([200, 409])
    await fixture.resume()
    expect(await fixture.balance()).toBe(usdt('1000'))
  })

  it('is not paid pro rata out of an empty pool, nor where the pool covers it', async () => {
    await fixture.dayOf('600000')
    const { id } = await fixture.runOf('passive', '2026-05-04')
    const empty = await fixture.decide(id, 'prorate')
    expect([empty.statusCode, empty.json()]).toEqual([422, 'The pool is empty.'])
    await fixture.money.fund('profit', '2000')
    const covered = await fixture.decide(id, 'prorate')
    expect([covered.statusCode, covered.json()]).toEqual([
      409,
      'The pool covers this run: there is nothing to pay pro rata.',
    ])
  })
})

describe('a decision', () => {
  it('about a run that is done, or about none, changes nothing', async () => {
    await fixture.money.fund('profit', '100000')
    await fixture.dayOf('600000')
    const { id } = await fixture.runOf('passive', '2026-05-04')
    expect((await fixture.decide(id, 'cancel')).json()).toMatch(/^This run cannot be cancelled any more/)
    for (const decision of DECISIONS) {
      expect((await fixture.decide(id, decision)).statusCode).toBe(409)
      for (const none of [
        0,
        -1,
        '1e9',
        '1.0',
        'text',
        999_999,
        '9'.repeat(18),
        '9'.repeat(40),
        '\u0000',
        ' 1',
      ]) {
        const answer = await fixture.decide(encodeURIComponent(none), decision)
        expect([answer.statusCode, answer.json()], `${none}`).toEqual([404, 'There is no such payout run.'])
      }
    }
  })

  it('is for operators alone', async () => {
    const { id } = await fixture.doubledDay()
    for (const decision of DECISIONS)
      expect((await fixture.decide(id, decision, fixture.member)).statusCode).toBe(403)
    expect(await fixture.runOf('passive', '2026-05-05')).toMatchObject({
      state: 'held',
      reasons: [expect.anything()],
    })
  })

  it('sent again under its key is answered as before', async () => {
    const { id } = await fixture.shortDay()
    const keyed = { ...fixture.operator, 'idempotency-key': 'prorate-1' }
    const one = await fixture.decide(id, 'prorate', keyed)
    const again = await fixture.decide(id, 'prorate', keyed)
    expect([again.statusCode, again.json()]).toEqual([200, one.json()])
    expect((await fixture.decide(id, 'cancel', keyed)).statusCode).toBe(409)
    expect(await fixture.runOf('passive', '2026-05-04')).toMatchObject({
      state: 'released',
      payable: '1000.00',
    })
  })

  it('takes a note of at most 200 characters', async () => {
    const { id } = await fixture.shortDay()
    for (const note of ['x'.repeat(201), 5, null, '\u0000'])
      expect((await fixture.decide(id, 'prorate', fixture.operator, { note })).statusCode).toBe(400)
    const noted = await fixture.decide(id, 'prorate', fixture.operator, { note: 'x'.repeat(200) })
    expect(noted.statusCode).toBe(200)
  })
})
