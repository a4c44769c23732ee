import { DEFAULT_PLAN } from '@aval/plan'
import { describe, expect, it } from 'vitest'
import { countOf, query } from '../../core/query.sql.ts'
import { HOUSE } from '../../ledger/ledger.commands.ts'
import { guardedBalance } from '../../ledger/ledger.queries.ts'
import { createMoneyFixture, usdt } from '../../testing/money-fixture.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { mailsTo } from '../identity/testing/member-fixture.ts'
import { mailOf } from '../investments/announce.commands.ts'
import { expireInvoices } from '../investments/invoices.commands.ts'
import { creditTransfer, creditUncredited } from './credit.commands.ts'

const money = await suiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const { db, invoiceOver: ask, receive } = money

const credit = (txid: string, at = money.now) => creditTransfer(db, txid, 0, at)
const outcomes = async (memberId: bigint) => {
  const rows = await query<{ outcome: string; amount: bigint }>(db)`SELECT outcome, amount FROM deposit_credit
    WHERE member_id = ${memberId} ORDER BY credited_at, journal_id`
  return rows.map(({ outcome, amount }) => [outcome, amount])
}
const pendingOf = async (memberId: bigint) => {
  const rows = await query<{ amount: bigint }>(
    db,
  )`SELECT amount FROM member_pending WHERE member_id = ${memberId}`
  return rows[0]?.amount ?? 0n
}
/** What stands invested and in the balance. */
const expectBooks = async (memberId: bigint, principal: string, balance: string) =>
  expect(await money.balancesOf(memberId)).toMatchObject({
    principal: usdt(principal),
    balance: usdt(balance),
  })

describe('money that arrives', () => {
  it('exactly settles its invoice: principal, and the fee to the company', async () => {
    const member = await money.member()
    await ask(member, '1000')
    await receive(member, '1005')
    await expectBooks(member, '1000', '0')
    expect(await money.balancesOf(member)).toMatchObject({ held: 0n, earned: 0n })
    expect(await outcomes(member)).toEqual([['paid', usdt('1005')]])
    const [investment] = await query(db)`SELECT * FROM investment WHERE member_id = ${member}`
    expect(investment).toMatchObject({ amount: usdt('1000'), value_after: usdt('1000'), from_balance: false })
  })

  it('in parts waits in `pending`, owed and not withdrawable, until the sum covers the invoice', async () => {
    const member = await money.member()
    await ask(member, '700')
    await receive(member, '300')
    await expectBooks(member, '0', '0')
    expect(await pendingOf(member)).toBe(usdt('300'))
    await receive(member, '0.5')
    await receive(member, '403.5')
    await expectBooks(member, '700', '0.5')
    expect(await pendingOf(member)).toBe(0n)
    expect(await outcomes(member)).toEqual([
      ['part', usdt('300')],
      ['part', usdt('0.5')],
      ['overpaid', usdt('403.5')],
    ])
  })

  it('as a thousand grains of dust adds up to its invoice', async () => {
    const member = await money.member()
    await ask(member, '500')
    for (let grain = 0; grain < 999; grain += 1) await money.arrive(member, '0.000001')
    await receive(member, '502.499001')
    await expectBooks(member, '500', '0')
  })

  it('too much settles, and the rest stands in the balance', async () => {
    const member = await money.member()
    await ask(member, '500')
    await receive(member, '510')
    await expectBooks(member, '500', '7.5')
  })

  it('too late, or unasked, stands in the balance whole, with the part that came in time', async () => {
    const member = await money.member()
    const { invoice } = await ask(member, '500')
    await receive(member, '2')
    const late = new Date(invoice.expires_at.getTime() + 1)
    await credit(await money.arrive(member, '502.5', { at: late }), late)
    await expectBooks(member, '0', '504.5')
    expect((await outcomes(member)).map(([outcome]) => outcome)).toEqual(['part', 'late'])
    const stranger = await money.member()
    await receive(stranger, '0.000001')
    await expectBooks(stranger, '0', '0.000001')
    expect((await outcomes(stranger)).map(([outcome]) => outcome)).toEqual(['no_invoice'])
  })

  it('in time counts as in time, however late it is seen', async () => {
    const member = await money.member()
    const { invoice } = await ask(member, '500')
    const txid = await money.arrive(member, '502.5', { at: invoice.expires_at })
    money.now = new Date(invoice.expires_at.getTime() + 86_400_000)
    await ask(member, '500')
    await credit(txid)
    expect((await money.balancesOf(member)).principal).toBe(usdt('500'))
    expect((await outcomes(member)).map(([outcome]) => outcome)).toEqual(['paid'])
  })

  it('counts for the oldest open invoice, whatever another asks for; its surplus goes to the balance', async () => {
    const member = await money.member()
    await ask(member, '2000')
    await ask(member, '600')
    await receive(member, '603')
    await expectBooks(member, '0', '0')
    await receive(member, '1408')
    await expectBooks(member, '2000', '1')
    await receive(member, '603')
    await expectBooks(member, '2600', '1')
  })

  it('counts for what is open now, however many have expired before', async () => {
    const member = await money.member()
    const before = money.now
    for (let asked = 0; asked < 102; asked += 1) {
      money.now = new Date(money.now.getTime() + 121 * 60_000)
      await ask(member, '500')
    }
    await receive(member, '502.5')
    money.now = before
    await expectBooks(member, '500', '0')
  })

  it('settles in the order of the chain, in whatever order the jobs run', async () => {
    const member = await money.member()
    await ask(member, '500')
    await ask(member, '600')
    await money.arrive(member, '502.5')
    const second = await money.arrive(member, '603')
    expect(await credit(second)).toBe(2)
    await expectBooks(member, '1100', '0')
  })

  it('at the company’s address is capital, and no member’s', async () => {
    const before = await guardedBalance(db, 'company:capital')
    await receive(HOUSE, '250')
    expect((await guardedBalance(db, 'company:capital')) - before).toBe(usdt('250'))
  })
})

describe('a transfer', () => {
  it.each([
    ['', '502.5', '500', '0'],
    [' as a part', '100', '0', '100'],
  ])(
    'is credited once%s, whether its job runs again, at once, or after a crash',
    async (_, amount, principal, pending) => {
      const member = await money.member()
      await ask(member, '500')
      const txid = await money.arrive(member, amount)
      const all = await Promise.all(Array.from({ length: 20 }, () => credit(txid)))
      expect(all.filter((count) => count === 1)).toHaveLength(1)
      expect(await credit(txid)).toBe(0)
      await expectBooks(member, principal, '0')
      expect(await pendingOf(member)).toBe(usdt(pending))
    },
  )

  it('to the company is credited once, too, and nobody fails over it', async () => {
    const before = await guardedBalance(db, 'company:capital')
    const txid = await money.arrive(HOUSE, '10')
    const all = await Promise.all(Array.from({ length: 6 }, () => credit(txid)))
    expect(all.filter((count) => count === 1)).toHaveLength(1)
    expect((await guardedBalance(db, 'company:capital')) - before).toBe(usdt('10'))
  })

  it('of the same transaction at another position is another one', async () => {
    const member = await money.member()
    const txid = await money.arrive(member, '3', { position: 0 })
    await money.arrive(member, '4', { txid, position: 1 })
    expect(await creditUncredited(db, money.now)).toBe(2)
    expect(await money.balanceOf(member)).toBe(usdt('7'))
  })

  it('asks for its own credit: the job stands in the queue as soon as it is recorded', async () => {
    const member = await money.member()
    const txid = await money.arrive(member, '5')
    expect(await countOf(db)`graphile_worker.jobs WHERE key = ${`credit:${txid}:0`}`).toBe(1)
    await credit(txid)
  })

  it('that the chain never showed cannot be credited', async () => {
    await expect(credit('f'.repeat(64))).rejects.toThrow(/no creditable transfer/)
  })

  it.each([
    ['a part of what completes its invoice', '502.5', 'part', '502.5'],
    ['the whole of what is a part', '100', 'paid', '100'],
    ['too much while the invoice is not complete', '100', 'overpaid', '60'],
    ['a part that is larger than it', '100', 'part', '100.000001'],
    ['a part of nothing', '100', 'overpaid', '0'],
  ])('is never booked as %s', async (_, amount, outcome, part) => {
    const member = await money.member()
    const { invoice } = await ask(member, '500')
    const txid = await money.arrive(member, amount)
    const booked = query(
      db,
    )`SELECT credit_transfer(${txid}, 0, ${money.now}, ${outcome}, ${invoice.id}, ${usdt(part)}, 1)`
    await expect(booked).rejects.toMatchObject({ constraint: 'deposit_credit_adds_up' })
    await credit(txid)
  })
})

it('after all of this the ledger is clean', async () => {
  await creditUncredited(db, money.now)
  expect(await money.faults()).toEqual([])
})

describe('a member whose transfer is credited', () => {
  const config = money.server.context.config
  const tell = (txid: string) => creditTransfer(db, txid, 0, money.now, mailOf(config, new Date()))
  const told = async (memberId: bigint) =>
    (await mailsTo(money.server, memberId)).map(({ template, params }) => [template, params] as const)

  it('is told of each part with what is missing, and then of the investment with its unlock date', async () => {
    const member = await money.member()
    await ask(member, '700')
    const first = await money.arrive(member, '300')
    await tell(first)
    await tell(first)
    const second = await money.arrive(member, '499.5')
    await Promise.all([
      tell(second),
      tell(second),
      creditUncredited(db, money.now, mailOf(config, new Date())),
    ])
    const [part, invested, ...more] = await told(member)
    expect(more).toEqual([])
    expect(part).toMatchObject([
      'deposit_received',
      {
        ...{ amount: '300000000', missing: '403500000', txid: first },
        until: new Date(money.now.getTime() + 7_200_000).toISOString(),
      },
    ])
    const unlocksAt = new Date(money.now.getTime() + DEFAULT_PLAN.investment.lockDays * 86_400_000)
    expect(invested).toMatchObject([
      'investment_credited',
      {
        ...{ amount: '700000000', fee: '3500000', surplus: '96000000', principal: '700000000' },
        ...{ txid: second, unlocksAt: unlocksAt.toISOString() },
        payments: [
          { amount: '300000000', txid: first },
          { amount: '499500000', txid: second },
        ],
      },
    ])
  })

  it('is told of what went to the balance when the time of a part ran out, once, by whatever ended it', async () => {
    const [late, silent, swept] = [await money.member(), await money.member(), await money.member()]
    for (const member of [late, silent, swept]) await ask(member, '700')
    for (const member of [late, swept]) await money.receive(member, '300')
    const end = new Date(money.now.getTime() + 7_200_000)
    money.now = new Date(end.getTime() + 1000)
    const rest = await money.arrive(late, '403.5')
    await tell(rest)
    await query(money.owner)`INSERT INTO chain_cursor VALUES ('devnet', 80, 'x', 100, 81, now(), ${money.now})
      ON CONFLICT (network) DO UPDATE SET scanned_at = excluded.scanned_at`
    for (let times = 0; times < 2; times += 1) await expireInvoices(db, money.now, mailOf(config, new Date()))
    const expired = [
      'investment_expired',
      { amount: '700000000', toBalance: '300000000', at: end.toISOString() },
    ]
    expect(await told(swept)).toEqual([expired])
    expect(await told(late)).toMatchObject([
      expired,
      ['deposit_received', { amount: '403500000', late: true }],
    ])
    expect(await told(silent)).toEqual([])
  })

  it('is told nothing where the credit came to nothing, and once when it is tried again', async () => {
    const member = await money.member()
    const txid = await money.arrive(member, '20')
    const undone = creditTransfer(db, txid, 0, money.now, async (tx, became) => {
      await mailOf(config, new Date())(tx, became)
      throw new Error('killed')
    })
    await expect(undone).rejects.toThrow('killed')
    expect(await told(member)).toEqual([])
    await expectBooks(member, '0', '0')
    await tell(txid)
    expect(await told(member)).toMatchObject([['deposit_received', { amount: '20000000' }]])
  })

  it('is told nothing of dust, and nothing where the account is closed', async () => {
    const member = await money.member()
    await tell(await money.arrive(member, '0.999999'))
    expect(await told(member)).toEqual([])
    await query(
      money.owner,
    )`UPDATE member SET username = 'closed-' || id, email = '', closed_at = now() WHERE id = ${member}`
    await tell(await money.arrive(member, '5'))
    expect(await told(member)).toEqual([])
    await expectBooks(member, '0', '5.999999')
  })
})
