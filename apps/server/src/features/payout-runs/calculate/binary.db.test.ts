import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../../core/query.sql.ts'
import { guardedBalance } from '../../../ledger/ledger.queries.ts'
import { createMoneyFixture, usdt } from '../../../testing/money-fixture.ts'
import { soundTestFixture } from '../../../testing/suite.ts'

const money = soundTestFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
beforeEach(async () => {
  await money.fund('commission', '50000')
  await money.fund('profit', '50000')
})

const matches = (memberId: bigint) =>
  query<{ amount: bigint }>(money.db)`
    SELECT r.period, i.amount, i.basis, i.left_points, i.right_points FROM payout_item i JOIN payout_run r ON r.id = i.run_id
    WHERE i.member_id = ${memberId} AND i.kind = 'binary' ORDER BY r.period`
const missed = (memberId: bigint) =>
  money.db
    .selectFrom('payout_missed')
    .select(['reason', 'amount'])
    .where('member_id', '=', memberId)
    .where('kind', '=', 'binary')
    .orderBy('run_id')
    .execute()

/** A member with 2,000 invested and one referral on each side, who invested what is given. */
async function withLegs(left: string | null, right: string | null) {
  const top = await money.investor('2000')
  const [one, two] = [await money.member(top), await money.member(top)]
  if (left !== null) await money.invest(one, left)
  if (right !== null) await money.invest(two, right)
  return { top, one, two }
}

describe('a day’s match', () => {
  it('pays ten percent of the weaker leg, and carries what is left of the stronger', async () => {
    const { top, two } = await withLegs('1500', '600')
    await money.payDay()
    expect(await matches(top)).toEqual([
      {
        period: '2026-05-03',
        amount: usdt('60'),
        basis: usdt('600'),
        left_points: usdt('1500'),
        right_points: usdt('600'),
      },
    ])
    await money.invest(two, '500')
    await money.payDay()
    expect((await matches(top))[1]).toMatchObject({
      amount: usdt('50'),
      left_points: usdt('900'),
      right_points: usdt('500'),
    })
  })

  it('counts everybody below, however deep, on the side where they stand', async () => {
    const { top, one } = await withLegs('500', '500')
    await money.investor('700', await money.member(one))
    await money.payDay()
    expect((await matches(top))[0]).toMatchObject({ left_points: usdt('1200'), right_points: usdt('500') })
    expect(await matches(money.server.rootId)).toEqual([])
  })

  it('is capped by the day, and what is above is flushed, not carried', async () => {
    const top = await money.investor('20000')
    for (let side = 0; side < 2; side += 1) await money.investor('12000', top)
    await money.payDay()
    expect((await matches(top))[0]).toMatchObject({ amount: usdt('1000'), basis: usdt('12000') })
    expect(await missed(top)).toEqual([{ reason: 'flushed', amount: usdt('200') }])
    await money.payDay()
    expect(await matches(top)).toHaveLength(1)
  })

  it('never pays more than the member’s own principal', async () => {
    const top = await money.investor('500')
    for (let side = 0; side < 2; side += 1) await money.investor('9000', top)
    await money.payDay()
    expect((await matches(top))[0]?.amount).toBe(usdt('500'))
    expect(await missed(top)).toEqual([{ reason: 'flushed', amount: usdt('400') }])
  })

  it('of who is not qualified carries everything, says why once, and pays it when they are', async () => {
    const top = await money.member()
    await money.investor('800', top)
    await money.investor('600', top)
    await money.payDay()
    await money.payDay()
    expect(await matches(top)).toEqual([])
    expect(await missed(top)).toEqual([{ reason: 'inactive', amount: usdt('60') }])
    await money.invest(top, '500')
    await money.payDay()
    expect((await matches(top))[0]).toMatchObject({ amount: usdt('60'), left_points: usdt('800') })
  })

  it('needs an active direct referral on each side, not only somebody there', async () => {
    const { top, two } = await withLegs('800', null)
    // The right is active only through somebody whom the right referral introduced.
    await money.investor('600', two)
    await money.payDay()
    expect(await matches(top)).toEqual([])
    expect(await missed(top)).toEqual([{ reason: 'no_active_right', amount: usdt('60') }])
  })

  it('takes the points of a reversed investment off again, below zero if they were matched already', async () => {
    const { top, two } = await withLegs('1500', '600')
    await money.payDay()
    await money.reverseLatest(two)
    await money.payDay()
    await money.invest(two, '1000')
    await money.payDay()
    expect((await matches(top))[1]).toMatchObject({
      basis: usdt('400'),
      left_points: usdt('900'),
      right_points: usdt('400'),
    })
  })

  it('waits for its pool as every run does, while the next day is matched on what it carries', async () => {
    const { top, one, two } = await withLegs('1500', '600')
    expect(await guardedBalance(money.db, 'pool:commission')).toBeGreaterThan(0n)
    await money.payDay()
    await money.invest(one, '500')
    await money.invest(two, '500')
    await money.payDay()
    await money.resume()
    expect((await matches(top)).map(({ amount }) => amount)).toEqual([usdt('60'), usdt('50')])
    expect((await money.balancesOf(top)).earnedBinary).toBe(usdt('110'))
  })
})
