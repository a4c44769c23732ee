import { inTransaction } from '@aval/db'
import { describe, expect, it } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { HOUSE } from '../../ledger/ledger.commands.ts'
import { balancesOf, guardedBalance } from '../../ledger/ledger.queries.ts'
import { createMoneyFixture, usdt } from '../../testing/money-fixture.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { createInvoice, type InvoiceToPay } from '../investments/investments.commands.ts'
import { creditTransfer, creditUncredited } from './credit.commands.ts'

const money = await suiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const { db } = money.server.context

const balances = (memberId: bigint) => balancesOf(db, memberId)
const ask = (memberId: bigint, amount: string): Promise<InvoiceToPay> =>
  inTransaction(db, (tx) => createInvoice(tx, memberId, usdt(amount), money.now))
const outcomes = async (memberId: bigint) =>
  (
    await db
      .selectFrom('deposit_credit')
      .select(['outcome', 'amount'])
      .where('member_id', '=', memberId)
      .orderBy('credited_at')
      .orderBy('journal_id')
      .execute()
  ).map(({ outcome, amount }) => [outcome, amount])

describe('money that arrives', () => {
  it('exactly settles its invoice: principal, and the fee to the company', async () => {
    const member = await money.member()
    await ask(member, '1000')
    await money.receive(member, '1005')
    expect(await balances(member)).toMatchObject({
      principal: usdt('1000'),
      balance: 0n,
      held: 0n,
      earned: 0n,
    })
    expect(await outcomes(member)).toEqual([['paid', usdt('1005')]])
    const [investment] = await db
      .selectFrom('investment')
      .selectAll()
      .where('member_id', '=', member)
      .execute()
    expect(investment).toMatchObject({ amount: usdt('1000'), value_after: usdt('1000'), from_balance: false })
  })

  it('too little stands in the balance whole, and the invoice stays open for the whole sum', async () => {
    const member = await money.member()
    await ask(member, '1000')
    await money.receive(member, '900')
    expect(await balances(member)).toMatchObject({ principal: 0n, balance: usdt('900') })
    await money.receive(member, '1005')
    expect(await balances(member)).toMatchObject({ principal: usdt('1000'), balance: usdt('900') })
    expect(await outcomes(member)).toEqual([
      ['short', usdt('900')],
      ['paid', usdt('1005')],
    ])
  })

  it('too much settles, and the rest stands in the balance', async () => {
    const member = await money.member()
    await ask(member, '500')
    await money.receive(member, '510')
    expect(await balances(member)).toMatchObject({ principal: usdt('500'), balance: usdt('7.5') })
  })

  it('too late, or unasked, stands in the balance whole', async () => {
    const member = await money.member()
    const { invoice } = await ask(member, '500')
    const late = new Date(invoice.expires_at.getTime() + 1)
    await creditTransfer(db, await money.arrive(member, '502.5', { at: late }), 0, late)
    await money.receive(member, '0.000001')
    expect(await balances(member)).toMatchObject({ principal: 0n, balance: usdt('502.500001') })
    expect((await outcomes(member)).map(([outcome]) => outcome)).toContain('late')
  })

  it('in time counts as in time, however late we hear of it', async () => {
    const member = await money.member()
    const { invoice } = await ask(member, '500')
    const txid = await money.arrive(member, '502.5', { at: invoice.expires_at })
    money.now = new Date(invoice.expires_at.getTime() + 86_400_000)
    await ask(member, '500')
    await creditTransfer(db, txid, 0, money.now)
    expect((await balances(member)).principal).toBe(usdt('500'))
    expect((await outcomes(member)).map(([outcome]) => outcome)).toEqual(['paid'])
  })

  it('settles the oldest invoice it covers, one at a time', async () => {
    const member = await money.member()
    await ask(member, '2000')
    await ask(member, '600')
    await ask(member, '700')
    await money.receive(member, '703.5')
    expect(await balances(member)).toMatchObject({ principal: usdt('600'), balance: usdt('100.5') })
  })

  it('settles what is open now, however many have lapsed before', async () => {
    const member = await money.member()
    const before = money.now
    for (let asked = 0; asked < 102; asked += 1) {
      money.now = new Date(money.now.getTime() + 121 * 60_000)
      await ask(member, '500')
    }
    await money.receive(member, '502.5')
    money.now = before
    expect(await balances(member)).toMatchObject({ principal: usdt('500'), balance: 0n })
  })

  it('settles in the order of the chain, in whatever order the jobs run', async () => {
    const member = await money.member()
    await ask(member, '500')
    await ask(member, '600')
    await money.arrive(member, '502.5')
    const second = await money.arrive(member, '603')
    expect(await creditTransfer(db, second, 0, money.now)).toBe(2)
    expect(await balances(member)).toMatchObject({ principal: usdt('1100'), balance: 0n })
  })

  it('at the company’s address is capital, and no member’s', async () => {
    const before = await guardedBalance(db, 'company:capital')
    await money.receive(HOUSE, '250')
    expect((await guardedBalance(db, 'company:capital')) - before).toBe(usdt('250'))
  })
})

describe('a transfer', () => {
  it('is credited once, whether its job runs again, at once, or after a crash', async () => {
    const member = await money.member()
    await ask(member, '500')
    const txid = await money.arrive(member, '502.5')
    const all = await Promise.all(Array.from({ length: 20 }, () => creditTransfer(db, txid, 0, money.now)))
    expect(all.filter((count) => count === 1)).toHaveLength(1)
    expect(await creditTransfer(db, txid, 0, money.now)).toBe(0)
    expect(await balances(member)).toMatchObject({ principal: usdt('500'), balance: 0n })
  })

  it('to the company is credited once, too, and nobody fails over it', async () => {
    const before = await guardedBalance(db, 'company:capital')
    const txid = await money.arrive(HOUSE, '10')
    const all = await Promise.all(Array.from({ length: 6 }, () => creditTransfer(db, txid, 0, money.now)))
    expect(all.filter((count) => count === 1)).toHaveLength(1)
    expect((await guardedBalance(db, 'company:capital')) - before).toBe(usdt('10'))
  })

  it('of the same transaction at another position is another one', async () => {
    const member = await money.member()
    const txid = await money.arrive(member, '3', { position: 0 })
    await money.arrive(member, '4', { txid, position: 1 })
    expect(await creditUncredited(db, money.now)).toBe(2)
    expect((await balances(member)).balance).toBe(usdt('7'))
  })

  it('asks for its own credit: the job stands in the queue as soon as it is recorded', async () => {
    const member = await money.member()
    const txid = await money.arrive(member, '5')
    const rows = await query<{ key: string }>(db)`
      SELECT key FROM graphile_worker.jobs WHERE key = ${`credit:${txid}:0`}`
    expect(rows).toHaveLength(1)
    await creditTransfer(db, txid, 0, money.now)
  })

  it('that the chain never showed cannot be credited', async () => {
    await expect(creditTransfer(db, 'f'.repeat(64), 0, money.now)).rejects.toThrow(/no creditable transfer/)
  })
})

it('after all of this the ledger is clean', async () => {
  await creditUncredited(db, money.now)
  expect(await money.faults()).toEqual([])
})
