import { describe, expect, it } from 'vitest'
import { queryOne } from '../../core/query.sql.ts'
import { guardedBalance } from '../../ledger/ledger.queries.ts'
import { audit, runDue } from '../../testing/audited.ts'
import { createMoneyFixture, usdt } from '../../testing/money-fixture.ts'
import { soundTestFixture } from '../../testing/suite.ts'
import { runDue as computeDue } from './advance.commands.ts'

// 10:00 in Bogotá.
const money = soundTestFixture(createMoneyFixture, '2026-05-03T15:00:00Z')

const runs = (kind: string) =>
  money.db.selectFrom('payout_run').selectAll().where('kind', '=', kind).orderBy('period').execute()

/** The database of a process that is killed when it begins its transaction after the given number of them. */
function crashing(transactions: number) {
  let begun = 0
  return new Proxy(money.db, {
    get(target, property) {
      if (property === 'transaction') {
        begun += 1
        if (begun > transactions) throw new Error('killed')
      }
      const value: unknown = Reflect.get(target, property, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

describe('a day’s passive run', () => {
  it('pays each member on the principal of the day’s first instant, under its own date', async () => {
    await money.fund('profit', '1000')
    const [early, idle] = [await money.member(), await money.member()]
    await money.invest(early, '1000')
    money.nextDay()
    const late = await money.member()
    await money.invest(late, '3000')
    await runDue(money.db, money.now)
    expect(await money.balanceOf(early)).toBe(3_333_333n)
    expect(await money.balanceOf(late)).toBe(0n)
    expect(await money.balanceOf(idle)).toBe(0n)
    const [run] = await runs('passive')
    expect(run).toMatchObject({ period: '2026-05-04', state: 'done', item_count: 1, item_sum: 3_333_333n })
    expect(run?.at).toEqual(new Date('2026-05-04T05:00:00Z'))
  })

  it('pays once, started by anybody, however often and at once', async () => {
    await money.fund('profit', '1000')
    const member = await money.investor('1000')
    money.nextDay()
    await Promise.all(Array.from({ length: 10 }, () => runDue(money.db, money.now)))
    await runDue(money.db, money.now)
    expect(await money.balanceOf(member)).toBe(3_333_333n)
    expect(await runs('passive')).toHaveLength(1)
  })

  it('catches up missed days one by one, each on its own principal', async () => {
    await money.fund('profit', '1000')
    const member = await money.investor('1000')
    money.nextDay()
    await money.invest(member, '500')
    await money.payDay(3)
    const paid = await runs('passive')
    expect(paid.map(({ period, item_sum }) => [period, item_sum])).toEqual([
      ['2026-05-04', 3_333_333n],
      ['2026-05-05', 5_000_000n],
      ['2026-05-06', 5_000_000n],
      ['2026-05-07', 5_000_000n],
    ])
    expect(await money.balanceOf(member)).toBe(18_333_333n)
  })

  it('counts what comes after its inputs are closed on the next day, never nowhere', async () => {
    await money.fund('profit', '1000')
    const member = await money.investor('1000')
    // The clock of the run is past midnight; a straggler still lives a second before it.
    const before = new Date('2026-05-04T04:59:59Z')
    money.now = new Date('2026-05-04T05:00:01Z')
    await runDue(money.db, money.now)
    money.now = before
    await money.invest(member, '600')
    money.now = new Date('2026-05-05T06:00:00Z')
    await runDue(money.db, money.now)
    expect((await runs('passive')).map(({ item_sum }) => item_sum)).toEqual([3_333_333n, 5_333_333n])
  })

  it('killed between any two steps goes on where it stopped', async () => {
    await money.fund('profit', '1000')
    const members = [await money.investor('900'), await money.investor('900'), await money.investor('900')]
    money.nextDay()
    // Each life lasts one transaction; the first that finds nothing left to do ends well.
    let deaths = 0
    const isDone = async () => {
      const ended = await computeDue(crashing(1), money.now).then(
        () => true,
        () => false,
      )
      // What was sealed meanwhile waits no more: the next life finds something to do.
      return (await audit(money.db)) === 0 && ended
    }
    while (deaths < 20 && !(await isDone())) deaths += 1
    expect(deaths).toBeGreaterThanOrEqual(3)
    expect(deaths).toBeLessThan(20)
    expect(await runs('passive')).toMatchObject([{ state: 'done', item_count: 3, posted_count: 3 }])
    for (const member of members) expect(await money.balanceOf(member)).toBe(3_000_000n)
  })
})

describe('direct payments', () => {
  it('go up the sponsor chain when an investment is credited, and name who invested', async () => {
    await money.fund('commission', '1000')
    const top = await money.member()
    const middle = await money.member(top)
    const investor = await money.member(middle)
    await money.invest(top, '500')
    await money.invest(middle, '500')
    await money.invest(investor, '1000')
    expect(await money.balanceOf(middle)).toBe(usdt('50'))
    // 5 % of the middle's 500, 2 % of the investor's 1,000.
    expect(await money.balanceOf(top)).toBe(usdt('45'))
    const list = await money.server.call({
      url: '/api/payments/direct-payments/?page_size=1',
      headers: { ...(await money.bearer(top)), 'accept-language': 'en' },
    })
    expect(list.json()).toMatchObject({
      count: 2,
      total_pages: 2,
      results: [{ level: 2, amount: '20.00', investment_amount: '1000.00', state: 'paid' }],
    })
    expect(list.json().results[0].why.sentence).toMatch(
      /^2% of \$1,000\.00 invested by \S+ on May 3, 2026, level 2, under plan version 1\.$/,
    )
    expect(list.json().results[0].why.arithmetic).toBe('1000.00 × 2 % = 20.00')
  })

  it('of an inactive sponsor stay in the pool, and are written down as breakage', async () => {
    await money.fund('commission', '1000')
    const sponsor = await money.member()
    await money.investor('1000', sponsor)
    expect(await money.balanceOf(sponsor)).toBe(0n)
    expect(await guardedBalance(money.db, 'pool:commission')).toBe(usdt('1000'))
    const missed = await money.db
      .selectFrom('payout_missed')
      .select(['level', 'amount', 'reason'])
      .where('member_id', '=', sponsor)
      .execute()
    expect(missed).toEqual([{ level: 1, amount: usdt('50'), reason: 'inactive' }])
  })

  it('are paid once an investment, by ten at once', async () => {
    await money.fund('commission', '1000')
    const sponsor = await money.investor('500')
    await money.investor('1000', sponsor)
    await Promise.all(Array.from({ length: 10 }, money.payAllDirect))
    expect(await money.balanceOf(sponsor)).toBe(usdt('50'))
  })

  it('come from reinvested balance too', async () => {
    await money.fund('commission', '1000')
    const sponsor = await money.investor('500')
    const investor = await money.member(sponsor)
    await money.receive(investor, '800')
    await money.reinvest(investor, '600')
    const again = money.reinvest(investor, '600')
    await again.catch((error: Error) => expect(error.message).toBe('balance_too_small'))
    await money.payAllDirect()
    expect(await money.balancesOf(investor)).toMatchObject({ principal: usdt('600'), balance: usdt('200') })
    expect(await money.balanceOf(sponsor)).toBe(usdt('30'))
  })
})

it('a run never pays from what members own: with empty pools nothing moves, whatever custody holds', async () => {
  await money.investor('50000', await money.investor('50000'))
  await money.payDay(3)
  const found = await queryOne(money.db)`
    SELECT array_agg(DISTINCT state) AS states,
      (SELECT count(*)::int FROM posting WHERE kind IN ('passive', 'direct')) AS paid
    FROM payout_run WHERE item_count > 0`
  expect(found).toEqual({ states: ['held'], paid: 0 })
})
