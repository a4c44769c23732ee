import { paymentWhy, rateCost, runCalendar, runDigest, runItems } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import { query } from '../../../core/query.sql.ts'
import { exportedRows, rowByRow } from '../../../testing/exported.ts'
import { soundTestFixture } from '../../../testing/suite.ts'
import { runsAfter, type StoredRun } from '../payout-runs.queries.ts'
import { createRunsFixture } from '../testing/runs-fixture.ts'
import { type FoundItem, makeDigests, wholeItems } from './items.queries.ts'

const fixture = soundTestFixture(createRunsFixture)

const items = async (id: number, search = '') =>
  runItems.parse((await fixture.get(`runs/${id}/items/${search}`)).json())
const digest = async (id: number) => runDigest.parse((await fixture.get(`runs/${id}/digest/`)).json())
const amounts = (rows: readonly { username: string; amount: string }[]) =>
  rows.map(({ username, amount }) => [username, amount])

/** ana and two more invest; the passive run of the next day waits for fixture.money. */
async function threeDay() {
  await fixture.money.fund('commission', '100000')
  const [bea, carl] = [
    await fixture.money.joined('bea', fixture.memberId),
    await fixture.money.joined('carl', fixture.memberId),
  ]
  await fixture.money.invest(bea, '3000')
  await fixture.money.invest(carl, '600')
  await fixture.dayOf('1500')
  return { bea, carl, run: await fixture.runOf('passive', '2026-05-04') }
}

describe('the items of a held run', () => {
  it('are read before anything is paid: in order, the largest first, by member, with what each would get of what the pool has', async () => {
    await fixture.money.fund('profit', '8.5')
    const { run, bea } = await threeDay()
    expect(run.state).toBe('held')
    const { results, next } = await items(run.id)
    expect(amounts(results)).toEqual([
      ['ana', '5.00'],
      ['bea', '10.00'],
      ['carl', '2.00'],
    ])
    expect(next).toBeNull()
    expect(results[1]).toMatchObject({
      member_id: Number(bea),
      kind: 'passive',
      basis: '3000.00',
      percentage: '0.333333',
      // Ten of seventeen parts of 8.50.
      share: '5.00',
      before: null,
    })
    expect(amounts((await items(run.id, '?view=largest')).results)).toEqual([
      ['bea', '10.00'],
      ['ana', '5.00'],
      ['carl', '2.00'],
    ])
    for (const typed of ['carl', 'CAR', String(results[2]?.member_id)])
      expect(amounts((await items(run.id, `?member=${typed}`)).results), typed).toEqual([['carl', '2.00']])
    expect((await items(run.id, '?member=nobody')).results).toEqual([])
    expect(amounts((await items(run.id, `?after=${results[0]?.member_id}-0`)).results)).toEqual([
      ['bea', '10.00'],
      ['carl', '2.00'],
    ])
  })

  it('say why each is what it is, as its member reads it', async () => {
    const { run } = await threeDay()
    const [ana] = (await items(run.id, '?member=ana')).results
    const answer = await fixture.get(`members/${ana?.member_id}/payments/${ana?.payment}/why/`)
    expect(paymentWhy.parse(answer.json())).toMatchObject({ kind: 'passive', amount: '5.00' })
    expect(await fixture.get(`members/${fixture.memberId + 999n}/payments/${ana?.payment}/why/`)).toAnswer(
      404,
    )
  })

  it('of commissions come by level, with who invested', async () => {
    await threeDay()
    const { results } = await fixture.runs('?page_size=100')
    const run = results.find(({ kind, investor }) => kind === 'direct' && investor === 'bea')
    expect((await items(run?.id ?? 0)).results).toEqual([])
    // ana was not active when bea invested.
    const missed = (await items(run?.id ?? 0, '?view=missed')).results
    expect(missed).toMatchObject([
      { username: 'root', level: 2, reason: 'inactive', from_username: 'bea', payment: null },
      { username: 'ana', level: 1, reason: 'inactive', amount: '150.00' },
    ])
    expect((await digest(run?.id ?? 0)).missed).toEqual([{ reason: 'inactive', count: 2, amount: '210.00' }])
    const again = await fixture.money.joined('dan', fixture.memberId)
    await fixture.money.invest(again, '1000')
    const paid = (await fixture.runs('?page_size=100')).results.find(({ investor }) => investor === 'dan')
    expect((await items(paid?.id ?? 0)).results).toMatchObject([
      {
        username: 'ana',
        kind: 'direct',
        level: 1,
        amount: '50.00',
        basis: '1000.00',
        percentage: '5',
        from_username: 'dan',
      },
    ])
    expect((await digest(paid?.id ?? 0)).rules).toEqual([
      { kind: 'direct', level: 1, count: 1, amount: '50.00', basis: '1000.00' },
    ])
  })

  it('stand beside the run before of the same kind: who is new, who is paid more, and who no longer and why', async () => {
    await fixture.money.fund('profit', '100000')
    const { carl, bea } = await threeDay()
    await fixture.money.reverseLatest(carl)
    await fixture.money.invest(bea, '900')
    await fixture.money.invest(await fixture.money.joined('eva'), '6000')
    await fixture.money.payDay()
    const run = await fixture.runOf('passive', '2026-05-05')
    const compared = async () => {
      const views = ['changes', 'fresh', 'gone'].map(
        async (view) => (await items(run.id, `?view=${view}`)).results,
      )
      return { digest: await digest(run.id), views: await Promise.all(views) }
    }
    const atOnce = await compared()
    expect(atOnce.digest).toMatchObject({
      ready: true,
      before: { period: '2026-05-04', amount: '17.00', items: 3 },
      fresh: { count: 1, amount: '20.00' },
      gone: { count: 1, amount: '2.00' },
      gone_reasons: [{ reason: 'no_principal', count: 1, amount: '2.00' }],
      raised: 1,
      lowered: 0,
    })
    const [changes, fresh, gone] = atOnce.views
    expect(changes).toMatchObject([{ username: 'bea', amount: '13.00', before: '10.00' }])
    expect(fresh).toMatchObject([{ username: 'eva', amount: '20.00', before: null }])
    expect(gone).toMatchObject([{ username: 'carl', amount: '2.00', reason: 'no_principal', payment: null }])
    // What a job keeps of it says the same.
    await makeDigests(fixture.money.db)
    const kept = await query<{ run_id: bigint }>(
      fixture.money.db,
    )`SELECT run_id FROM payout_digest ORDER BY run_id`
    expect(kept.map(({ run_id }) => Number(run_id))).toContain(run.id)
    expect(await compared()).toEqual(atOnce)
  })

  it('are none while a run computes', async () => {
    const { run } = await threeDay()
    for (const none of ['0', '999999', 'x']) expect(await fixture.get(`runs/${none}/items/`)).toAnswer(404)
    expect(await fixture.get(`runs/${run.id}/items/?after=a`)).toAnswer(400)
  })
})

describe('a file', () => {
  const saved = (id: number, search = '') =>
    exportedRows<{ username: string; amount: string }>(
      fixture.operator,
      `operator/runs/${id}/items/export/${search}`,
    )

  it('has all items of a view, with what is shown of each', async () => {
    await fixture.money.fund('profit', '8.5')
    const { run } = await threeDay()
    for (const search of ['', '?view=largest', '?member=carl', '?view=fresh', '?view=missed']) {
      const shown = (await items(run.id, search)).results
      expect(await saved(run.id, search), search).toMatchObject(shown.map(({ payment: _, ...item }) => item))
    }
    const whole = await wholeItems(fixture.db, BigInt(run.id), { view: 'items', member: '' })
    expect((await rowByRow<FoundItem>(whole.read)).map(({ username }) => username)).toEqual([
      'ana',
      'bea',
      'carl',
    ])
    const none = await fixture.get('runs/999999/items/export/')
    expect(none).toAnswer(404)
  })

  it('has what a batch did not pay, row by row and to whom', async () => {
    await threeDay()
    const { results } = await fixture.runs('?page_size=100')
    const run = results.find(({ kind, investor }) => kind === 'direct' && investor === 'bea')
    const missed = (await items(run?.id ?? 0, '?view=missed')).results
    expect(amounts(await saved(run?.id ?? 0, '?view=missed'))).toEqual(amounts(missed))
    const whole = await wholeItems(fixture.db, BigInt(run?.id ?? 0), { view: 'missed', member: '' })
    expect(await rowByRow<FoundItem>(whole.read)).toHaveLength(missed.length)
    expect(await saved(run?.id ?? 0, '?view=missed&member=ana')).toHaveLength(1)
  })

  it('has the runs themselves, newest first, or those that are open alone', async () => {
    await threeDay()
    // The list is by the day that a run pays; a file that is read from one run on is by number.
    const all = (await fixture.runs('?page_size=100')).results.toSorted((one, other) => other.id - one.id)
    const rows = await exportedRows(fixture.operator, 'operator/runs/export/')
    expect(
      rows.map((row) => [row['id'], row['state'], row['total'], row['missing'], row['investor']]),
    ).toEqual(all.map((run) => [run.id, run.state, run.total, run.missing, run.investor]))
    const open = (await fixture.runs('?state=open')).results
    expect(
      (await exportedRows(fixture.operator, 'operator/runs/export/?state=open')).map((row) => row['id']),
    ).toEqual(open.map(({ id }) => id))
    const read = await rowByRow<StoredRun>((after, limit) => runsAfter(fixture.db, false, after, limit))
    expect(read.map(({ id }) => Number(id))).toEqual(all.map(({ id }) => id))
  })
})

describe('the calendar', () => {
  it('has the runs of each day, and says which should be there and are not', async () => {
    await fixture.money.fund('profit', '100000')
    await threeDay()
    const month = async (search = '') =>
      runCalendar.parse((await fixture.get(`runs/calendar/${search}`)).json())
    const { days, today } = await month()
    expect(today).toBe('2026-05-04')
    const on = (day: string, of = days) => of.find((each) => each.day === day)
    expect(days.length).toBe(31)
    expect(on('2026-05-03')).toMatchObject({
      passive: null,
      binary: { state: 'done' },
      direct: { count: 3, held: 0 },
      missing: [],
    })
    expect(on('2026-05-04')).toMatchObject({
      passive: { state: 'done', total: '17.00' },
      binary: null,
      missing: [],
    })
    // Nobody was there to pay for three days.
    fixture.money.nextDay(3)
    const later = (await month('?month=2026-05')).days
    expect(on('2026-05-05', later)?.missing).toEqual(['passive', 'binary'])
    expect(on('2026-05-06', later)?.missing).toEqual(['passive'])
    expect(on('2026-05-07', later)?.missing).toEqual([])
    expect((await month('?month=2026-06')).days.flatMap(({ missing }) => missing)).toEqual([])
    expect(await fixture.get('runs/calendar/?month=2026-13')).toAnswer(400)
  })
})

describe('the cost of a lower rate', () => {
  const cost = async (day: string, percentage: string) =>
    rateCost.parse((await fixture.get(`rates/cost/?day=${day}&percentage=${percentage}`)).json())

  it('is what members get less, by their principal, and what the day then pays', async () => {
    await fixture.money.fund('profit', '1')
    const { run } = await threeDay()
    const asked = await cost('2026-05-04', '0.25')
    expect(asked).toMatchObject({
      target: '0.333333',
      percentage: '0.25',
      run: { id: run.id, period: '2026-05-04', state: 'held' },
      members: 3,
      principal: '5100.00',
      at_plan: '17.00',
      at_declared: '12.75',
      less: '4.25',
      pool: '1.00',
    })
    expect(asked.classes).toMatchObject([
      { from: '0.000001', members: 1, principal: '600.00', less: '0.50' },
      { from: '1000.00', members: 2, principal: '4500.00', less: '3.75' },
    ])
    // And the run under that rate comes to it.
    await fixture.operator.decide('operator/rates/', {
      day: '2026-05-04',
      percentage: '0.25',
      reason: 'A slow day.',
    })
    await fixture.decide(run.id, 'cancel')
    await fixture.resume()
    expect(await fixture.runOf('passive', '2026-05-04')).toMatchObject({
      rate: '0.25',
      total: asked.at_declared,
    })
  })

  it('of a day to come is by the last run, and none before the first', async () => {
    expect(await cost('2026-05-20', '0.1')).toMatchObject({ run: null, at_plan: '0.00', classes: [] })
    await fixture.money.fund('profit', '100')
    await threeDay()
    expect(await cost('2026-05-20', '0.1')).toMatchObject({
      run: { period: '2026-05-04' },
      at_declared: '5.10',
    })
    for (const wrong of ['day=2026-05-20&percentage=x', 'day=x&percentage=0.1', 'day=2026-05-20'])
      expect(await fixture.get(`rates/cost/?${wrong}`), wrong).toAnswer(400)
  })
})
