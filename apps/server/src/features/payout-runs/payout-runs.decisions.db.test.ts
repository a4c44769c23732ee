import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { usdt } from '../../testing/money-house.ts'
import { openRunDesk, type RunDesk } from './testing/runs-fixture.ts'

let desk: RunDesk
beforeEach(async () => {
  desk = await openRunDesk(inject('ownerUrl'))
})
afterEach(async () => {
  expect(await desk.house.faults()).toEqual([])
  await desk.house.close()
})

const DECISIONS = ['release', 'prorate', 'cancel']
const statuses = (answers: readonly { statusCode: number }[]) =>
  answers.map(({ statusCode }) => statusCode).sort()

describe('a held run', () => {
  it('goes on once an operator releases it, under that name', async () => {
    const run = await desk.doubledDay()
    const answer = await desk.decide(run.id, 'release', desk.operator, { note: 'A large deposit, seen.' })
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'The run goes on.' }])
    expect(await desk.runOf('passive', '2026-05-05')).toMatchObject({ released_by: 'olga', reasons: [] })
    await desk.resume()
    expect(await desk.runOf('passive', '2026-05-05')).toMatchObject({ state: 'done', released_by: 'olga' })
    expect(await desk.balance()).toBe(usdt('6000'))
    expect((await desk.decide(run.id, 'release')).json()).toBe(
      'This run does not wait for this decision any more.',
    )
  })

  it('that was released and lacks money still says so', async () => {
    await desk.house.fund('profit', '2000')
    await desk.dayOf('600000')
    await desk.dayOf('600000')
    const run = await desk.runOf('passive', '2026-05-05')
    expect(run.reasons.map(({ check }) => check)).toEqual(['change_too_large', 'pool_short'])
    expect((await desk.decide(run.id, 'release')).statusCode).toBe(200)
    await desk.resume()
    expect(await desk.runOf('passive', '2026-05-05')).toMatchObject({
      state: 'held',
      missing: '4000.00',
      reasons: [{ check: 'pool_short', sentence: 'The pool lacks 4,000.00 USD.' }],
    })
  })

  it('is released by one of two operators who decide at once', async () => {
    const { id } = await desk.doubledDay()
    const answers = [desk.decide(id, 'release'), desk.decide(id, 'release', desk.second)]
    expect(statuses(await Promise.all(answers))).toEqual([200, 409])
    await desk.resume()
    expect(await desk.balance()).toBe(usdt('6000'))
  })

  it('is cancelled by one of two who decide at once, and computed anew once', async () => {
    const run = await desk.doubledDay()
    const answers = [desk.decide(run.id, 'cancel'), desk.decide(run.id, 'cancel', desk.second)]
    expect(statuses(await Promise.all(answers))).toEqual([200, 409])
    await desk.resume()
    const { results } = await desk.runs('?page_size=100')
    const [anew, cancelled, ...more] = results.filter(
      ({ kind, period }) => kind === 'passive' && period === '2026-05-05',
    )
    expect(cancelled).toMatchObject({ id: run.id, state: 'cancelled', released_by: null, reasons: [] })
    expect(anew).toMatchObject({ state: 'held', input_hash: run.input_hash })
    expect(more).toEqual([])
    for (const decision of DECISIONS) expect((await desk.decide(run.id, decision)).statusCode).toBe(409)
  })

  it('is released or cancelled, whoever comes first, and paid at most once', async () => {
    const { id } = await desk.doubledDay()
    const [released, cancelled] = await Promise.all([
      desk.decide(id, 'release'),
      desk.decide(id, 'cancel', desk.second),
    ])
    expect(cancelled.statusCode).toBe(200)
    expect([200, 409]).toContain(released.statusCode)
    await desk.resume()
    expect(await desk.runOf('passive', '2026-05-05')).toMatchObject({ state: 'held' })
    expect(await desk.balance()).toBe(usdt('2000'))
  })

  it('is paid pro rata with what the pool has', async () => {
    const { id } = await desk.shortDay()
    expect((await desk.decide(id, 'release')).statusCode).toBe(409)
    const answer = await desk.decide(id, 'prorate', { ...desk.operator, 'accept-language': 'es' })
    expect(answer.json()).toEqual({ message: 'La corrida se paga a prorrata: 1,000.00 USD.' })
    await desk.resume()
    expect(await desk.runOf('passive', '2026-05-04')).toMatchObject({
      state: 'done',
      total: '2000.00',
      payable: '1000.00',
      released_by: 'olga',
    })
    expect(await desk.balance()).toBe(usdt('1000'))
    expect((await desk.decide(id, 'prorate')).statusCode).toBe(409)
  })

  it('is paid pro rata once, whoever of two comes first', async () => {
    const { id } = await desk.shortDay()
    const answers = [desk.decide(id, 'prorate'), desk.decide(id, 'prorate', desk.second)]
    expect(statuses(await Promise.all(answers))).toEqual([200, 409])
    await desk.resume()
    expect(await desk.balance()).toBe(usdt('1000'))
  })

  it('is not paid pro rata out of an empty pool, nor where the pool covers it', async () => {
    await desk.dayOf('600000')
    const { id } = await desk.runOf('passive', '2026-05-04')
    const empty = await desk.decide(id, 'prorate')
    expect([empty.statusCode, empty.json()]).toEqual([422, 'The pool is empty.'])
    await desk.house.fund('profit', '2000')
    const covered = await desk.decide(id, 'prorate')
    expect([covered.statusCode, covered.json()]).toEqual([
      409,
      'The pool covers this run: there is nothing to pay pro rata.',
    ])
  })
})

describe('a decision', () => {
  it('about a run that is done, or about none, changes nothing', async () => {
    await desk.house.fund('profit', '100000')
    await desk.dayOf('600000')
    const { id } = await desk.runOf('passive', '2026-05-04')
    expect((await desk.decide(id, 'cancel')).json()).toMatch(/^This run cannot be cancelled any more/)
    for (const decision of DECISIONS) {
      expect((await desk.decide(id, decision)).statusCode).toBe(409)
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
        const answer = await desk.decide(encodeURIComponent(none), decision)
        expect([answer.statusCode, answer.json()], `${none}`).toEqual([404, 'There is no such payout run.'])
      }
    }
  })

  it('is for operators alone', async () => {
    const { id } = await desk.doubledDay()
    for (const decision of DECISIONS)
      expect((await desk.decide(id, decision, desk.member)).statusCode).toBe(403)
    expect(await desk.runOf('passive', '2026-05-05')).toMatchObject({
      state: 'held',
      reasons: [expect.anything()],
    })
  })

  it('sent again under its key is answered as before', async () => {
    const { id } = await desk.shortDay()
    const keyed = { ...desk.operator, 'idempotency-key': 'prorate-1' }
    const one = await desk.decide(id, 'prorate', keyed)
    const again = await desk.decide(id, 'prorate', keyed)
    expect([again.statusCode, again.json()]).toEqual([200, one.json()])
    expect((await desk.decide(id, 'cancel', keyed)).statusCode).toBe(409)
    expect(await desk.runOf('passive', '2026-05-04')).toMatchObject({ state: 'released', payable: '1000.00' })
  })

  it('takes a note of at most 200 characters', async () => {
    const { id } = await desk.shortDay()
    for (const note of ['x'.repeat(201), 5, null, '\u0000'])
      expect((await desk.decide(id, 'prorate', desk.operator, { note })).statusCode).toBe(400)
    const noted = await desk.decide(id, 'prorate', desk.operator, { note: 'x'.repeat(200) })
    expect(noted.statusCode).toBe(200)
  })
})
