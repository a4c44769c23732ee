import { type DB, inTransaction } from '@aval/db'
import { type Day, DEFAULT_PLAN, type PlanDocument } from '@aval/plan'
import type { Selectable } from 'kysely'
import { describe, expect, it } from 'vitest'
import { countOf, query } from '../../../core/query.sql.ts'
import { guardedBalance } from '../../../ledger/ledger.queries.ts'
import { storePlan } from '../../../testing/deciding.ts'
import { createMoneyFixture, usdt } from '../../../testing/money-fixture.ts'
import { soundTestFixture } from '../../../testing/suite.ts'
import { setExtraPercent } from '../../genealogy/genealogy.commands.ts'
import { declareRate } from '../rates/rates.commands.ts'
import { cancelRun, proposeProrate, proposeRelease } from './decisions.commands.ts'

// 10:00 in Bogotá, a Sunday.
const money = soundTestFixture(createMoneyFixture, '2026-05-03T15:00:00Z')

const runs = (kind: string) =>
  query<Selectable<DB['payout_run']>>(money.db)`SELECT * FROM payout_run WHERE kind = ${kind} ORDER BY id`
const passive = () => runs('passive')
const postings = () => countOf(money.db)`posting WHERE kind IN ('passive', 'direct', 'binary')`
/** What an operator decides about a run. */
const decision = (runId: bigint | undefined) => ({
  runId: runId ?? 0n,
  operatorId: money.server.rootId,
  note: 'looked at it',
  now: money.now,
})
const cancel = (runId: bigint | undefined) => money.within((tx) => cancelRun(tx, decision(runId)))
const prorate = (runId: bigint | undefined) => money.decided(proposeProrate, decision(runId))
/** An operator lets the held runs of a kind go on. */
async function releaseHeld(kind: string): Promise<void> {
  for (const { id, state } of await runs(kind))
    if (state === 'held') await money.decided(proposeRelease, decision(id))
  await money.resume()
}
const declare = (day: string, percentage: string) =>
  money.within((tx) =>
    declareRate(tx, {
      ...{ day: day as Day, percentage, reason: 'A slow day.' },
      ...{ operatorId: money.server.rootId, now: money.now },
    }),
  )
/** A plan that holds from before the first day on. */
const plan = (change: Partial<PlanDocument>) =>
  storePlan(money.owner, 2, new Date('2026-05-03T00:00:00Z'), { ...DEFAULT_PLAN, ...change })

/** Three members whose day comes to 7.333366, of which the pool lacks a micro-USDT. */
async function heldShort(): Promise<bigint[]> {
  const members = [await money.investor('1000'), await money.investor('700'), await money.investor('500.01')]
  await money.fund('profit', '7.333365')
  await money.payDay()
  return members
}

describe('a pool that is short by one micro-USDT', () => {
  it('posts nothing, says what is missing, and releases the same sealed run once funded', async () => {
    const members = await heldShort()
    const [held] = await passive()
    expect(held).toMatchObject({ state: 'held', missing: 1n, posted_count: 0, objections: [] })
    expect(await postings()).toBe(0)
    const headers = await money.bearer(members[0] ?? 0n)
    const list = await money.server.call({ url: '/api/payments/pasive-payments/', headers })
    expect(list.json().results).toMatchObject([{ amount: '3.333333', state: 'awaiting_funding' }])
    await money.fund('profit', '0.000001')
    await money.resume()
    const [done] = await passive()
    expect(done).toMatchObject({ id: held?.id, state: 'done', items_hash: held?.items_hash, missing: 0n })
    expect(await Promise.all(members.map(money.balanceOf))).toEqual([3_333_333n, 2_333_333n, 1_666_700n])
    expect(await guardedBalance(money.db, 'pool:profit')).toBe(0n)
  })

  it('can be released pro rata: by largest remainder, to the last micro-USDT, and no more is owed', async () => {
    const members = await heldShort()
    const [held] = await passive()
    await prorate(held?.id)
    await money.resume()
    // Exact parts end in .545…, .681… and .772…: the last two get the two that truncation left over.
    expect(await Promise.all(members.map(money.balanceOf))).toEqual([3_333_332n, 2_333_333n, 1_666_700n])
    expect(await guardedBalance(money.db, 'pool:profit')).toBe(0n)
    expect((await passive())[0]).toMatchObject({ state: 'done', payable: 7_333_365n, prorated: true })
    await money.fund('profit', '100')
    await money.resume()
    expect(await money.balanceOf(members[0] ?? 0n)).toBe(3_333_332n)
  })
})

describe('commissions that a pool cannot cover', () => {
  it('are shared among their payees when released pro rata', async () => {
    const top = await money.member()
    const middle = await money.member(top)
    const investor = await money.member(middle)
    for (const member of [top, middle]) await money.invest(member, '500')
    await money.fund('commission', '25')
    await money.resume()
    await money.invest(investor, '1000')
    const held = (await runs('direct')).find(({ state }) => state === 'held')
    expect(held?.item_sum).toBe(usdt('70'))
    await money.fund('commission', '10.000001')
    await prorate(held?.id)
    await money.resume()
    expect(await money.balanceOf(middle)).toBe(7_142_858n)
    expect(await money.balanceOf(top)).toBe(usdt('25') + 2_857_143n)
    expect(await guardedBalance(money.db, 'pool:commission')).toBe(0n)
  })
})

describe('a declared rate', () => {
  it('pays less on its day, and the plan’s own rate on the next', async () => {
    await money.fund('profit', '1000')
    await money.investor('1000')
    await declare('2026-05-04', '0.1')
    await money.payDay(2)
    expect((await passive()).map(({ item_sum, rate }) => [item_sum, rate])).toEqual([
      [1_000_000n, '1/1000'],
      [3_333_333n, '10/3000'],
    ])
  })

  it('of zero pays nobody, and the day is done', async () => {
    await money.fund('profit', '1000')
    const member = await money.investor('1000')
    await declare('2026-05-04', '0')
    await money.payDay()
    expect((await passive())[0]).toMatchObject({ state: 'done', item_count: 0, item_sum: 0n })
    expect(await money.balanceOf(member)).toBe(0n)
  })
})

describe('the checks hold a run before anything is posted', () => {
  it('by what was released alone: a run that is held is no measure for the next, of any kind', async () => {
    await plan({
      guards: { changePercent: '50', changeFrom: '1', memberMost: '100000', runMost: '100000000' },
    })
    await money.fund('profit', '100000')
    await money.fund('commission', '100000')
    const heldOf = async (kind: string) =>
      (await runs(kind)).filter(({ state, item_sum }) => state === 'held' && item_sum > 0n).length
    // Its legs match, and it is paid for whom it introduced.
    const top = await money.investor('100000')
    const [left, right] = [await money.investor('500', top), await money.investor('500', top)]
    await money.payDay()
    const grow = async () => {
      for (const leg of [left, right]) await money.invest(leg, '3000')
      await money.payDay()
    }
    await inTransaction(money.owner, (tx) =>
      setExtraPercent(tx, { sponsorId: top, percent: '15', by: 'root' }, money.now),
    )
    await money.invest(top, '200000')
    await grow()
    const held = [await heldOf('passive'), await heldOf('direct'), await heldOf('binary')]
    expect(held.every((count) => count > 0)).toBe(true)
    await grow()
    const more = [await heldOf('passive'), await heldOf('direct'), await heldOf('binary')]
    expect(more.map((count, kind) => count > (held[kind] ?? 0))).toEqual([true, true, true])
  })

  it('at a rate in the wrong unit, 10 instead of 0.10, however it came in', async () => {
    await money.fund('profit', '1000')
    const member = await money.investor('1000')
    await query(money.owner)`
      INSERT INTO declared_rate (day, percentage, declared_by, declared_at) VALUES ('2026-05-04', '10', 1, now())`
    await money.payDay()
    const [run] = await passive()
    expect(run).toMatchObject({
      state: 'held',
      objections: [{ check: 'rate_above_plan', rate: '10' }],
      item_sum: usdt('100'),
    })
    expect(await postings()).toBe(0)
    await declare('2026-05-04', '0.10')
    await cancel(run?.id)
    await money.resume()
    expect((await passive()).map(({ state, item_sum }) => [state, item_sum])).toEqual([
      ['cancelled', usdt('100')],
      ['done', usdt('1')],
    ])
    expect(await money.balanceOf(member)).toBe(usdt('1'))
  })

  it('when it is 50 % off the one before; an operator’s word lets it go on', async () => {
    await plan({
      guards: { changePercent: '50', changeFrom: '5', memberMost: '100000', runMost: '100000000' },
    })
    await money.fund('profit', '1000')
    await money.investor('1000')
    await money.payDay()
    const late = await money.investor('600')
    await money.payDay()
    const second = (await passive())[1]
    expect(second).toMatchObject({
      state: 'held',
      missing: 0n,
      objections: [{ check: 'change_too_large', now: '5333333', before: '3333333' }],
    })
    expect(await money.balanceOf(late)).toBe(0n)
    await money.resume()
    expect((await passive())[1]?.state).toBe('held')
    await money.decided(proposeRelease, decision(second?.id))
    await money.resume()
    expect((await passive())[1]).toMatchObject({ state: 'done', overruled_by: money.server.rootId })
    expect(await money.balanceOf(late)).toBe(usdt('2'))
  })

  /** Compares from 5 USD on. */
  const comparing = { changePercent: '50', changeFrom: '5', memberMost: '100000', runMost: '100000000' }

  it('when a match falls to nothing, once; and when it comes back at once', async () => {
    await plan({ guards: comparing })
    await money.fund('profit', '1000')
    await money.fund('commission', '1000')
    const top = await money.investor('500')
    const [left, right] = [await money.member(top), await money.member(top)]
    const matchOf = async (amount: string) => {
      for (const member of [left, right]) await money.invest(member, amount)
      await money.payDay()
    }
    await matchOf('500')
    await money.payDay()
    await releaseHeld('binary')
    await money.payDay()
    await matchOf('100')
    expect(
      (await runs('binary')).map(({ state, item_sum, objections }) => [state, item_sum, objections]),
    ).toEqual([
      ['done', usdt('50'), []],
      ['done', 0n, [{ check: 'change_too_large', now: '0', before: '50000000' }]],
      ['done', 0n, []],
      ['held', usdt('10'), [{ check: 'change_too_large', now: '10000000', before: '0' }]],
    ])
  })

  it('when profit falls to nothing, past a day whose rate is zero', async () => {
    await plan({ guards: comparing })
    await money.fund('profit', '1000')
    const member = await money.investor('2000')
    await money.payDay()
    await declare('2026-05-05', '0')
    await money.payDay()
    await money.reverseLatest(member)
    await money.payDay()
    expect((await passive()).map(({ state, objections }) => [state, objections])).toEqual([
      ['done', []],
      ['done', []],
      ['held', [{ check: 'change_too_large', now: '0', before: '6666666' }]],
    ])
    expect(await money.balanceOf(member)).toBe(usdt('2000'))
  })

  it('when commissions are another part of what was invested; small ones are not compared', async () => {
    await plan({ guards: comparing })
    await money.fund('commission', '1000')
    const top = await money.investor('500')
    const middle = await money.member(top)
    const below = await money.member(middle)
    await money.invest(middle, '500')
    await releaseHeld('direct')
    await money.invest(middle, '500')
    // The sponsor has no investment: the next one up gets 2 %.
    await money.invest(await money.member(await money.member(top)), '500')
    await releaseHeld('direct')
    await money.invest(middle, '80')
    await money.invest(below, '500')
    const direct = await runs('direct')
    expect(direct.map(({ state, item_sum, objections }) => [state, item_sum, objections])).toEqual([
      ['done', 0n, []],
      ['done', usdt('25'), [{ check: 'direct_rate_changed', now: '5', before: '0' }]],
      ['done', usdt('25'), []],
      ['done', usdt('10'), [{ check: 'direct_rate_changed', now: '2', before: '5' }]],
      ['done', usdt('4'), []],
      // The 80 are too little to compare 500 with: of 580 before, 14 were paid.
      ['held', usdt('35'), [{ check: 'direct_rate_changed', now: '7', before: '2.41' }]],
    ])
  })

  it('when a member would get more than the cap, or the run pays more than a run may', async () => {
    await plan({
      binary: { percent: '1', dailyCap: '10' },
      guards: { changePercent: '50', changeFrom: '1000', memberMost: '30', runMost: '40' },
    })
    await money.fund('profit', '1000')
    for (const amount of ['9000.01', '3000']) await money.investor(amount)
    await money.payDay()
    expect((await passive())[0]).toMatchObject({
      state: 'held',
      objections: [
        { check: 'member_above_cap', largest: '30000033', limit: '30000000' },
        { check: 'run_above_cap', limit: '40000000' },
      ],
    })
    expect(await postings()).toBe(0)
  })
})

describe('cancelling', () => {
  it('is refused once a run was released, and for a match that a later day stands on', async () => {
    await money.investor('1000')
    await money.payDay(2)
    const [first, second] = await runs('binary')
    await expect(cancel(first?.id)).rejects.toThrow('run_past_cancelling')
    await expect(cancel(second?.id)).rejects.toThrow('run_past_cancelling')
    await expect(cancel(999n)).rejects.toThrow('run_not_found')
  })

  it('of commissions computes them anew, as things stand then', async () => {
    const sponsor = await money.member()
    await money.investor('1000', sponsor)
    await money.invest(sponsor, '500')
    // The sponsor was inactive: nobody is paid, and the run is done. The second one waits for money.
    await money.investor('1000', sponsor)
    const held = (await runs('direct')).find(({ state }) => state === 'held')
    await cancel(held?.id)
    await money.fund('commission', '50')
    await money.resume()
    await money.payAllDirect()
    expect(await money.balanceOf(sponsor)).toBe(usdt('50'))
    expect((await runs('direct')).map(({ state }) => state)).toEqual(['done', 'done', 'cancelled', 'done'])
  })
})

describe('two who decide at once', () => {
  it('release and cancel: one of them wins, and the period is paid once', async () => {
    const member = await money.investor('1000')
    await money.payDay()
    const [held] = await passive()
    await money.fund('profit', '1000')
    const results = await Promise.allSettled([cancel(held?.id), money.resume(), cancel(held?.id)])
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1)
    await money.resume()
    expect(await money.balanceOf(member)).toBe(3_333_333n)
    expect((await passive()).filter(({ state }) => state === 'done')).toHaveLength(1)
  })
})
