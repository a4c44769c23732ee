/** What waits for a person is counted when it comes, and no longer once somebody did it. */
import { operatorToday, operatorWaiting } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { HOUSE } from '../../ledger/ledger.commands.ts'
import { operatorClient } from '../../testing/server.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { sumDays, sumMembers } from '../company-days/company-days.commands.ts'
import { createCustodyFixture } from '../reserves/testing/custody-fixture.ts'

const custody = await soundSuiteFixture(createCustodyFixture, '2026-05-03T15:00:00Z')
const { money } = custody
const olga = await operatorClient(money.server, { username: 'olga' })
const waiting = async () => operatorWaiting.parse((await olga.get('operator/waiting/')).json())
const today = async () => operatorToday.parse((await olga.get('operator/today/')).json())
const counted = async (fate: string) =>
  (await waiting()).deposits.find((each) => each.fate === fate)?.count ?? 0
const review = (txid: string, note = 'Wrote to the member.') =>
  olga.post(`operator/transfers/${txid}/0/review/`, { note })

const ana = await money.withdrawer()

describe('what waits', () => {
  it('is nothing in a company where all is well', async () => {
    await custody.readAll()
    await custody.check()
    await query(money.owner)`SELECT record_integrity_check('{}', now())`
    const quiet = await waiting()
    expect(quiet).toMatchObject({
      withdrawals: { count: 0, more: false, oldest_at: null, sum: '0.00' },
      runs: { count: 0 },
      decisions: { count: 0 },
      chats: { count: 0 },
      deposits: [],
      stop: null,
      pools: [],
    })
    expect(quiet.failing.map(({ what }) => what)).toEqual(['gateway_none'])
  })

  it('has withdrawals until they are decided, with their sum and since when', async () => {
    await money.receive(ana.id, '100')
    const id = await money.place(ana, '60')
    await money.place(ana, '20')
    const { withdrawals } = await waiting()
    expect(withdrawals).toMatchObject({ count: 2, sum: '80.00', oldest_at: money.now.toISOString() })
    expect(await money.approve(id, await money.operator())).toBe('accepted')
    expect((await waiting()).withdrawals).toMatchObject({ count: 1, sum: '20.00' })
  })

  it('says which withdrawals are late and which are due soon, but for those of a frozen account', async () => {
    const [before] = [money.now]
    const shown = async (hours: number) => {
      money.now = new Date(before.getTime() + hours * 3_600_000)
      return (await waiting()).deadlines.map(({ due, state, count, sum, seconds }) => [
        ...[due, state, count, sum, seconds / 3600],
      ])
    }
    expect(await shown(59)).toEqual([])
    expect(await shown(71)).toEqual([
      ['soon', 'requested', 1, '20.00', 1],
      ['soon', 'approved', 1, '60.00', 1],
    ])
    expect(await shown(95)).toEqual([
      ['late', 'requested', 1, '20.00', -23],
      ['late', 'approved', 1, '60.00', -23],
    ])
    const due = new Date(before.getTime() + 72 * 3_600_000).getTime() / 1000
    const exported = await money.server.api.metrics.metrics()
    expect(exported).toContain(`aval_withdrawal_due_timestamp_seconds ${due}`)
    const freeze = (frozen: boolean) =>
      query(
        money.owner,
      )`SELECT freeze_member(${ana.id}, ${frozen}, 'asked to', (SELECT id FROM member WHERE username = 'olga'), now())`
    await freeze(true)
    expect(await shown(95)).toEqual([])
    expect((await olga.get('operator/withdrawals/')).json().results).toMatchObject([
      { frozen: true, due: null, age: 95 * 3600 },
      { frozen: true, due: null },
    ])
    expect((await ana.get('withdrawals/withdrawals/')).json().results).toMatchObject([{ due: null }, {}])
    await freeze(false)
    money.now = before
  })

  it('has deposits that matched nothing, came late or were too much, until somebody says what they are', async () => {
    expect(await counted('no_invoice')).toBe(1)
    const txid = await money.receive(ana.id, '7')
    expect(await counted('no_invoice')).toBe(2)
    expect(await review(txid)).toAnswer(200)
    expect(await counted('no_invoice')).toBe(1)
    const again = await review(txid, 'So did I.')
    expect(again).toAnswer(409, expect.stringContaining('olga'))
    await money.invoiceOver(ana.id, '600')
    await money.receive(ana.id, '613')
    expect(await counted('overpaid')).toBe(1)
    expect(await review('0'.repeat(64))).toAnswer(404)
  })

  it('leaves out what came more than a week ago', async () => {
    money.nextDay(8)
    expect([await counted('no_invoice'), await counted('overpaid')]).toEqual([0, 0])
    money.nextDay(-8)
  })

  it('has a run that a pool does not cover, and the pool', async () => {
    await money.payDay()
    const { runs, pools } = await waiting()
    expect(runs.count).toBe(1)
    expect(runs.missing).not.toBe('0.00')
    expect(pools).toMatchObject([{ pool: 'profit', low: true, days: null }])
    await money.fund('profit', '3')
    await money.resume()
    expect((await waiting()).runs.count).toBe(0)
  })

  it('has a pool with fewer than seven days at its rate, once the day is over', async () => {
    await sumDays(money.db, money.now)
    money.nextDay()
    const { pools } = await waiting()
    expect(pools).toMatchObject([{ pool: 'profit', low: true }])
    await money.fund('profit', '500')
    expect((await waiting()).pools).toEqual([])
  })

  it('shows who helps members no pool', async () => {
    await query(money.owner)`UPDATE member SET operator_role = 'support' WHERE username = 'olga'`
    expect((await waiting()).pools).toEqual([])
    await query(money.owner)`UPDATE member SET operator_role = 'admin' WHERE username = 'olga'`
  })
})

describe('how the company stands', () => {
  it('adds up: in and out by day, payouts by source, principal by week, and who joined', async () => {
    await money.receive(HOUSE, '5')
    await sumDays(money.db, money.now)
    await sumMembers(money.db, money.now)
    const shown = await today()
    expect(shown.flow).toHaveLength(90)
    expect(shown.flow.at(-1)?.day).toBe(shown.day)
    // 100, 7 and 613 from the member; the company's own capital is no member's.
    expect(shown.flow.filter(({ in: paid }) => paid !== '0.00').map(({ in: paid }) => paid)).toEqual([
      '720.00',
    ])
    const { passive, total } = shown.payouts
    expect([passive, total]).toEqual([total, passive])
    expect(passive).not.toBe('0.00')
    expect(shown.unlocked).toEqual({ members: 0, amount: '0.00' })
    expect(shown.unlocks_later).toEqual({ members: 1, amount: '600.00' })
    expect(shown.growth.investors).toBe(1)
    expect(shown.as_of).toEqual({
      days: money.now.toISOString(),
      unlocks: money.now.toISOString(),
      growth: money.now.toISOString(),
    })
  })
})
