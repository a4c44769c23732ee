import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../../core/query.sql.ts'
import { guardedBalance, owedBy } from '../../../ledger/ledger.queries.ts'
import { runDue } from '../../../testing/audited.ts'
import { createMoneyFixture, usdt } from '../../../testing/money-fixture.ts'
import { PROBLEM } from '../../../testing/server.ts'
import { soundTestFixture } from '../../../testing/suite.ts'
import { midnightsDue, openMidnight } from '../runs/runs.commands.ts'
import { previewReversal } from './reversals.queries.ts'

const money = soundTestFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
beforeEach(async () => {
  await money.fund('commission', '1000')
  await money.fund('profit', '1000')
})

/** A sponsor with 500 invested and a referral with 1,000. */
async function pair() {
  const sponsor = await money.investor('500')
  return { sponsor, investor: await money.investor('1000', sponsor) }
}

describe('reversing an investment', () => {
  it('takes back the passive profit that rested on it, and leaves what rested on the rest', async () => {
    const { investor } = await pair()
    await money.payDay()
    await money.invest(investor, '333.333333')
    await money.payDay()
    // 3.333333, then 4.444444 on 1,333.333333, of which the second investment earned 1.111111.
    const second = await money.latestInvestment(investor)
    const preview = await previewReversal(money.db, second)
    expect(preview.parts.map(({ pool, amount }) => [pool, amount])).toEqual([
      ['commission', 16_666_666n],
      ['profit', 1_111_111n],
    ])
    await money.reverse(second)
    expect(await money.balancesOf(investor)).toMatchObject({
      principal: usdt('1000'),
      balance: usdt('333.333333') + 3_333_333n + 3_333_333n,
      earnedPassive: 6_666_666n,
    })
  })

  it('takes from the balance first; the rest is owed, and paid by what comes later', async () => {
    const { sponsor, investor } = await pair()
    await money.reinvest(sponsor, '40')
    await money.payAllDirect()
    await money.reverseLatest(investor)
    expect(await money.balancesOf(sponsor)).toMatchObject({ principal: usdt('540'), balance: 0n })
    expect(await owedBy(money.db, sponsor)).toMatchObject({ commission: usdt('40'), profit: 0n })
    const pool = await guardedBalance(money.db, 'pool:commission')
    // 540 × 10 % ÷ 30 = 1.80 a day goes to what is owed.
    await money.payDay()
    expect((await money.balancesOf(sponsor)).balance).toBe(0n)
    expect((await owedBy(money.db, sponsor)).commission).toBe(usdt('38.2'))
    expect(await guardedBalance(money.db, 'pool:commission')).toBe(pool + usdt('1.8'))
  })

  it('makes each who owes pay the own debt, and no more than that', async () => {
    const owing = async (spent: string) => {
      const { sponsor, investor } = await pair()
      await money.reinvest(sponsor, spent)
      await money.payAllDirect()
      await money.reverseLatest(investor)
      return sponsor
    }
    const [more, less] = [await owing('40'), await owing('30')]
    await money.receive(more, '100')
    await money.receive(less, '100')
    await money.payDay()
    for (const [sponsor, left] of [
      [more, usdt('61.8')],
      [less, usdt('71.766666')],
    ] as const) {
      expect(await owedBy(money.db, sponsor)).toMatchObject({ commission: 0n, profit: 0n })
      expect((await money.balancesOf(sponsor)).balance).toBe(left)
    }
  })

  it('leaves a debt that is paid before anything leaves the balance for an investment, by whatever way', async () => {
    const { sponsor, investor } = await pair()
    await money.reinvest(sponsor, '40')
    await money.payAllDirect()
    await money.reverseLatest(investor)
    // 40 are owed, and 50 come.
    await money.receive(sponsor, '50')
    const { invoice } = await money.invoiceOver(sponsor, '100')
    await money.receive(sponsor, '60')
    const { post, get } = await money.client(sponsor)
    const headers = { 'accept-language': 'en' }
    expect((await get('plans/terms/')).json()).toMatchObject({ balance: '10.00' })
    const pay = (amount: number, more = {}) =>
      post('plans/create-investment-payment/', { amount, payPasive: true }, { ...headers, ...more })
    expect(await pay(10.000001)).toAnswer(422, expect.stringContaining('You owe $40.00 after a reversal'))
    expect(await pay(10.000001, PROBLEM)).toRefuse(422, 'debt_first')
    const complete = () => post(`plans/invoices/${invoice.txn_id}/complete/`, {}, PROBLEM)
    expect(await complete()).toRefuse(422, 'debt_first')
    // A program that does not ask.
    const refused = { constraint: 'debt_is_paid_first' }
    const at = money.now
    await query(money.owner)`UPDATE member SET email_proven_at = ${at} WHERE id = ${sponsor}`
    for (const asked of [
      () => query(money.db)`SELECT invest_balance(${sponsor}, 'x', 10000001, 1, ${at})`,
      () => query(money.db)`SELECT complete_invoice(${sponsor}, ${invoice.id}, 298507, 1, ${at}, ${at})`,
      () =>
        query(
          money.db,
        )`SELECT request_withdrawal(${sponsor}, 10000001, 1, 10000001, 0, 'x', 1::smallint, 1, '[]', '', ${at})`,
    ])
      await expect(asked()).rejects.toMatchObject(refused)
    expect(await money.balancesOf(sponsor)).toMatchObject({ principal: usdt('540'), balance: usdt('50') })
    expect(await pay(10)).toAnswer(200)
    await money.payDay()
    expect(await owedBy(money.db, sponsor)).toMatchObject({ commission: 0n })
  })

  it('lets the balance complete an invoice with what is free beside the debt, to the micro-USDT', async () => {
    const { sponsor, investor } = await pair()
    await money.reinvest(sponsor, '40')
    await money.payAllDirect()
    await money.reverseLatest(investor)
    // 40 are owed, and 50 come; of the invoice 60 and its fee.
    await money.receive(sponsor, '50')
    const { invoice } = await money.invoiceOver(sponsor, '70')
    await money.receive(sponsor, '60.3')
    const complete = (fee: bigint) =>
      query(
        money.db,
      )`SELECT complete_invoice(${sponsor}, ${invoice.id}, ${fee}, 1, ${money.now}, ${money.now})`
    await expect(complete(300_001n)).rejects.toMatchObject({ constraint: 'debt_is_paid_first' })
    await complete(300_000n)
    expect(await money.balancesOf(sponsor)).toMatchObject({ principal: usdt('610'), balance: usdt('40') })
  })

  it('waits until what the investment pays is settled', async () => {
    const { sponsor } = await pair()
    const late = await money.investor('50000', sponsor)
    await expect(money.reverseLatest(late)).rejects.toThrow('investment_unsettled')
    await expect(money.reverse(999_999n)).rejects.toThrow('investment_not_found')
  })

  it('lets the next day earn on what is left, and keeps the history as it was', async () => {
    const { investor } = await pair()
    await money.payDay()
    await money.reverseLatest(investor)
    await money.payDay()
    const rows = await query<{ period: string; members: string }>(money.db)`
      SELECT r.period, p.members::text AS members FROM payout_page p JOIN payout_run r ON r.id = p.run_id
      ORDER BY r.period`
    expect(rows.map(({ members }) => members.includes(String(investor)))).toEqual([true, false])
  })
})

describe('an investment on which a day will still pay', () => {
  it('is not reversed while a day that has begun has no run: it would pay after all was taken back', async () => {
    const member = await money.investor('600')
    money.now = new Date('2026-05-05T15:00:00Z')
    await expect(money.reverseLatest(member)).rejects.toThrow('investment_unsettled')
    await runDue(money.db, money.now)
    expect((await money.balancesOf(member)).earned).toBe(4_000_000n)
    await money.reverseLatest(member)
    await runDue(money.db, money.now)
    expect((await money.balancesOf(member)).earned).toBe(0n)
  })

  it('is not reversed while the run of such a day has not come to its items yet', async () => {
    const member = await money.investor('600')
    money.now = new Date('2026-05-04T15:00:00Z')
    const [midnight] = await midnightsDue(money.db, money.now)
    if (midnight === undefined) throw new Error('no midnight is due')
    await openMidnight(money.db, midnight)
    await expect(money.reverseLatest(member)).rejects.toThrow('investment_unsettled')
    await money.resume()
    await money.reverseLatest(member)
    await runDue(money.db, money.now)
    expect((await money.balancesOf(member)).earned).toBe(0n)
  })
})

describe('the database itself', () => {
  it('finds what is taken back, and has no program name it or call it', async () => {
    const { investor: member, sponsor } = await pair()
    const investment = await money.latestInvestment(member)
    for (const role of [money.db, money.gateway.db])
      await expect(
        query(
          role,
        )`SELECT reverse_investment(${investment}, 'a mistake', ${money.server.rootId}, ${money.now})`,
      ).rejects.toMatchObject({ code: '42501' })
    // A proposal that says more than which investment and why says nothing by it.
    const given = {
      investment: String(investment),
      reason: 'a mistake',
      parts: '0',
      commission: '0',
      hash: '',
    }
    await query(money.db)`
      SELECT propose_decision('reverse_investment', ${JSON.stringify(given)}::jsonb, NULL, ${money.server.rootId}, ${money.now})`
    await money.signProposed(`investment:${investment}`)
    expect((await money.balancesOf(sponsor)).earned).toBe(0n)
    expect(await money.faults()).toEqual([])
  })
})
