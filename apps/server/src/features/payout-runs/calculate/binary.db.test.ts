import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../../core/query.sql.ts'
import { balancesOf } from '../../../ledger/ledger.queries.ts'
import { createMoneyFixture, usdt } from '../../../testing/money-fixture.ts'
import { soundTestFixture } from '../../../testing/suite.ts'
import { resumeRuns } from '../advance.commands.ts'

const money = soundTestFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
beforeEach(async () => {
  await money.fund('commission', '50000')
  await money.fund('profit', '50000')
})

const matches = async (memberId: bigint) => {
  return query<{
    period: string
    amount: bigint
    basis: bigint
    left_points: bigint
    right_points: bigint
  }>(money.db)`
    SELECT r.period, i.amount, i.basis, i.left_points, i.right_points FROM payout_item i JOIN payout_run r ON r.id = i.run_id
    WHERE i.member_id = ${memberId} AND i.kind = 'binary' ORDER BY r.period`
}
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
  const top = await money.member()
  await money.invest(top, '2000')
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
    const below = await money.member(one)
    await money.invest(await money.member(below), '700')
    await money.payDay()
    expect((await matches(top))[0]).toMatchObject({ left_points: usdt('1200'), right_points: usdt('500') })
    const root = (await matches(money.server.rootId))[0]
    expect(root).toBeUndefined()
  })

  it('is capped by the day, and what is above is flushed, not carried', async () => {
    const top = await money.member()
    await money.invest(top, '20000')
    for (let side = 0; side < 2; side += 1) await money.invest(await money.member(top), '12000')
    await money.payDay()
    expect((await matches(top))[0]).toMatchObject({ amount: usdt('1000'), basis: usdt('12000') })
    expect(await missed(top)).toEqual([{ reason: 'flushed', amount: usdt('200') }])
    await money.payDay()
    expect(await matches(top)).toHaveLength(1)
  })

  it('never pays more than the member’s own principal', async () => {
    const top = await money.member()
    await money.invest(top, '500')
    for (let side = 0; side < 2; side += 1) await money.invest(await money.member(top), '9000')
    await money.payDay()
    expect((await matches(top))[0]?.amount).toBe(usdt('500'))
    expect(await missed(top)).toEqual([{ reason: 'flushed', amount: usdt('400') }])
  })

  it('of who is not qualified carries everything, says why once, and pays it when they are', async () => {
    const top = await money.member()
    const [one, two] = [await money.member(top), await money.member(top)]
    await money.invest(one, '800')
    await money.invest(two, '600')
    await money.payDay()
    await money.payDay()
    expect(await matches(top)).toEqual([])
    expect(await missed(top)).toEqual([{ reason: 'inactive', amount: usdt('60') }])
    await money.invest(top, '500')
    await money.payDay()
    expect((await matches(top))[0]).toMatchObject({ amount: usdt('60'), left_points: usdt('800') })
  })

  it('needs an active direct referral on each side, not only somebody there', async () => {
    const top = await money.member()
    await money.invest(top, '2000')
    const [one, two] = [await money.member(top), await money.member(top)]
    await money.invest(one, '800')
    // The right is active only through somebody whom the right referral introduced.
    await money.invest(await money.member(two), '600')
    await money.payDay()
    expect(await matches(top)).toEqual([])
    expect(await missed(top)).toEqual([{ reason: 'no_active_right', amount: usdt('60') }])
  })

  it('takes the points of a reversed investment off again, below zero if they were matched already', async () => {
    const { top, two } = await withLegs('1500', '600')
    await money.payDay()
    await money.reverse(await money.latestInvestment(two))
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
    await query(money.db)`SELECT 1`
    const rows = await query<{ amount: bigint }>(money.db)`
      SELECT amount FROM house_balance WHERE account = 'pool:commission'`
    expect(rows[0]?.amount).toBeGreaterThan(0n)
    await money.payDay()
    await money.invest(one, '500')
    await money.invest(two, '500')
    await money.payDay()
    await resumeRuns(money.db, money.now)
    expect((await matches(top)).map(({ amount }) => amount)).toEqual([usdt('60'), usdt('50')])
    expect((await balancesOf(money.db, top)).earnedBinary).toBe(usdt('110'))
  })
})
