import type { Dashboard, Withdrawal } from '@aval/contract'
import { inTransaction } from '@aval/db'
import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { query, queryValue } from '../../core/query.sql.ts'
import { HOUSE } from '../../ledger/ledger.commands.ts'
import { guardedBalance } from '../../ledger/ledger.queries.ts'
import { addressOf } from '../../testing/addresses.ts'
import { fundPool } from '../../testing/deciding.ts'
import { usdt } from '../../testing/money-fixture.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { creditUncredited } from '../deposits/credit.commands.ts'
import { mailsTo, walletOf } from '../identity/testing/member-fixture.ts'
import { settleTransfer, settleTransfers, settleUnbooked, withdrawalsJobs } from './settle.commands.ts'
import { COLD, createWithdrawalFixture, HOT, type Withdrawer } from './testing/withdrawal-fixture.ts'
import { bookOpening } from './withdrawals.sql.ts'

const money = await soundSuiteFixture(createWithdrawalFixture, '2026-05-03T15:00:00Z')
await money.openWallets('10000')
const operatorId = await money.operator()

const balances = ({ id }: Withdrawer) => money.balancesOf(id)
const settle = (txid: string) => settleTransfer(money.server.context, txid, money.moment())
const settleAll = () => settleUnbooked(money.server.context, money.moment())
const shown = async (who: Withdrawer, id: bigint) =>
  (await who.get(`withdrawals/withdrawals/${id}/`)).json() as Withdrawal
/** An approved withdrawal of 50 out of a balance of 80. */
async function approved() {
  const ana = await money.withdrawer('80')
  const id = await money.place(ana, '50')
  await money.approve(id, operatorId)
  return { ana, id }
}
const book = async () => {
  const rows = await money.db.selectFrom('custody_balance').select(['account', 'amount']).execute()
  const amount = (name: string) => rows.find(({ account }) => account === `custody:${name}`)?.amount ?? 0n
  return { deposits: amount('deposits'), hot: amount('hot'), cold: amount('cold') }
}
const wallets = async () => ({
  ...(await book()),
  capital: await guardedBalance(money.db, 'company:capital'),
})
const posted = (what: string) =>
  queryValue<bigint>(money.db)`SELECT coalesce(sum(amount), 0)::bigint FROM posting WHERE ${sql.raw(what)}`
const revenue = () => posted(`destination = 'company:revenue'`)

describe('an approved withdrawal', () => {
  it('goes stage by stage through the chain, and its timeline fills', async () => {
    const { ana, id } = await approved()
    const stages: string[] = []
    const look = async () => {
      const withdrawal = await shown(ana, id)
      const { stage, confirmations, txid } = withdrawal
      stages.push(`${stage} ${confirmations ?? '-'} ${txid === null ? '' : 'txid'}`)
      return withdrawal
    }
    await look()
    const txid = await money.prepare(id)
    await look()
    await money.sign(txid)
    await look()
    await money.broadcast(txid)
    await look()
    const head = (block: number) =>
      query(money.gateway.db)`
        INSERT INTO chain_cursor (network, scanned_block, scanned_block_id, head_block, solid_block, seen_at)
        VALUES ('devnet', 1, '', ${block}, 1, now()) ON CONFLICT (network) DO UPDATE SET head_block = ${block}`
    await head(500)
    await query(money.gateway.db)`UPDATE outgoing_transfer SET seen_block = 495 WHERE txid = ${txid}`
    await look()
    await head(900)
    await look()
    await money.conclude(txid)
    await look()
    await settle(txid)
    const done = await look()
    expect(stages).toEqual([
      'approved - ',
      'approved - ',
      'signed - ',
      'broadcast - txid',
      'confirming 6 txid',
      'confirming 18 txid',
      'confirming 18 txid',
      'completed - txid',
    ])
    expect(done.timeline.map(({ stage }) => stage)).toEqual([
      'requested',
      'approved',
      'signed',
      'broadcast',
      'confirming',
      'completed',
    ])
    expect(done).toMatchObject({
      status: '2',
      txid,
      payed_date: '2026-05-03T15:00:00.000Z',
      can_cancel: false,
    })
    const { recent } = (await ana.get('core/dashboard/')).json() as Dashboard
    expect(recent[0]).toMatchObject({ kind: 'withdrawal', amount: '49.00' })
  })

  it('that is paid takes what was held out of the hot wallet, and leaves the fee with the company', async () => {
    const before = { book: await book(), revenue: await revenue() }
    const { ana, id } = await approved()
    const deposited = (await book()).deposits
    const txid = await money.pay(id)
    expect(await balances(ana)).toMatchObject({ balance: usdt('30'), held: 0n })
    expect(await book()).toEqual({ ...before.book, deposits: deposited, hot: before.book.hot - usdt('49') })
    expect(await revenue()).toBe(before.revenue + usdt('1'))
    expect((await mailsTo(money.server, ana.id)).at(-1)).toMatchObject({
      template: 'withdrawal_completed',
      params: { amount: '50000000', arrives: '49000000', txid },
    })
  })

  it('is booked once, however often the job runs, at once, and after the sweep', async () => {
    const { ana, id } = await approved()
    const txid = await money.prepare(id)
    await money.sign(txid)
    expect(await settle(txid)).toBe(false)
    expect(await money.conclude(txid)).toBe(true)
    expect(await money.conclude(txid)).toBe(false)
    const all = await Promise.all(Array.from({ length: 12 }, () => settle(txid)))
    expect(all.filter((booked) => booked)).toHaveLength(1)
    expect(await settleAll()).toBe(0)
    expect(await balances(ana)).toMatchObject({ balance: usdt('30'), held: 0n })
  })

  it('whose job was lost is booked by the sweep, and one that cannot be keeps no other from it', async () => {
    const [first, second] = [await approved(), await approved()]
    for (const { id } of [first, second]) {
      const txid = await money.prepare(id)
      await money.sign(txid)
      await money.conclude(txid)
    }
    // A sweep of which more was lost than the company has.
    const capital = await guardedBalance(money.db, 'company:capital')
    await fundPool(money.owner, 'profit', capital, 'all of it', money.now)
    const from = await addressOf(money.db, first.ana.id)
    await expect(money.move('sweep', from, HOT, '80', { arrived: '30' })).rejects.toThrow(
      'no capital covers it',
    )
    await expect(settleAll()).rejects.toThrow('no capital covers it')
    expect((await shown(first.ana, first.id)).stage).toBe('completed')
    expect((await shown(second.ana, second.id)).stage).toBe('completed')
    expect(await money.faults()).toEqual([])
    await money.receive(HOUSE, '10000')
    expect(await settleAll()).toBe(1)
  })

  it.each([
    ['REVERT', /USDT contract did not take/],
    ['OUT_OF_ENERGY', /higher fee than we allowed/],
    ['OUT_OF_TIME', /network did not complete/],
  ])('whose transfer ended as %s failed, and everything is back', async (result, told) => {
    const { ana, id } = await approved()
    const before = await book()
    await money.pay(id, { result })
    expect(await balances(ana)).toMatchObject({ balance: usdt('80'), held: 0n })
    expect(await book()).toEqual(before)
    const withdrawal = await shown(ana, id)
    expect(withdrawal).toMatchObject({ stage: 'failed', status: '3' })
    expect(withdrawal.reason).toMatch(told)
    expect((await mailsTo(money.server, ana.id)).at(-1)).toMatchObject({
      template: 'withdrawal_failed',
      params: { reason: withdrawal.reason },
    })
    await expect(money.prepare(id)).rejects.toThrow('could not be prepared')
  })

  it('whose transfer died waits approved for the next, and is paid once', async () => {
    const { ana, id } = await approved()
    const first = await money.prepare(id)
    await money.sign(first)
    await expect(money.prepare(id)).rejects.toThrow('could not be prepared')
    await query(money.owner)`
      UPDATE chain_cursor SET scanned_at = ${new Date(money.now.getTime() + 120_000)}`
    expect(await money.expire(first)).toBe(true)
    expect((await shown(ana, id)).stage).toBe('approved')
    await money.pay(id)
    expect((await shown(ana, id)).stage).toBe('completed')
    expect((await balances(ana)).balance).toBe(usdt('30'))
  })

  it('of which the token took a part is completed, and operators see what is missing', async () => {
    const { id } = await approved()
    const before = await book()
    await money.pay(id, { arrived: '48.5' })
    expect((await book()).hot).toBe(before.hot - usdt('49'))
    const rows = await query<{ short: string }>(money.db)`SELECT details->>'short' AS short FROM audit_event
      WHERE action = 'withdrawal.complete' AND subject = ${`withdrawal:${id}`}`
    expect(rows).toEqual([{ short: '500000' }])
  })
})

describe('many that were paid', () => {
  const together = (txids: readonly string[]) => settleTransfers(money.server.context, txids, money.moment())
  /** As many approved withdrawals of 10, of as many members, on the chain and not booked yet. */
  async function concluded(count: number, fate?: Parameters<typeof money.conclude>[1]) {
    const made: { ana: Withdrawer; id: bigint; txid: string }[] = []
    for (let number = 0; number < count; number += 1) {
      const ana = await money.withdrawer('100')
      const id = await money.place(ana, '50')
      await money.approve(id, operatorId)
      const txid = await money.prepare(id)
      await money.sign(txid)
      await money.conclude(txid, fate)
      made.push({ ana, id, txid })
    }
    return made
  }
  const txidsOf = (made: readonly { readonly txid: string }[]) => made.map(({ txid }) => txid)
  /** What the members were told of the end, and what the trail has of it. */
  const told = async ({ ana, id }: { ana: Withdrawer; id: bigint }) => {
    const mails = (await mailsTo(money.server, ana.id)).filter(({ template }) =>
      ['withdrawal_completed', 'withdrawal_failed'].includes(template),
    )
    const trail = await query(money.db)`
      SELECT FROM audit_event WHERE action = 'withdrawal.complete' AND subject = ${`withdrawal:${id}`}`
    return [mails.length, trail.length]
  }
  const jobs = () =>
    query<{ task: string; priority: number }>(money.db)`
      SELECT task_identifier AS task, priority FROM graphile_worker.jobs WHERE task_identifier LIKE 'mail.%' ORDER BY 1`

  it('are booked together, each once with its mail and its entry, however often they are asked for at once', async () => {
    const paid = await concluded(4)
    const [failed] = await concluded(1, { result: 'REVERT' })
    const before = { book: await book(), revenue: await revenue() }
    await query(money.owner)`DELETE FROM graphile_worker._private_jobs`
    const txids = txidsOf([...paid, ...(failed === undefined ? [] : [failed])])
    const counts = await Promise.all([together(txids), together(txids.toReversed()), together(txids)])
    expect(counts.reduce((sum, count) => sum + count)).toBe(5)
    for (const each of paid) {
      expect(await told(each)).toEqual([1, 1])
      expect(await balances(each.ana)).toMatchObject({ balance: usdt('50'), held: 0n })
      expect((await shown(each.ana, each.id)).stage).toBe('completed')
    }
    expect((await shown(failed?.ana as Withdrawer, failed?.id ?? 0n)).stage).toBe('failed')
    expect(await book()).toEqual({ ...before.book, hot: before.book.hot - usdt('196') })
    expect(await revenue()).toBe(before.revenue + usdt('4'))
    // One job sends the mails of all that were booked together.
    expect(await jobs()).toEqual([
      { task: 'mail.catch_up', priority: 10 },
      { task: 'mail.send', priority: 10 },
    ])
    expect(await settleAll()).toBe(0)
  })

  it('are booked by a job that names all of them, and by one of an earlier version that names one', async () => {
    const [one, two, three] = await concluded(3)
    const jobs = withdrawalsJobs({ ...money.server.context, systemNow: () => money.moment().systemNow })
    const book = jobs['outgoing_transfers.settle']
    await book({ txids: [one?.txid, two?.txid], traceparent: null })
    await book({ txid: three?.txid })
    for (const each of [one, two, three]) expect(await told(each as NonNullable<typeof one>)).toEqual([1, 1])
    for (const wrong of [{}, { txids: [] }, { txids: Array(101).fill(one?.txid) }, { txid: 'x' }])
      await expect(book(wrong)).rejects.toThrow()
  })

  it('say of each what the token took', async () => {
    const short = await concluded(2, { arrived: '48.5' })
    await together(txidsOf(short))
    for (const { id } of short) {
      const rows = await query<{ short: string }>(money.db)`SELECT details->>'short' AS short FROM audit_event
        WHERE action = 'withdrawal.complete' AND subject = ${`withdrawal:${id}`}`
      expect(rows).toEqual([{ short: '500000' }])
    }
  })

  it('of which one cannot be booked: it waits, and keeps no other', async () => {
    const paid = await concluded(3)
    const stuck = paid[1]
    const held = (amount: bigint) =>
      query(money.owner)`UPDATE member_balance SET held = ${amount} WHERE member_id = ${stuck?.ana.id ?? 0n}`
    await held(0n)
    await expect(together(txidsOf(paid))).rejects.toThrow('held')
    expect(await Promise.all(paid.map(told))).toEqual([
      [1, 1],
      [0, 0],
      [1, 1],
    ])
    await held(usdt('50'))
    expect(await settleAll()).toBe(1)
    expect(await told(paid[1] as (typeof paid)[number])).toEqual([1, 1])
  })

  it('whose worker dies in the middle are booked whole by the next', async () => {
    const paid = await concluded(3)
    await inTransaction(money.owner, async (tx) => {
      await query(tx)`SELECT FROM custody_balance FOR UPDATE`
      const dying = together(txidsOf(paid))
      const ended = expect(dying).rejects.toThrow('terminat')
      // It has written the mails and waits for the books of the hot wallet.
      const kill = () =>
        query(money.owner)`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%book_outgoing_transfer%'`
      await vi.waitFor(async () => expect(await kill()).toHaveLength(1), { timeout: 240_000 })
      await ended
    })
    for (const each of paid) expect(await told(each)).toEqual([0, 0])
    expect(await settleAll()).toBe(3)
    for (const each of paid) expect(await told(each)).toEqual([1, 1])
  })
})

describe('the company’s own money', () => {
  it('that a wallet held before anybody looked is its deposit, once', async () => {
    const openings = `kind IN ('company_deposit_hot', 'company_deposit_cold')`
    const before = await posted(openings)
    await bookOpening(money.db, HOT, money.now)
    await settleAll()
    expect(await posted(openings)).toBe(before)
    await expect(bookOpening(money.db, walletOf(99), money.now)).rejects.toThrow('no wallet of the company')
  })

  it('moves between its addresses as far as it arrived; what the token took is its loss', async () => {
    const ana = await money.withdrawer('100')
    const from = await addressOf(money.db, ana.id)
    const before = await wallets()
    await money.move('sweep', from, HOT, '100', { arrived: '99.5' })
    await money.move('surplus', HOT, COLD, '60')
    expect(await wallets()).toEqual({
      deposits: before.deposits - usdt('100'),
      hot: before.hot + usdt('39.5'),
      cold: before.cold + usdt('60'),
      capital: before.capital - usdt('0.5'),
    })
    const failed = await money.move('surplus', HOT, COLD, '5', { result: 'OUT_OF_ENERGY' })
    const rows = await query(money.db)`
      SELECT journal_id FROM outgoing_transfer_booking WHERE txid = ${failed}`
    expect(rows).toEqual([{ journal_id: null }])
  })

  it('that comes to a wallet from outside is its deposit, and from the cold one a refill', async () => {
    const arrive = async (txid: string, from: string, to: string, amount: string) => {
      await query(money.gateway.db)`
        SELECT record_incoming_transfer(${txid}, 0, 5000, ${money.now}, 'credit', 'usdt', ${from}, ${to}, ${usdt(amount)})`
    }
    const before = await wallets()
    await arrive('1'.repeat(64), walletOf(90), HOT, '7')
    await arrive('2'.repeat(64), walletOf(90), COLD, '8')
    await arrive('3'.repeat(64), COLD, HOT, '9')
    expect(await creditUncredited(money.db, money.now)).toBe(3)
    expect(await wallets()).toEqual({
      deposits: before.deposits,
      hot: before.hot + usdt('16'),
      cold: before.cold - usdt('1'),
      capital: before.capital + usdt('15'),
    })
    expect(await addressOf(money.db, HOUSE)).not.toBe(HOT)
  })
})
