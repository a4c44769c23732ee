import { type Connection, connect, inTransaction } from '@aval/db'
import type { Day } from '@aval/plan'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { query } from '../../../core/query.sql.ts'
import { balancesOf, guardedBalance, owedBy } from '../../../ledger/ledger.queries.ts'
import { createMoneyFixture, type MoneyFixture, usdt } from '../../../testing/money-fixture.ts'
import { investBalance } from '../../investments/investments.commands.ts'
import { payCommissions, resumeRuns, runDue } from '../advance.commands.ts'
import { openMidnight } from '../runs/runs.commands.ts'
import { reverseInvestment } from './reversals.commands.ts'
import { previewReversal } from './reversals.queries.ts'

let money: MoneyFixture
let owner: Connection
beforeEach(async () => {
  money = await createMoneyFixture(inject('ownerUrl'), '2026-05-03T15:00:00Z')
  owner = connect(money.server.database.ownerUrl, 1)
  await money.fund('commission', '1000')
  await money.fund('profit', '1000')
})
afterEach(async () => {
  expect(await money.faults()).toEqual([])
  await owner.close()
  await money.close()
})

const db = () => money.server.context.db
const balances = (memberId: bigint) => balancesOf(db(), memberId)
const nextDay = () => {
  money.now = new Date(money.now.getTime() + 86_400_000)
  return runDue(db(), money.now)
}
const latestOf = async (memberId: bigint) =>
  (
    await db()
      .selectFrom('investment')
      .select('id')
      .where('member_id', '=', memberId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  ).id
const reverse = (investmentId: bigint) =>
  inTransaction(db(), (tx) =>
    reverseInvestment(tx, {
      investmentId,
      operatorId: money.server.rootId,
      reason: 'a test',
      now: money.now,
    }),
  )

/** A sponsor with 500 invested and a referral with 1,000. */
async function pair() {
  const sponsor = await money.member()
  await money.invest(sponsor, '500')
  const investor = await money.member(sponsor)
  await money.invest(investor, '1000')
  return { sponsor, investor }
}

describe('reversing an investment', () => {
  it('takes back the passive profit that rested on it, and leaves what rested on the rest', async () => {
    const { investor } = await pair()
    await nextDay()
    await money.invest(investor, '333.333333')
    await nextDay()
    // 3.333333, then 4.444444 on 1,333.333333, of which the second investment earned 1.111111.
    const second = await latestOf(investor)
    const preview = await previewReversal(db(), second)
    expect(preview.parts.map(({ pool, amount }) => [pool, amount])).toEqual([
      ['commission', 16_666_666n],
      ['profit', 1_111_111n],
    ])
    await reverse(second)
    expect(await balances(investor)).toMatchObject({
      principal: usdt('1000'),
      balance: usdt('333.333333') + 3_333_333n + 3_333_333n,
      earnedPassive: 6_666_666n,
    })
  })

  it('takes from the balance first; the rest is owed, and paid by what comes later', async () => {
    const { sponsor, investor } = await pair()
    await inTransaction(db(), (tx) => investBalance(tx, sponsor, usdt('40'), money.now, 'spend'))
    await payCommissions(db(), money.now)
    await reverse(await latestOf(investor))
    expect(await balances(sponsor)).toMatchObject({ principal: usdt('540'), balance: 0n })
    expect(await owedBy(db(), sponsor)).toMatchObject({ commission: usdt('40'), profit: 0n })
    const pool = await guardedBalance(db(), 'pool:commission')
    // 540 × 10 % ÷ 30 = 1.80 a day goes to what is owed.
    await nextDay()
    expect((await balances(sponsor)).balance).toBe(0n)
    expect((await owedBy(db(), sponsor)).commission).toBe(usdt('38.2'))
    expect(await guardedBalance(db(), 'pool:commission')).toBe(pool + usdt('1.8'))
  })

  it('waits until what the investment pays is settled', async () => {
    const { sponsor } = await pair()
    const late = await money.member(sponsor)
    await money.invest(late, '50000')
    await expect(reverse(await latestOf(late))).rejects.toThrow('investment_unsettled')
    await expect(reverse(999_999n)).rejects.toThrow('investment_not_found')
  })

  it('lets the next day earn on what is left, and keeps the history as it was', async () => {
    const { investor } = await pair()
    await nextDay()
    await reverse(await latestOf(investor))
    await nextDay()
    const rows = await query<{ period: string; members: string }>(db())`
      SELECT r.period, p.members::text AS members FROM payout_page p JOIN payout_run r ON r.id = p.run_id
      ORDER BY r.period`
    expect(rows.map(({ members }) => members.includes(String(investor)))).toEqual([true, false])
  })
})

describe('an investment on which a day will still pay', () => {
  it('is not reversed while a day that has begun has no run: it would pay after all was taken back', async () => {
    const member = await money.member()
    await money.invest(member, '600')
    money.now = new Date('2026-05-05T15:00:00Z')
    await expect(latestOf(member).then(reverse)).rejects.toThrow('investment_unsettled')
    await runDue(db(), money.now)
    expect((await balances(member)).earned).toBe(4_000_000n)
    await reverse(await latestOf(member))
    await runDue(db(), money.now)
    expect((await balances(member)).earned).toBe(0n)
  })

  it('is not reversed while the run of such a day has not come to its items yet', async () => {
    const member = await money.member()
    await money.invest(member, '600')
    money.now = new Date('2026-05-04T15:00:00Z')
    await openMidnight(db(), { day: '2026-05-04' as Day, matched: '2026-05-03' as Day }, 'America/Bogota')
    await expect(latestOf(member).then(reverse)).rejects.toThrow('investment_unsettled')
    await resumeRuns(db(), money.now)
    await reverse(await latestOf(member))
    await runDue(db(), money.now)
    expect((await balances(member)).earned).toBe(0n)
  })
})

describe('the database itself refuses', () => {
  it('to take back more than was ever earned, or to recover what is not owed', async () => {
    const { sponsor } = await pair()
    const rows = await query<{ id: bigint }>(db())`SELECT id FROM journal ORDER BY id DESC LIMIT 1`
    const insert = (kind: string, source: string, destination: string, amount: number) =>
      query(
        money.server.context.db,
      )`INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at)
        VALUES (${sponsor}, ${rows[0]?.id ?? 0n}, 7, ${kind}::posting_kind, ${source}::ledger_account, ${destination}::ledger_account,
          ${amount}, now())`
    await money.receive(sponsor, '100')
    await expect(insert('clawback_commission', 'balance', 'pool:commission', 50_000_001)).rejects.toThrow(
      'taken_back_not_above_earned',
    )
    await expect(insert('recover_commission', 'balance', 'pool:commission', 1)).rejects.toThrow()
    await expect(insert('reverse_investment', 'principal', 'pool:commission', 1)).rejects.toThrow(
      'posting_follows_the_chart',
    )
  })
})
