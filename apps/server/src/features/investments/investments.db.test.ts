import { describe, expect, it } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { balancesOf } from '../../ledger/ledger.queries.ts'
import { createMoneyFixture } from '../../testing/money-fixture.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { creditTransfer } from '../deposits/credit.commands.ts'

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const { db } = money.server.context

type Headers = Record<string, string>

async function newcomer() {
  const memberId = await money.member()
  return { memberId, headers: await money.bearer(memberId) }
}
const post = (url: string, payload: unknown, headers: Headers) =>
  money.server.call({ method: 'POST', url: `/api/plans/${url}/`, payload: payload as object, headers })
const create = (payload: unknown, headers: Headers) => post('create-investment-payment', payload, headers)
const verify = (txn_id: string, headers: Headers) => post('verify-investment-amount', { txn_id }, headers)
const read = (url: string, headers: Headers = {}) => money.server.call({ url: `/api/plans/${url}`, headers })

describe('POST plans/create-investment-payment/', () => {
  it('answers an invoice: what to send, where to, and how long', async () => {
    const { headers } = await newcomer()
    expect(await create({ amount: '1000' }, headers)).toAnswer(201, {
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

  it('answers the open invoice for the same open amount, whether number or text', async () => {
    const { headers } = await newcomer()
    const first = (await create({ amount: 750 }, headers)).json().result
    money.now = new Date(money.now.getTime() + 60_000)
    const again = (await create({ amount: '750.00' }, headers)).json().result
    expect(again.txn_id).toBe(first.txn_id)
    expect(again.timeout).toBe(first.timeout - 60)
    money.now = new Date(money.now.getTime() + 3 * 3_600_000)
    expect((await create({ amount: 750 }, headers)).json().result.txn_id).not.toBe(first.txn_id)
  })

  it('sends to the same address every time, a different one for each member', async () => {
    const [a, b] = [await newcomer(), await newcomer()]
    const address = async (headers: Headers, amount: number) =>
      (await create({ amount }, headers)).json().result.address
    expect(await address(a.headers, 500)).toBe(await address(a.headers, 501))
    expect(await address(a.headers, 500)).not.toBe(await address(b.headers, 500))
  })

  it.each([
    ['nothing', {}],
    ['no amount', { amount: null }],
    ['zero', { amount: 0 }],
    ['a negative amount', { amount: -500 }],
    ['seven decimals', { amount: '500.0000001' }],
    ['an exponent', { amount: '5e2' }],
    ['a comma', { amount: '1,000' }],
    ['a word', { amount: 'NaN' }],
    ['a list', { amount: [500] }],
    ['an object', { amount: { amount: 500 } }],
    ['a boolean', { amount: true }],
    ['more than anybody has', { amount: '99999999999999999999' }],
    ['a checkbox that is none', { amount: 500, payPasive: 'maybe' }],
    ['no object at all', [500]],
  ])('refuses %s with 400, a sentence, and nothing stored', async (_what, payload) => {
    const { memberId, headers } = await newcomer()
    const answer = await create(payload, headers)
    expect(answer).toAnswer(400)
    expect(typeof answer.json()).toBe('string')
    const stored = await db.selectFrom('invoice').select('id').where('member_id', '=', memberId).execute()
    expect(stored).toEqual([])
  })

  it('says "La cantidad no es válida" in Spanish, the same in English when asked', async () => {
    const { headers } = await newcomer()
    expect((await create({ amount: 'x' }, headers)).json()).toMatch(/cantidad no es válida/)
    expect((await create({ amount: 'x' }, { ...headers, 'accept-language': 'en-US' })).json()).toMatch(
      /amount/i,
    )
  })

  it('refuses a first investment below 500 and a later one below 1, by the rule’s name', async () => {
    const { memberId, headers } = await newcomer()
    const problem = { ...headers, accept: 'application/problem+json' }
    expect((await create({ amount: '499.999999' }, problem)).json()).toMatchObject({
      status: 422,
      code: 'first_investment_too_small',
    })
    await money.invest(memberId, '500')
    expect((await create({ amount: '0.99' }, problem)).json()).toMatchObject({
      status: 422,
      code: 'top_up_too_small',
    })
    expect(await create({ amount: '1' }, problem)).toAnswer(201)
  })

  it('holds at most ten open invoices a member', async () => {
    const { headers } = await newcomer()
    for (let amount = 500; amount < 510; amount += 1) expect(await create({ amount }, headers)).toAnswer(201)
    expect(await create({ amount: 510 }, headers)).toAnswer(422)
    expect(await create({ amount: 500 }, headers)).toAnswer(201)
  })

  it('needs a signed-in member', async () => {
    expect(await create({ amount: 500 }, {})).toAnswer(401)
  })
})

describe('paying with the passive balance', () => {
  it('becomes principal at once, the whole or a part of it', async () => {
    const { memberId, headers } = await newcomer()
    await money.receive(memberId, '900')
    expect(await create({ amount: '600', payPasive: true }, headers)).toAnswer(200, {
      message: '¡Transacción exitosa, inversión aumentada!',
    })
    expect(await balancesOf(db, memberId)).toMatchObject({
      principal: 600_000_000n,
      balance: 300_000_000n,
    })
    const history = (await read('history/', headers)).json()
    expect(history.results).toMatchObject([
      { amount: '600.00', pay_with_balance: true, before_investment_value: '600.00', txn_id: null },
    ])
  })

  it('more than there is, or below the minimum, moves nothing', async () => {
    const { memberId, headers } = await newcomer()
    await money.receive(memberId, '600')
    expect(await create({ amount: '600.000001', payPasive: true }, headers)).toAnswer(422)
    expect(await create({ amount: '499', payPasive: true }, headers)).toAnswer(422)
    expect(await balancesOf(db, memberId)).toMatchObject({ principal: 0n, balance: 600_000_000n })
  })

  it('fifty times at once on a balance for one happens once', async () => {
    const { memberId, headers } = await newcomer()
    await money.receive(memberId, '600')
    const all = await Promise.all(
      Array.from({ length: 50 }, () => create({ amount: 600, payPasive: true }, headers)),
    )
    expect(all.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(await balancesOf(db, memberId)).toMatchObject({ principal: 600_000_000n, balance: 0n })
  })

  it('is done once under one Idempotency-Key; the same key for something else is a conflict', async () => {
    const { memberId, headers } = await newcomer()
    await money.receive(memberId, '1000')
    await create({ amount: 500, payPasive: true }, headers)
    const keyed = { ...headers, 'idempotency-key': 'k'.repeat(200) }
    const both = await Promise.all([
      create({ amount: 5, payPasive: true }, keyed),
      create({ amount: 5, payPasive: true }, keyed),
    ])
    expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(await create({ amount: 6, payPasive: true }, keyed)).toAnswer(409)
    expect(await balancesOf(db, memberId)).toMatchObject({
      principal: 505_000_000n,
      balance: 495_000_000n,
    })
  })
})

describe('an invoice on its way', () => {
  const see = async (memberId: bigint, value: bigint, depth: bigint) => {
    await query(money.gateway.db)`INSERT INTO chain_cursor VALUES ('devnet', 80, 'x', 100, 81, now())
      ON CONFLICT (network) DO NOTHING`
    await query(money.gateway.db)`
      INSERT INTO unconfirmed_transfer VALUES (${`${memberId}`.padStart(64, 'e')}, 0, ${memberId}, ${101n - depth}, ${value})`
  }

  it('is not seen, then confirming n of 19, then paid; verify says each', async () => {
    const { memberId, headers } = await newcomer()
    const { txn_id } = (await create({ amount: 1000 }, headers)).json().result
    const status = async () => (await read(`invoices/${txn_id}/`)).json()

    expect(await verify(txn_id, headers)).toAnswer(422)
    expect(await status()).toMatchObject({
      state: 'waiting',
      amount: '1005.00',
      investment: '1000.00',
      fee: '5.00',
    })

    await see(memberId, 1_005_000_000n, 7n)
    const confirming = await verify(txn_id, headers)
    expect(confirming).toAnswer(422, expect.stringContaining('7 de 19'))
    expect(await status()).toMatchObject({ state: 'confirming', confirmations: 7, confirms_needed: 19 })

    const txid = await money.arrive(memberId, '1005')
    await creditTransfer(db, txid, 0, money.now)
    const paid = await verify(txn_id, headers)
    expect(paid).toAnswer(200, expect.stringContaining('1,000.00 USD'))
    expect(await status()).toMatchObject({ state: 'paid', paid_txid: txid })
  })

  it('that got too little says what is missing', async () => {
    const { memberId, headers } = await newcomer()
    const { txn_id } = (await create({ amount: 1000 }, headers)).json().result
    await money.receive(memberId, '900')
    expect(await verify(txn_id, { ...headers, 'accept-language': 'en' })).toAnswer(
      422,
      expect.stringContaining('105.00 USD'),
    )
    expect((await read(`invoices/${txn_id}/`)).json()).toMatchObject({ state: 'short', received: '900.00' })
  })

  it('of somebody else is not there, nor is one nobody made', async () => {
    const [mine, other] = [await newcomer(), await newcomer()]
    const { txn_id } = (await create({ amount: 500 }, mine.headers)).json().result
    expect(await verify(txn_id, other.headers)).toAnswer(404)
    expect(await verify('nothing', mine.headers)).toAnswer(404)
    expect(await verify('x'.repeat(65), mine.headers)).toAnswer(400)
    expect(await post('verify-investment-amount', {}, mine.headers)).toAnswer(400)
    expect(await post('verify-investment-amount', { txn_id: 5 }, mine.headers)).toAnswer(400)
  })

  it('has a QR code of its address as a picture', async () => {
    const { headers } = await newcomer()
    const { qrcode_url } = (await create({ amount: 500 }, headers)).json().result
    const answer = await money.server.call({ url: new URL(qrcode_url).pathname })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      200,
      expect.stringContaining('image/svg+xml'),
    ])
  })
})

describe('GET plans/history/', () => {
  it('pages newest first, with the value after each entry, and only one’s own', async () => {
    const { memberId, headers } = await newcomer()
    for (const amount of ['500', '10', '20']) await money.invest(memberId, amount)
    const first = (await read('history/?page_size=2', headers)).json()
    expect(first).toMatchObject({ count: 3, total_pages: 2, links: { previous: null } })
    expect(
      first.results.map((row: { before_investment_value: string }) => row.before_investment_value),
    ).toEqual(['530.00', '510.00'])
    expect((await read('history/?page_size=2&page=2', headers)).json().results).toHaveLength(1)
    expect(await read('history/?page_size=2&page=3', headers)).toAnswer(404)
    for (const page of ['0', '-1', '1.5', 'x', '1e9', ''])
      expect(await read(`history/?page=${page}`, headers)).toAnswer(400)
    expect((await read('history/', (await newcomer()).headers)).json()).toMatchObject({
      count: 0,
      total_pages: 1,
      results: [],
    })
  })
})
