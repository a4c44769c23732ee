import { createConnection } from 'node:net'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { addMember, addWithdrawal, bodyOf, openOffice, URL_OF_PAGE, WALLET } from './testing/office.ts'

const office = await openOffice(inject('ownerUrl'))
afterAll(() => office.close())

const HOST = 'localhost:3002'
const HOUR = 3_600_000
const get = (url: string, headers: Record<string, string> = {}) =>
  office.server().inject({ url, headers: { host: HOST, ...headers } })
const post = (payload: unknown, headers: Record<string, string> = {}, server = office.server()) =>
  server.inject({
    method: 'POST',
    url: '/api/approvals/',
    headers: { host: HOST, origin: URL_OF_PAGE, 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  })
/** All that comes back for these bytes, until the connection ends. */
async function answerTo(address: string, bytes: string): Promise<string> {
  const socket = createConnection(Number(new URL(address).port), '127.0.0.1', () => socket.write(bytes))
  return Buffer.concat(await socket.toArray()).toString('utf8')
}
const listed = async () => (await get('/api/list/')).json()

const [olga, omar] = [await addMember(office, true), await addMember(office, true)]
const ana = await addMember(office)

describe('the list', () => {
  it('shows what waits, whole, with what an operator should know of it', async () => {
    const before = new Date(Date.now() - 2 * HOUR)
    await office.owner.query("SELECT record_security_event($1, 'wallet_changed', $2, '', '', '{}')", [
      ana,
      before,
    ])
    const first = await addWithdrawal(office, { memberId: ana, needed: 2, risks: ['new_wallet'], at: before })
    const second = await addWithdrawal(office, { memberId: ana, amount: 7_000_000n })
    await office.owner.query(
      'INSERT INTO withdrawal_approval (member_id, withdrawal_id, operator_id, at) VALUES ($1, $2, $3, now())',
      [ana, first.withdrawalId, olga],
    )
    // Of the day before, and of another state: neither counts.
    await addWithdrawal(office, { memberId: ana, at: new Date(before.getTime() - 25 * HOUR) })
    const cancelled = await addWithdrawal(office, { memberId: ana, at: new Date(before.getTime() - HOUR) })
    await office.owner.query(
      "UPDATE withdrawal SET state = 'cancelled', closed_at = now(), close_journal_id = 1 WHERE id = $1",
      [cancelled.withdrawalId],
    )
    await post(bodyOf(omar, [first]))
    const { rows, operators, stopped } = await listed()
    const rowOf = ({ withdrawalId }: typeof first) =>
      rows.find(({ id }: { id: string }) => id === String(withdrawalId))
    expect(rowOf(first)).toMatchObject({
      id: String(first.withdrawalId),
      member_id: String(ana),
      name: expect.stringContaining('Ana'),
      amount: '5000000',
      fee: '1000000',
      wallet: WALLET,
      risks: ['new_wallet'],
      needed: 2,
      due_at: new Date(before.getTime() + 72 * HOUR).toISOString(),
      soon_at: new Date(before.getTime() + 60 * HOUR).toISOString(),
      day_sum: '12000000',
      wallet_changed_at: before.toISOString(),
      approvals: [{ operator: String(olga) }],
      waiting: [{ operator: String(omar) }],
    })
    expect(rowOf(second)).toMatchObject({ approvals: [], waiting: [], day_sum: '12000000' })
    expect(operators.map(({ id }: { id: string }) => id)).toEqual([String(olga), String(omar)])
    expect(stopped).toBe(false)
  })

  it('says by which clock requests are dated, and whose account is frozen', async () => {
    const bob = await addMember(office)
    await addWithdrawal(office, { memberId: bob })
    const ofBob = async () =>
      (await listed()).rows.find(({ member_id: id }: { member_id: string }) => id === String(bob))
    const freeze = (frozen: boolean) =>
      office.owner.query("SELECT freeze_member($1, $2, 'asked to', $3, now())", [bob, frozen, olga])
    await freeze(true)
    await office.owner.query('INSERT INTO demo_clock (offset_ms) VALUES (86400000)')
    expect(await ofBob()).toMatchObject({ due_at: null, soon_at: null })
    expect(await listed()).toMatchObject({ clock_ahead: 86_400_000 })
    await office.owner.query('DELETE FROM demo_clock')
  })

  it('is sent once: whoever has it is told that nothing changed', async () => {
    const first = await get('/api/list/')
    const tag = String(first.headers['etag'])
    const again = await get('/api/list/', { 'if-none-match': tag })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    await addWithdrawal(office, { memberId: ana })
    expect((await get('/api/list/', { 'if-none-match': tag })).statusCode).toBe(200)
  })

  it('is read at most once a second, however many look at it', async () => {
    const server = office.server()
    const ask = async () =>
      (await server.inject({ url: '/api/list/', headers: { host: HOST } })).json().rows.length
    const before = await ask()
    await addWithdrawal(office, { memberId: ana })
    expect(await ask()).toBe(before)
    office.clock.now += 1_000
    expect(await ask()).toBe(before + 1)
  })
})

describe('an approval that is handed in', () => {
  it('is stored as it is, with its rows in their order, for the signer to decide', async () => {
    const rows = [
      await addWithdrawal(office, { memberId: ana }),
      await addWithdrawal(office, { memberId: ana }),
    ]
    const body = bodyOf(olga, rows)
    const answer = await post(body)
    expect(answer.statusCode).toBe(201)
    const { id } = answer.json()
    const stored = await office.owner.query('SELECT * FROM approval WHERE id = $1', [id])
    expect(stored.rows[0]).toMatchObject({
      operator_id: String(olga),
      network: 'devnet',
      nonce: body.nonce,
      root: body.root,
      proof: body.proof,
      state: 'submitted',
    })
    const places = await office.owner.query(
      'SELECT withdrawal_id FROM approval_row WHERE approval_id = $1 ORDER BY position',
      [id],
    )
    expect(places.rows.map((row) => BigInt(row.withdrawal_id))).toEqual(rows.map((row) => row.withdrawalId))
    expect((await get(`/api/approvals/${id}/`)).json()).toEqual({
      id,
      state: 'submitted',
      refusal: null,
      expired: false,
      count: 2,
      complete: 0,
      given: 0,
      needed: 1,
    })
  })

  it('says what the signer found', async () => {
    const row = await addWithdrawal(office, { memberId: ana })
    const { id } = (await post(bodyOf(olga, [row]))).json()
    await office.owner.query("SELECT refuse_approval($1, 'code_wrong')", [id])
    expect((await get(`/api/approvals/${id}/`)).json()).toMatchObject({
      state: 'refused',
      refusal: 'code_wrong',
    })
  })

  type Change = (body: ReturnType<typeof bodyOf>) => unknown
  const withFields =
    (changes: object): Change =>
    (body) => ({ ...body, ...changes })
  /** Its one row is another. */
  const withRow =
    (changes: object): Change =>
    (body) => ({ ...body, rows: [{ ...body.rows[0], ...changes }] })
  it.each<[string, number, string, Change]>([
    ['whose hash is of another list', 400, 'list_differs', withFields({ root: 'ab'.repeat(32) })],
    ['with a row that was not signed', 400, 'list_differs', withRow({ id: '9' })],
    ['of somebody who is no operator', 409, 'not_an_operator', withFields({ operator: String(ana) })],
    ['that has ended', 409, 'approval_expired', withFields({ expires_at: 1_000 })],
    ['that lasts for ever', 409, 'approval_expired', withFields({ expires_at: 3e12 })],
    ['that lasts beyond all dates', 400, 'bad_request', withFields({ expires_at: 9e15 })],
    ['with a row twice', 400, 'bad_request', (body) => ({ ...body, rows: [...body.rows, ...body.rows] })],
    ['without rows', 400, 'bad_request', withFields({ rows: [] })],
    ['with a field of its own', 400, 'bad_request', withFields({ network: 'mainnet' })],
    ['with an amount below zero', 400, 'bad_request', withRow({ amount: '-5' })],
    ['with an amount that is a number', 400, 'bad_request', withRow({ amount: 5 })],
    ['with an amount past every column', 400, 'bad_request', withRow({ amount: '9'.repeat(19) })],
    ['with a wallet that holds a separator', 400, 'bad_request', withRow({ wallet: 'T|1' })],
    ['with an unknown proof', 400, 'bad_request', withFields({ proof: { kind: 'none' } })],
    ['with a code of letters', 400, 'bad_request', withFields({ proof: { kind: 'code', code: 'abcdef' } })],
    ['that is a list', 400, 'bad_request', () => []],
    ['that is null', 400, 'bad_request', () => 'null'],
    ['that is no JSON', 400, 'bad_request', () => '{"operator":'],
    ['that reaches for a prototype', 400, 'bad_request', () => '{"__proto__":{"operator":"1"}}'],
  ])('%s is refused', async (_what, status, code, change) => {
    const row = await addWithdrawal(office, { memberId: ana })
    const answer = await post(change(bodyOf(olga, [row])))
    expect([answer.statusCode, answer.json()]).toEqual([status, { code }])
  })

  it('is taken once', async () => {
    const row = await addWithdrawal(office, { memberId: ana })
    const body = bodyOf(olga, [row])
    expect((await post(body)).statusCode).toBe(201)
    expect((await post(body)).json()).toEqual({ code: 'approval_used' })
  })

  it('may have ten thousand rows, and no megabytes beside them', async () => {
    const row = { withdrawalId: 1n, memberId: ana, amount: 5n, fee: 1n, wallet: WALLET }
    const many = Array.from({ length: 10_000 }, (_, at) => ({
      ...row,
      withdrawalId: 10n ** 17n + BigInt(at),
    }))
    expect((await post(bodyOf(omar, many))).statusCode).toBe(201)
    expect((await post(`"${'x'.repeat(2_600_000)}"`)).json()).toEqual({ code: 'too_large' })
  })

  it.each(['0', '-1', '1.5', 'abc', '9'.repeat(30), '1;drop'])('has no number like %s', async (id) => {
    expect((await get(`/api/approvals/${encodeURIComponent(id)}/`)).statusCode).toBe(404)
  })
})

describe('who may ask', () => {
  it.each(['evil.example', 'localhost.evil.example', 'localhost:3003.evil.example'])(
    'nobody under the name %s, which somebody else may have pointed here',
    async (host) => {
      for (const url of ['/', '/api/list/', '/api/settings/'])
        expect((await get(url, { host })).json()).toEqual({ code: 'wrong_host' })
    },
  )

  it('under an IP address the page and where it belongs, and none of its data', async () => {
    const host = '192.168.1.20:3002'
    expect((await get('/', { host })).statusCode).toBe(200)
    expect((await get('/api/settings/', { host })).json()).toMatchObject({ url: URL_OF_PAGE })
    expect((await get('/api/list/', { host })).json()).toEqual({ code: 'wrong_host' })
    expect((await get('/api/approvals/1/', { host })).json()).toEqual({ code: 'wrong_host' })
  })

  it.each([
    ['no origin', undefined],
    ['another origin', 'https://evil.example'],
    ['no origin of any page', 'null'],
    ['another port of this machine', 'http://localhost:3000'],
  ])('nobody with %s hands in an approval', async (_what, origin) => {
    const answer = await office.server().inject({
      method: 'POST',
      url: '/api/approvals/',
      headers: { host: HOST, 'content-type': 'application/json', ...(origin !== undefined && { origin }) },
      payload: '{}',
    })
    expect([answer.statusCode, answer.json()]).toEqual([403, { code: 'wrong_page' }])
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'nobody with a form of %s',
    async (type) => {
      const answer = await post('{}', { 'content-type': type })
      expect([answer.statusCode, answer.json()]).toEqual([415, { code: 'bad_request' }])
    },
  )

  it('so often a minute and no more', async () => {
    const server = office.server()
    const answers = await Promise.all(Array.from({ length: 31 }, () => post('{}', {}, server)))
    expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(30)
    expect(answers.filter((answer) => answer.json().code === 'too_many_requests')).toHaveLength(1)
  })
})

describe('the files', () => {
  it('come with a policy that lets through nothing but themselves', async () => {
    const { headers, body } = await get('/')
    expect(body).toContain('approvals')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain(
      "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    )
    expect(policy).not.toContain('unsafe')
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
  })

  it('and every other answer, those to no request at all included, keep to https and out of frames', async () => {
    const url = new URL('https://approvals.example')
    const server = office.server({ url })
    const address = await server.listen({ port: 0, host: '127.0.0.1' })
    const heads = [
      ...['GET /', 'GET /assets/page-1a2b.js', 'GET /gone', 'GET /%zz', 'POST /api/approvals/', 'PUT /'].map(
        (line) => `${line} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: close\r\n\r\n`,
      ),
      'GET / HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n',
      `GET /?${'x'.repeat(40_000)} HTTP/1.1\r\n\r\n`,
      'hello\r\n\r\n',
    ]
    const answers = await Promise.all(heads.map((head) => answerTo(address, head)))
    await server.close()
    for (const [index, answer] of answers.entries()) {
      const [head = ''] = answer.split('\r\n\r\n')
      expect
        .soft(head, heads[index])
        .toMatch(/^strict-transport-security: max-age=31536000; includeSubDomains$/im)
      expect
        .soft(head)
        .toMatch(/^content-security-policy: .*object-src 'none'; base-uri 'none'; .*frame-ancestors 'none'/im)
      expect.soft(head).toMatch(/^x-content-type-options: nosniff$/im)
      expect.soft(head).toMatch(/^referrer-policy: no-referrer$/im)
      expect.soft(head).toMatch(/^cross-origin-opener-policy: same-origin$/im)
    }
  })

  it('are not served once a byte was changed under us, and whoever reads the log is told', async () => {
    await office.page.changeByte('assets/page-1a2b.js')
    const answer = await get('/assets/page-1a2b.js')
    expect([answer.statusCode, answer.json()]).toEqual([500, { code: 'file_altered' }])
    expect(office.reported.join()).toContain('page-1a2b.js')
    await office.page.restore('assets/page-1a2b.js')
    expect((await get('/assets/page-1a2b.js')).statusCode).toBe(200)
  })

  it.each([
    '/notes.txt',
    '/manifest.json',
    '/../package.json',
    '/%2e%2e/package.json',
    '/assets/..%2f..%2fx',
    '/%00',
    '/%',
  ])('are all there is at %s', async (url) => {
    const answer = await get(url)
    expect([400, 404]).toContain(answer.statusCode)
    expect(Object.keys(answer.json())).toEqual(['code'])
  })
})
