import { describe, expect, it } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { createMoneyFixture, usdt } from '../../testing/money-fixture.ts'
import { clientOf, PROBLEM } from '../../testing/server.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { creditTransfer } from '../deposits/credit.commands.ts'
import { expireInvoices } from './invoices.commands.ts'

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const { db } = money

/** A member with an invoice, and what it came to. */
async function payer(amount = 700) {
  const memberId = await money.member()
  const { headers } = await money.client(memberId)
  const client = clientOf(money.server, { ...headers, 'accept-language': 'en' })
  const { txn_id } = (await client.post('plans/create-investment-payment/', { amount })).json().result
  const status = async () => (await client.get(`plans/invoices/${txn_id}/`)).json()
  return {
    ...client,
    memberId,
    txnId: txn_id as string,
    status,
    endsAt: async () => new Date((await status()).expires_at),
    list: async () => (await client.get('plans/invoices/')).json(),
    verify: () => client.post('plans/verify-investment-amount/', { txn_id }),
    complete: () => client.post(`plans/invoices/${txn_id}/complete/`, {}, PROBLEM),
    cancel: () => client.post(`plans/invoices/${txn_id}/cancel/`, {}, PROBLEM),
    pay: (part: string) => money.receive(memberId, part),
    async books() {
      const { principal, balance } = await money.balancesOf(memberId)
      const [row] = await query<{ amount: bigint }>(db)`
        SELECT amount FROM member_pending WHERE member_id = ${memberId}`
      return { principal, balance, pending: row?.amount ?? 0n }
    },
  }
}
const books = (principal: string, balance: string, pending = '0') => ({
  principal: usdt(principal),
  balance: usdt(balance),
  pending: usdt(pending),
})
const scannedUntil = (at: Date) => query(
  money.owner,
)`INSERT INTO chain_cursor VALUES ('devnet', 80, 'x', 100, 81, now(), ${at})
  ON CONFLICT (network) DO UPDATE SET scanned_at = excluded.scanned_at`
const after = (at: Date, ms: number) => new Date(at.getTime() + ms)

describe('an invoice paid in parts', () => {
  it('says after each what is missing, on every device, and is paid when the sum covers it', async () => {
    const ana = await payer()
    await ana.pay('300')
    expect(await ana.list()).toMatchObject([{ state: 'partly_paid', received: '300.00', missing: '403.50' }])
    expect(await ana.verify()).toAnswer(422, expect.stringContaining('$403.50 missing'))
    await ana.pay('403.5')
    expect(await ana.verify()).toAnswer(200, expect.stringContaining('$700.00'))
    expect(await ana.list()).toEqual([])
    expect(await ana.books()).toEqual(books('700', '0'))
  })

  it('names a surplus and where it is', async () => {
    const ana = await payer()
    await ana.pay('300')
    await ana.pay('499.5')
    expect(await ana.status()).toMatchObject({ state: 'paid', to_balance: '96.00' })
    expect(await ana.verify()).toAnswer(200, expect.stringContaining('$96.00 more'))
    expect(await ana.books()).toEqual(books('700', '96'))
  })

  it('counts before another that was opened later, which says so', async () => {
    const ana = await payer()
    const later = (await ana.post('plans/create-investment-payment/', { amount: 500 })).json().result
    await ana.pay('502.5')
    expect(await ana.list()).toMatchObject([
      { state: 'partly_paid', received: '502.50', behind: null },
      { state: 'waiting', received: '0.00', behind: '700.00', txn_id: later.txn_id },
    ])
  })
})

describe('completed with the balance', () => {
  /** With a balance from before: what came while nothing was asked. */
  async function saver(balance: string) {
    const ana = await payer()
    await ana.cancel()
    await ana.pay(balance)
    const { txn_id } = (await ana.post('plans/create-investment-payment/', { amount: 700 })).json().result
    const complete = () => ana.post(`plans/invoices/${txn_id}/complete/`, {}, PROBLEM)
    return { ...ana, complete, status: async () => (await ana.get(`plans/invoices/${txn_id}/`)).json() }
  }

  it('pays the fee on what came by chain, and none on the rest', async () => {
    const ana = await saver('400')
    await ana.pay('351.75')
    expect((await ana.status()).from_balance).toBe('350.00')
    expect(await ana.complete()).toAnswer(200)
    expect(await ana.books()).toEqual(books('700', '50'))
    expect(await ana.status()).toMatchObject({ state: 'paid', to_balance: '0.00' })
    const [entry] = (await ana.get('plans/history/')).json().results
    expect(entry).toMatchObject({
      amount: '700.00',
      pay_with_balance: false,
      before_investment_value: '700.00',
    })
  })

  it('once, also where the balance would cover it again', async () => {
    const ana = await saver('2000')
    await ana.pay('351.75')
    const all = await Promise.all(Array.from({ length: 4 }, () => ana.complete()))
    expect(all.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(await ana.complete()).toRefuse(422, 'invoice_ended')
    expect(await ana.books()).toEqual(books('700', '1650'))
  })

  it('once, however often it is pressed; and not with less than is needed', async () => {
    const ana = await saver('349.999999')
    await ana.pay('351.75')
    expect(await ana.complete()).toRefuse(422, 'balance_too_small')
    expect(await ana.books()).toEqual(books('0', '349.999999', '351.75'))
    await ana.pay('0.000001')
    const all = await Promise.all(Array.from({ length: 10 }, () => ana.complete()))
    expect(all.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(await ana.books()).toEqual(books('700', '0'))
  })

  it.each([
    ['below zero', '351.75', -1n],
    ['above that of the invoice', '351.75', usdt('3.500001')],
    ['above what came', '1', usdt('1.000001')],
    ['that leaves more than was asked for', '703.4', usdt('3.399999')],
  ])('with no fee %s, whoever asks the database', async (_, came, fee) => {
    const ana = await saver('1000')
    await ana.pay(came)
    const completed = query(db)`
      SELECT complete_invoice(member_id, id, ${fee}, 1, ${money.now}, ${money.now}) FROM invoice
      WHERE member_id = ${ana.memberId} AND state = 'open'`
    await expect(completed).rejects.toMatchObject({ constraint: 'invoice_bears_its_fee' })
    expect(await ana.complete()).toAnswer(200)
  })
})

describe('cancelled', () => {
  it('or expired, and ended as nothing else', async () => {
    const { memberId } = await payer()
    const ended = query(db)`
      SELECT end_invoice(member_id, id, 'paid', ${money.now}) FROM invoice WHERE member_id = ${memberId}`
    await expect(ended).rejects.toMatchObject({ constraint: 'invoice_ends_unpaid' })
  })

  it('gives back what came, in full; what still arrives goes to the balance, too', async () => {
    const ana = await payer()
    await ana.pay('300')
    expect(await ana.cancel()).toAnswer(200)
    expect(await ana.books()).toEqual(books('0', '300'))
    await ana.pay('403.5')
    expect(await ana.books()).toEqual(books('0', '703.5'))
    expect(await ana.status()).toMatchObject({ state: 'cancelled', to_balance: '703.50', is_open: false })
    expect(await ana.verify()).toAnswer(
      422,
      expect.stringContaining('$703.50 that arrived is in your balance'),
    )
  })

  it('while it is being paid, ends one way or the other: nothing is lost, nothing counts twice', async () => {
    const ana = await payer()
    await ana.pay('300')
    const txid = await money.arrive(ana.memberId, '403.5')
    await Promise.all([ana.cancel(), creditTransfer(db, txid, 0, money.now), ana.cancel()])
    const { state } = await ana.status()
    expect(await ana.books()).toEqual(state === 'paid' ? books('700', '0') : books('0', '703.5'))
  })

  it('is final, and only the member’s own', async () => {
    const [ana, eve] = [await payer(), await payer()]
    const cancel = `plans/invoices/${ana.txnId}/cancel/`
    for (const call of [cancel, `plans/invoices/${ana.txnId}/complete/`, 'plans/invoices/none/cancel/'])
      expect(await eve.post(call, {}, PROBLEM)).toRefuse(404, 'invoice_not_found')
    expect(await ana.cancel()).toAnswer(200)
    expect(await ana.cancel()).toRefuse(422, 'invoice_ended')
    expect(await ana.complete()).toRefuse(422, 'invoice_ended')
    expect(await eve.list()).toHaveLength(1)
    expect(await clientOf(money.server).get('plans/invoices/')).toAnswer(401)
  })
})

describe('past its end', () => {
  const expireAt = async (now: Date, scanned = now) => {
    await scannedUntil(scanned)
    await expireInvoices(db, now)
  }

  it('gives the part that came to the balance, once the chain has been read up to that end', async () => {
    const ana = await payer()
    const end = await ana.endsAt()
    await ana.pay('300')
    await expireAt(after(end, 60_000), end)
    expect(await ana.books()).toEqual(books('0', '0', '300'))
    await expireAt(after(end, 60_000))
    expect(await ana.books()).toEqual(books('0', '300'))
    expect(await ana.status()).toMatchObject({ state: 'expired', to_balance: '300.00' })
    expect(await ana.verify()).toAnswer(422, expect.stringContaining('$300.00, but not all of it in time'))
  })

  it('still counts what came in the block of its last instant, also when that is credited later', async () => {
    const ana = await payer()
    const end = await ana.endsAt()
    await ana.pay('300')
    const last = await money.arrive(ana.memberId, '403.5', { at: end })
    const late = await money.arrive(ana.memberId, '5', { at: after(end, 1) })
    await expireAt(after(end, 60_000))
    expect(await ana.books()).toEqual(books('0', '0', '300'))
    await creditTransfer(db, late, 0, after(end, 60_000))
    expect(await ana.books()).toEqual(books('700', '5'))
    expect(await creditTransfer(db, last, 0, after(end, 60_000))).toBe(0)
  })

  it('is not completed with the balance any more, and the same amount opens a new one', async () => {
    const ana = await payer()
    const start = money.now
    await ana.pay('1')
    money.now = after(await ana.endsAt(), 1)
    expect(await ana.complete()).toRefuse(422, 'invoice_ended')
    const again = (await ana.post('plans/create-investment-payment/', { amount: 700 })).json().result
    expect(again).toMatchObject({ amount: '703.50' })
    expect(again.txn_id).not.toBe(ana.txnId)
    money.now = start
  })

  it('with nothing that came leaves no trace in what is unfinished', async () => {
    const ana = await payer()
    const start = money.now
    money.now = after(await ana.endsAt(), 60_000)
    expect(await ana.list()).toMatchObject([{ state: 'expired', is_open: true }])
    await expireAt(money.now)
    expect(await ana.list()).toEqual([])
    money.now = start
  })
})
