import { constraintOf } from '@aval/db'
import { describe, expect, it } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { stockAddresses } from '../../testing/addresses.ts'
import { createMoneyFixture, usdt } from '../../testing/money-fixture.ts'
import { clientOf, type Headers, PROBLEM } from '../../testing/server.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { creditTransfer } from '../deposits/credit.commands.ts'

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const { db } = money.server.context

/** A member's calls, in Spanish. */
async function newcomer() {
  const memberId = await money.member()
  const { headers } = await money.client(memberId)
  const client = clientOf(money.server, { ...headers, 'accept-language': 'es' })
  return {
    memberId,
    ...client,
    create: (payload: unknown, more: Headers = {}) =>
      client.post('plans/create-investment-payment/', payload as object, more),
    /** The invoice over this amount. */
    invoice: async (amount: number | string) =>
      (await client.post('plans/create-investment-payment/', { amount })).json().result,
    verify: (txn_id: unknown, more: Headers = {}) =>
      client.post('plans/verify-investment-amount/', { txn_id }, more),
  }
}
const ENGLISH = { 'accept-language': 'en' }
const statusOf = async (txn_id: string) =>
  (await clientOf(money.server).get(`plans/invoices/${txn_id}/`)).json()

describe('POST plans/create-investment-payment/', () => {
  it('answers an invoice: what to send, where to, and how long', async () => {
    const { create } = await newcomer()
    expect(await create({ amount: '1000' })).toAnswer(201, {
      error: 'ok',
      result: {
        amount: '1005.00',
        txn_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        address: expect.stringMatching(/^T[1-9A-HJ-NP-Za-km-z]{33}$/),
        confirms_needed: 19,
        timeout: 7200,
        checkout_url: expect.any(String),
        status_url: expect.stringMatching(/\/api\/plans\/invoices\/[0-9a-f]{32}\/$/),
        qrcode_url: expect.stringMatching(/qrcode\.svg$/),
      },
    })
  })

  it('is 503 where no address is left, with nothing stored, until there is one', async () => {
    const [lucky, waiting] = [await newcomer(), await newcomer()]
    await lucky.invoice(500)
    const { db: owner } = money.server.owner
    await query(owner)`UPDATE deposit_address SET passed_over = true WHERE member_id IS NULL`
    for (const [headers, sentence] of [
      [{}, 'Por ahora no podemos darte una dirección de depósito'],
      [ENGLISH, 'We cannot give you a deposit address right now'],
    ] as const) {
      const answer = await waiting.create({ amount: '500' }, { ...headers, 'idempotency-key': 'one' })
      expect(answer.statusCode).toBe(503)
      expect(answer.json()).toMatch(sentence)
      expect(answer.headers['retry-after']).toBe('60')
    }
    expect(await query(owner)`SELECT FROM invoice WHERE member_id = ${waiting.memberId}`).toEqual([])
    // Who has an address goes on.
    expect(await lucky.create({ amount: '501' })).toAnswer(201)
    await stockAddresses(owner)
    expect(await waiting.create({ amount: '500' }, { 'idempotency-key': 'one' })).toAnswer(201)
  })

  it('answers the open invoice for the same open amount, whether number or text', async () => {
    const { invoice } = await newcomer()
    const first = await invoice(750)
    money.now = new Date(money.now.getTime() + 60_000)
    expect(await invoice('750.00')).toMatchObject({ txn_id: first.txn_id, timeout: first.timeout - 60 })
    money.now = new Date(money.now.getTime() + 3 * 3_600_000)
    expect((await invoice(750)).txn_id).not.toBe(first.txn_id)
  })

  it.each([
    ['633', '3.17', '636.17'],
    ['533.333333', '2.666667', '536.00'],
  ])('asks in whole cents for %s: the fee is the difference', async (asked, fee, amount) => {
    const { invoice } = await newcomer()
    const { txn_id, ...made } = await invoice(asked)
    expect(made).toMatchObject({ amount })
    expect(await statusOf(txn_id)).toMatchObject({ fee, amount, missing: amount, to_send: amount })
  })

  it('asks in whole cents for the rest of what somebody paid a part of that was none', async () => {
    const { memberId, invoice } = await newcomer()
    const { txn_id } = await invoice('533.33')
    await money.receive(memberId, '100.123456')
    const rest = { amount: '536.00', missing: '435.876544', to_send: '435.88' }
    expect(await statusOf(txn_id)).toMatchObject(rest)
    expect(await invoice('533.33')).toMatchObject({ amount: '435.88' })
    await money.receive(memberId, '435.88')
    expect(await statusOf(txn_id)).toMatchObject({ state: 'paid', to_balance: '0.003456' })
  })

  it('is refused by the database where it does not', async () => {
    const { memberId } = await newcomer()
    const ragged = query(
      db,
    )`INSERT INTO invoice (member_id, txn_id, amount, fee, plan_version, created_at, expires_at)
      VALUES (${memberId}, 'ragged', 33000000, 165000, 1, now(), now())`
    await expect(ragged).rejects.toMatchObject({ constraint: 'invoice_asks_for_whole_cents' })
  })

  it('sends to the same address every time, a different one for each member', async () => {
    const [a, b] = [await newcomer(), await newcomer()]
    const { address } = await a.invoice(500)
    expect((await a.invoice(501)).address).toBe(address)
    expect((await b.invoice(500)).address).not.toBe(address)
  })

  it.each([
    ['nothing', {}],
    ['no amount', { amount: null }],
    ['zero', { amount: 0 }],
    ['a negative amount', { amount: -500 }],
    ['seven decimals', { amount: '500.0000001' }],
    ['an exponent', { amount: '5e2' }],
    ['a number with an exponent', '{"amount":1e3}'],
    ['a number with seven decimals, all zero', '{"amount":500.0000000}'],
    ['a number that a double would round', '{"amount":500.00000000000000001}'],
    ['a comma', { amount: '1,000' }],
    ['a word', { amount: 'NaN' }],
    ['a list', { amount: [500] }],
    ['an object', { amount: { amount: 500 } }],
    ['a boolean', { amount: true }],
    ['more than anybody has', { amount: '99999999999999999999' }],
    ['a checkbox that is none', { amount: 500, payPasive: 'maybe' }],
    ['no object at all', [500]],
  ])('refuses %s with 400, a sentence, and nothing stored', async (_what, payload) => {
    const { memberId, create } = await newcomer()
    const answer = await create(payload, { 'content-type': 'application/json' })
    expect(answer).toAnswer(400)
    expect(answer.json()).toMatch(/válid|Falta/)
    const stored = await db.selectFrom('invoice').select('id').where('member_id', '=', memberId).execute()
    expect(stored).toEqual([])
  })

  it('says "La cantidad no es válida" in Spanish, the same in English when asked', async () => {
    const { create } = await newcomer()
    expect((await create({ amount: 'x' })).json()).toMatch(/cantidad no es válida/)
    expect((await create({ amount: 'x' }, { 'accept-language': 'en-US' })).json()).toMatch(/amount/i)
  })

  it('writes figures as in the region that the request says, and in the member’s once there is one', async () => {
    const { memberId, create } = await newcomer()
    const refused = async (language: string) =>
      (await create({ amount: '33.33' }, { 'accept-language': language })).json()
    expect(await refused('es')).toContain('$500,00')
    expect(await refused('es-MX,es;q=0.9')).toContain('$500.00')
    expect(await refused('en-US')).toContain('$500.00')
    await query(money.owner)`UPDATE member SET region = 'es-CO' WHERE id = ${memberId}`
    for (const language of ['es', 'es-MX', 'en-US']) expect(await refused(language)).toContain('$500,00')
  })

  it('refuses a first investment below 500 and a later one below 1, by the rule’s name', async () => {
    const { memberId, create } = await newcomer()
    expect(await create({ amount: '499.999999' }, PROBLEM)).toRefuse(422, 'first_investment_too_small')
    await money.invest(memberId, '500')
    expect(await create({ amount: '0.99' }, PROBLEM)).toRefuse(422, 'top_up_too_small')
    expect(await create({ amount: '1' }, PROBLEM)).toAnswer(201)
  })

  it('holds at most ten open invoices a member', async () => {
    const { create } = await newcomer()
    for (let amount = 500; amount < 510; amount += 1) expect(await create({ amount })).toAnswer(201)
    expect(await create({ amount: 510 })).toAnswer(422)
    expect(await create({ amount: 500 })).toAnswer(201)
  })

  it('needs a signed-in member', async () => {
    const stranger = clientOf(money.server)
    expect(await stranger.post('plans/create-investment-payment/', { amount: 500 })).toAnswer(401)
  })
})

describe('paying with the passive balance', () => {
  it('becomes principal at once, the whole or a part of it', async () => {
    const { memberId, create, get } = await newcomer()
    await money.receive(memberId, '900')
    const message = '¡Transacción exitosa, inversión aumentada!'
    expect(await create({ amount: '600', payPasive: true })).toAnswer(200, { message })
    expect(await money.balancesOf(memberId)).toMatchObject({ principal: usdt('600'), balance: usdt('300') })
    expect((await get('plans/history/')).json().results).toMatchObject([
      { amount: '600.00', pay_with_balance: true, before_investment_value: '600.00', txn_id: null },
    ])
  })

  it('more than there is, or below the minimum, moves nothing', async () => {
    const { memberId, create } = await newcomer()
    await money.receive(memberId, '600')
    expect(await create({ amount: '600.000001', payPasive: true })).toAnswer(422)
    expect(await create({ amount: '499', payPasive: true })).toAnswer(422)
    expect(await money.balancesOf(memberId)).toMatchObject({ principal: 0n, balance: usdt('600') })
  })

  it('invests the balance so often a day, from whatever side and however many at once, and says when the next is possible', async () => {
    const { memberId, create, invoice, post } = await newcomer()
    await money.receive(memberId, '1000')
    expect(await create({ amount: 500, payPasive: true })).toAnswer(200)
    const { txn_id } = await invoice('1')
    const many = await Promise.all(
      Array.from({ length: 24 }, () => create({ amount: 1, payPasive: true }, PROBLEM)),
    )
    expect(many.filter(({ statusCode }) => statusCode === 200).length).toBe(19)
    const refused = many.find(({ statusCode }) => statusCode !== 200)
    expect(refused).toRefuse(422, 'balance_daily_limit')
    expect(refused?.json().detail).toMatch(/20 veces .* el 4 de mayo|20 veces .*4/)
    expect(await post(`plans/invoices/${txn_id}/complete/`, {}, PROBLEM)).toRefuse(422, 'balance_daily_limit')
    // A stolen role does no better.
    const made = query(db)`SELECT invest_balance(${memberId}, 'by hand', 1000000, 1, ${money.now})`
    expect(await made.then(() => null, constraintOf)).toBe('balance_is_invested_so_often')
    // What comes by chain is invested as ever, and another day the balance as well.
    await money.investOnly(memberId, '1')
    money.now = new Date(money.now.getTime() + 86_400_000)
    expect(await create({ amount: 1, payPasive: true })).toAnswer(200)
  })

  it('fifty times at once on a balance for one happens once', async () => {
    const { memberId, create } = await newcomer()
    await money.receive(memberId, '600')
    const once = () => create({ amount: 600, payPasive: true })
    const all = await Promise.all(Array.from({ length: 50 }, once))
    expect(all.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(await money.balancesOf(memberId)).toMatchObject({ principal: usdt('600'), balance: 0n })
  })

  it('is done once under one Idempotency-Key; the same key for something else is a conflict', async () => {
    const { memberId, create } = await newcomer()
    await money.receive(memberId, '1000')
    await create({ amount: 500, payPasive: true })
    const keyed = (amount: number) =>
      create({ amount, payPasive: true }, { 'idempotency-key': 'k'.repeat(200) })
    for (const answer of await Promise.all([keyed(5), keyed(5)])) expect(answer).toAnswer(200)
    expect(await keyed(6)).toAnswer(409)
    expect(await money.balancesOf(memberId)).toMatchObject({ principal: usdt('505'), balance: usdt('495') })
  })
})

describe('an invoice on its way', () => {
  const see = async (memberId: bigint, value: bigint, depth: bigint) => {
    await query(money.owner)`INSERT INTO chain_cursor VALUES ('devnet', 80, 'x', 100, 81, now())
      ON CONFLICT (network) DO NOTHING`
    await query(money.gateway.db)`
      INSERT INTO unconfirmed_transfer VALUES (${`${memberId}`.padStart(64, 'e')}, 0, ${memberId}, ${101n - depth}, ${value})`
  }

  it('is not seen, then confirming n of 19, then paid; verify says each', async () => {
    const { memberId, invoice, verify } = await newcomer()
    const { txn_id } = await invoice(1000)

    expect(await verify(txn_id)).toAnswer(422)
    const waiting = { state: 'waiting', amount: '1005.00', investment: '1000.00', fee: '5.00' }
    expect(await statusOf(txn_id)).toMatchObject(waiting)

    await see(memberId, 1_005_000_000n, 7n)
    expect(await verify(txn_id)).toAnswer(422, expect.stringContaining('7 de 19'))
    const confirming = { state: 'confirming', confirmations: 7, confirms_needed: 19 }
    expect(await statusOf(txn_id)).toMatchObject(confirming)

    const txid = await money.arrive(memberId, '1005')
    await creditTransfer(db, txid, 0, money.now)
    expect(await verify(txn_id)).toAnswer(200, expect.stringContaining('$1.000,00'))
    expect(await statusOf(txn_id)).toMatchObject({ state: 'paid', paid_txid: txid })
  })

  it('that got too little says what is missing', async () => {
    const { memberId, invoice, verify } = await newcomer()
    const { txn_id } = await invoice(1000)
    await money.receive(memberId, '900')
    expect(await verify(txn_id, ENGLISH)).toAnswer(422, expect.stringContaining('$105.00'))
    const shown = { state: 'partly_paid', received: '900.00', missing: '105.00', amount: '1005.00' }
    expect(await statusOf(txn_id)).toMatchObject(shown)
    expect((await invoice(1000)).amount).toBe('105.00')
  })

  it('of another member is not there, nor is one nobody made', async () => {
    const [mine, other] = [await newcomer(), await newcomer()]
    const { txn_id } = await mine.invoice(500)
    expect(await other.verify(txn_id)).toAnswer(404)
    expect(await mine.verify('nothing')).toAnswer(404)
    for (const none of ['x'.repeat(65), undefined, 5]) expect(await mine.verify(none)).toAnswer(400)
  })

  it('has a QR code of its address as a picture', async () => {
    const { qrcode_url } = await (await newcomer()).invoice(500)
    const answer = await money.server.call({ url: new URL(qrcode_url).pathname })
    expect(answer).toAnswer(200)
    expect(answer.headers['content-type']).toContain('image/svg+xml')
  })
})

describe('GET plans/history/', () => {
  it('pages newest first, with the value after each entry, and only one’s own', async () => {
    const { memberId, get } = await newcomer()
    for (const amount of ['500', '10', '20']) await money.invest(memberId, amount)
    const page = (search: string) => get(`plans/history/?${search}`)
    expect((await page('page_size=2')).json()).toMatchObject({
      count: 3,
      total_pages: 2,
      links: { previous: null },
      results: [{ before_investment_value: '530.00' }, { before_investment_value: '510.00' }],
    })
    expect((await page('page_size=2&page=2')).json().results).toHaveLength(1)
    expect(await page('page_size=2&page=3')).toAnswer(404)
    for (const none of ['0', '-1', '1.5', 'x', '1e9', '']) expect(await page(`page=${none}`)).toAnswer(400)
    const others = (await (await newcomer()).get('plans/history/')).json()
    expect(others).toMatchObject({ count: 0, total_pages: 1, results: [] })
  })
})
