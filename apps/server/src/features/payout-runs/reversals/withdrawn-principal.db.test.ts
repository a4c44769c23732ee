import { formatMicro, micro } from '@aval/money'
import { DEFAULT_PLAN } from '@aval/plan'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { query, queryValue } from '../../../core/query.sql.ts'
import { storePlan } from '../../../testing/deciding.ts'
import { usdt } from '../../../testing/money-fixture.ts'
import { soundTestFixture } from '../../../testing/suite.ts'
import { partsOf } from '../../investments/investments.queries.ts'
import { createWithdrawalFixture, type Withdrawer } from '../../withdrawals/testing/withdrawal-fixture.ts'
import { replayRun, runIds } from '../replay/replay.queries.ts'

const money = soundTestFixture(createWithdrawalFixture, '2026-05-03T15:00:00Z')
beforeEach(async () => {
  // Principal unlocks after a day, so that a test lives through few.
  const investment = { ...DEFAULT_PLAN.investment, lockDays: 1 }
  await storePlan(money.owner, 2, new Date('2026-05-02T05:00:00Z'), { ...DEFAULT_PLAN, investment })
  await money.openWallets('100000')
  await money.fund('profit', '10000')
  await money.fund('commission', '10000')
})
afterEach(async () => {
  // Whatever was withdrawn, every run comes out again as it was sealed.
  for (const id of await runIds(money.db, 0n, 1000))
    expect((await replayRun(money.db, id))?.verdict).toBe('matches')
})

const investor = async (amount: string): Promise<Withdrawer> => {
  const member = await money.withdrawer()
  await money.invest(member.id, amount)
  return member
}
/** What each passive run paid a member on, by day. */
async function bases({ id }: Withdrawer): Promise<string[]> {
  const rows = await query<{ period: string; basis: bigint | null }>(money.db)`
    SELECT r.period, p.bases[array_position(p.members, ${id}::bigint)] AS basis FROM payout_run r
      LEFT JOIN payout_page p ON p.run_id = r.id AND p.block = ${id}::bigint / 1024
    WHERE r.kind = 'passive' AND r.state <> 'cancelled' ORDER BY r.period`
  return rows.map(({ period, basis }) => `${period.slice(5)} ${basis === null ? '-' : basis / 1_000_000n}`)
}
const pay = async (id: bigint) => {
  await money.approve(id, await money.operator())
  await money.pay(id)
}
const reverseFirst = async ({ id }: Withdrawer) =>
  money.reverse(await queryValue<bigint>(money.db)`SELECT min(id) FROM investment WHERE member_id = ${id}`)

describe('principal that was withdrawn', () => {
  it('earns no more from the next midnight on, whether it is on its way or has left', async () => {
    const ana = await investor('1000')
    await money.payDay()
    const { balance } = await money.balancesOf(ana.id)
    // 3.333333 of it are in the balance, and go first.
    const id = await money.place(ana, '403.333333')
    expect(await money.balancesOf(ana.id)).toMatchObject({
      principal: usdt('600'),
      balance: 0n,
      held: usdt('400') + balance,
    })
    await money.payDay()
    await pay(id)
    await money.payDay()
    expect(await bases(ana)).toEqual(['05-04 1000', '05-05 600', '05-06 600'])
  })

  it('had earned on every midnight before, however late that day is computed', async () => {
    const ana = await investor('1000')
    money.nextDay(2)
    // Two midnights have passed of which nobody has computed anything.
    await money.place(ana, '400')
    await money.payDay(2)
    expect(await bases(ana)).toEqual(['05-04 1000', '05-05 1000', '05-06 600', '05-07 600'])
  })

  it('is dated into the open day where the books are closed already', async () => {
    const ana = await investor('1000')
    await money.payDay()
    // As a clock that lags would: the midnight is closed, and the request is of before it.
    const tomorrow = new Date(money.now.getTime() + 86_400_000)
    await query(money.db)`SELECT close_period(${tomorrow})`
    await money.place(ana, '400')
    const rows = await query<{ at: Date }>(money.db)`SELECT at FROM principal_movement`
    expect(rows).toEqual([{ at: tomorrow }])
  })

  it('earns again from the midnight after it came back', async () => {
    const ana = await investor('1000')
    await money.payDay()
    const id = await money.place(ana, '403.333333')
    await money.payDay()
    await money.cancel(ana, id)
    expect(await money.balancesOf(ana.id)).toMatchObject({ principal: usdt('1000'), held: 0n })
    await money.payDay()
    expect(await bases(ana)).toEqual(['05-04 1000', '05-05 600', '05-06 1000'])
  })

  it('leaves its member inactive when it was all there was: commissions pass, points stay', async () => {
    const ana = await investor('500')
    const left = await money.member(ana.id)
    const right = await money.member(ana.id)
    await money.invest(left, '1000')
    await money.payDay()
    const missed = (kind: string) => query(money.db)`
      SELECT reason, level FROM payout_missed WHERE member_id = ${ana.id} AND kind = ${kind}`
    const index = Number(ana.id) + 1
    const carried = await query(money.db)`
      SELECT lefts[${index}] + rights[${index}] AS points FROM binary_carry ORDER BY period DESC LIMIT 1`
    const { balance, principal } = await money.balancesOf(ana.id)
    await money.place(ana, formatMicro(micro(balance + principal)))
    await money.invest(right, '700')
    expect(await missed('direct')).toEqual([{ reason: 'inactive', level: 1 }])
    expect(carried).toEqual([{ points: usdt('1000') }])
    await money.payDay()
    expect(await missed('binary')).toMatchObject([{ reason: 'inactive' }])
    // A later batch and an earlier one look back past what has left since.
    await money.payAllDirect()
  })

  it('is free whatever is invested later, which locks itself alone', async () => {
    const ana = await investor('1000')
    money.nextDay()
    await money.invest(ana.id, '200')
    await expect(money.place(ana, '1000.000001')).rejects.toThrow('balance_too_small')
    expect((await ana.get('withdrawals/terms/')).json()).toMatchObject({
      unlocked_principal: '1000.00',
      principal_unlocks_at: '2026-05-05T15:00:00.000Z',
      locked: { amount: '200.00', count: 1, parts: [{ unlocks_at: '2026-05-05T15:00:00.000Z' }] },
    })
    await money.place(ana, '900')
    money.nextDay()
    await expect(money.place(ana, '300.000001')).rejects.toThrow('balance_too_small')
    await money.place(ana, '300')
  })

  it('comes off what unlocked first, and goes back to it', async () => {
    const ana = await investor('1000')
    await money.invest(ana.id, '500')
    money.nextDay()
    await money.invest(ana.id, '200')
    const left = async () => (await partsOf(money.db, ana.id)).map(({ amount }) => amount / 1_000_000n)
    const first = await money.place(ana, '1100')
    expect(await left()).toEqual([0n, 400n, 200n])
    const second = await money.place(ana, '150')
    await money.cancel(ana, first)
    expect(await left()).toEqual([1000n, 350n, 200n])
    await money.place(ana, '30')
    expect(await left()).toEqual([970n, 350n, 200n])
    await money.cancel(ana, second)
    expect(await left()).toEqual([970n, 500n, 200n])
  })

  it('that is locked is not withdrawn, whatever a program asks the database for', async () => {
    const ana = await investor('1000')
    money.nextDay()
    await money.invest(ana.id, '1200')
    const asks = (principal: string, at = money.now) =>
      query(
        money.db,
      )`SELECT request_withdrawal(${ana.id}, ${usdt(principal)}, 1000000, 0, ${usdt(principal)}, ${ana.wallet}, 2::smallint, 2,
        '[]', 'a program', ${at})`
    await expect(asks('1000.000001')).rejects.toMatchObject({ constraint: 'principal_is_unlocked' })
    await expect(asks('1000', new Date(money.now.getTime() - 1))).rejects.toMatchObject({
      constraint: 'principal_is_unlocked',
    })
    await asks('1000')
    // Dated for a day on which the rest will be unlocked, and the database's clock says that it is not that day.
    const offset = BigInt(money.now.getTime() - Date.now())
    await query(money.owner)`INSERT INTO demo_clock (offset_ms) VALUES (${offset})`
    money.nextDay(2)
    await expect(asks('1200')).rejects.toMatchObject({ constraint: 'principal_is_unlocked' })
    // Of a public network it is the system's, which no program sets.
    await query(money.owner)`UPDATE installation SET network = 'mainnet'`
    await asks('1200')
  })

  it('is missing in the history of investments from there on, and the first minimum counts again', async () => {
    const ana = await investor('1000')
    money.nextDay()
    await money.place(ana, '1000')
    await expect(money.invest(ana.id, '499.999999')).rejects.toThrow('first_investment_too_small')
    await money.invest(ana.id, '600')
    expect((await ana.get('plans/history/')).json().results).toMatchObject([
      { before_investment_value: '600.00' },
      { before_investment_value: '1000.00' },
    ])
  })
})

describe('an investment whose principal was withdrawn', () => {
  it('cannot be reversed, also where later principal would cover it', async () => {
    const ana = await investor('1000')
    await money.payDay()
    const id = await money.place(ana, '900')
    await expect(reverseFirst(ana)).rejects.toThrow('investment_withdrawn')
    await pay(id)
    await money.invest(ana.id, '5000')
    await expect(reverseFirst(ana)).rejects.toThrow('investment_withdrawn')
    const bypassing = query(
      money.owner,
    )`INSERT INTO reversal (member_id, investment_id, journal_id, amount, reason, reversed_by, at)
      SELECT member_id, id, 0, amount, 'why', 1, credited_at FROM investment WHERE member_id = ${ana.id} ORDER BY id LIMIT 1`
    await expect(bypassing).rejects.toMatchObject({ constraint: 'reversal_of_a_whole_investment' })
  })

  it('leaves the others to be reversed, as nothing came off them', async () => {
    const ana = await investor('1000')
    await money.invest(ana.id, '200')
    await money.payDay()
    await pay(await money.place(ana, '900'))
    await money.payDay()
    await money.reverseLatest(ana.id)
    expect(await money.balancesOf(ana.id)).toMatchObject({ principal: usdt('104') })
  })

  it('can be where the withdrawal came to nothing: exactly what each day paid is taken back', async () => {
    const ana = await investor('1000')
    await money.payDay()
    const id = await money.place(ana, '403.333333')
    await money.payDay()
    await money.cancel(ana, id)
    await money.payDay()
    const paid = (await money.balancesOf(ana.id)).earnedPassive
    // 3.333333 on 1,000, 2 on 600 and again 3.333333.
    expect(paid).toBe(8_666_666n)
    await reverseFirst(ana)
    expect(await money.balancesOf(ana.id)).toMatchObject({
      principal: 0n,
      balance: usdt('1000'),
      earnedPassive: 0n,
    })
  })
})

it('a statement shows what was held, what came back and what has left', async () => {
  const ana = await investor('1000')
  await money.receive(ana.id, '10')
  money.nextDay()
  const id = await money.place(ana, '60')
  await money.cancel(ana, id)
  await pay(await money.place(ana, '60'))
  const csv = (await ana.get('payments/statement/')).body
  const lines = csv.split('\r\n').filter((line) => /Withdrawal/.test(line))
  expect(lines.map((line) => line.split(',').slice(1).join())).toEqual([
    'Withdrawal requested,,-10.00,0.00,,1000.00',
    'Withdrawal requested,,,0.00,-50.00,950.00',
    'Withdrawal returned,,10.00,10.00,,950.00',
    'Withdrawal returned,,,10.00,50.00,1000.00',
    'Withdrawal requested,,-10.00,0.00,,1000.00',
    'Withdrawal requested,,,0.00,-50.00,950.00',
    'Withdrawal sent,59.00,,0.00,,950.00',
    'Withdrawal fee,1.00,,0.00,,950.00',
  ])
})
