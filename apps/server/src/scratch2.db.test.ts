import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { fold } from './features/accounts/accounts.rules.ts'
import { createMoneyHouse, type MoneyHouse } from './testing/money-house.ts'

let house: MoneyHouse
beforeAll(async () => {
  house = await createMoneyHouse(inject('ownerUrl'), '2026-05-03T15:00:00Z')
})
afterAll(() => house?.close())

it('odd http', async () => {
  const m = await house.member()
  const auth = await house.bearer(m)
  const { call } = house.server
  const show = async (name: string, o: any) => {
    const a = await call(o)
    console.log(
      name.padEnd(34),
      a.statusCode,
      String(a.headers['content-type'] ?? '-'),
      a.headers['allow'] ?? '',
      a.body.slice(0, 140),
    )
  }
  await show('HEAD user', { method: 'HEAD', url: '/api/auth/user/', headers: auth })
  await show('HEAD user anon', { method: 'HEAD', url: '/api/auth/user/' })
  await show('OPTIONS user', { method: 'OPTIONS', url: '/api/auth/user/' })
  await show('PUT user', { method: 'PUT', url: '/api/auth/user/', headers: auth })
  await show('PATCH user', { method: 'PATCH', url: '/api/auth/user/', headers: auth })
  await show('page 10 digits', { url: '/api/plans/history/?page=10000000000', headers: auth })
  await show('page 1e9', { url: '/api/plans/history/?page=999999999', headers: auth })
  await show('page empty', { url: '/api/plans/history/?page=', headers: auth })
  await show('page 01', { url: '/api/plans/history/?page=01', headers: auth })
  await show('page +1', { url: '/api/plans/history/?page=+1', headers: auth })
  await show('page_size 0', { url: '/api/plans/history/?page_size=0', headers: auth })
  await show('page 2 of none', { url: '/api/plans/history/?page=2', headers: auth })
  await show('unknown query', { url: '/api/plans/history/?foo=%00&page=1', headers: auth })
  await show('bad pct query', { url: '/api/plans/history/?foo=%zz', headers: auth })
  await show('dup slashes', { url: '/api//plans/history/', headers: auth })
  await show('two trailing', { url: '/api/plans/history//', headers: auth })
  await show('big query', { url: `/api/plans/history/?x=${'y'.repeat(7000)}`, headers: auth })
  await show('POST none', { method: 'POST', url: '/api/plans/create-investment-payment/', headers: auth })
  await show('POST empty json', {
    method: 'POST',
    url: '/api/plans/create-investment-payment/',
    headers: { ...auth, 'content-type': 'application/json' },
    payload: '',
  })
  await show('POST refresh none', { method: 'POST', url: '/api/auth/token/refresh/' })
  await show('POST refresh null', {
    method: 'POST',
    url: '/api/auth/token/refresh/',
    payload: { refresh: null },
  })
  await show('POST refresh num', { method: 'POST', url: '/api/auth/token/refresh/', payload: { refresh: 5 } })
  await show('POST refresh json null', {
    method: 'POST',
    url: '/api/auth/token/refresh/',
    headers: { 'content-type': 'application/json' },
    payload: 'null',
  })
  await show('POST refresh empty json', {
    method: 'POST',
    url: '/api/auth/token/refresh/',
    headers: { 'content-type': 'application/json' },
    payload: '',
  })
  await show('POST refresh long', {
    method: 'POST',
    url: '/api/auth/token/refresh/',
    payload: { refresh: 'x'.repeat(5000) },
  })
  await show('POST logout none', { method: 'POST', url: '/api/auth/logout/' })
  await show('POST logout bearer null', {
    method: 'POST',
    url: '/api/auth/logout/',
    headers: { authorization: 'Bearer null' },
    payload: { refresh: 'x' },
  })
  await show('POST token bearer null', {
    method: 'POST',
    url: '/api/auth/token/',
    headers: { authorization: 'Bearer null', 'accept-language': 'en' },
    payload: { email: 'nobody', password: 'x' },
  })
  await show('token NUL', {
    method: 'POST',
    url: '/api/auth/token/',
    payload: { email: 'no\u0000body', password: 'x' },
  })
  await show('token surrogate', {
    method: 'POST',
    url: '/api/auth/token/',
    headers: { 'content-type': 'application/json' },
    payload: '{"email":"a\\ud800b","password":"x"}',
  })
  await show('register surrogate', {
    method: 'POST',
    url: '/api/auth/register/0/',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({
      username: 'surro1',
      email: 'surro@example.com',
      password: 'secret-pass',
      password2: 'secret-pass',
      captcha: 'x',
      first_name: 'A',
    }).replace('"A"', '"A\\ud800"'),
  })
  await show('token array', { method: 'POST', url: '/api/auth/token/', payload: [] as any })
  await show('multipart invest', {
    method: 'POST',
    url: '/api/plans/create-investment-payment/',
    headers: { ...auth, 'content-type': 'multipart/form-data; boundary=x' },
    payload: '--x--',
  })
  await show('text ct, empty', {
    method: 'POST',
    url: '/api/auth/logout/',
    headers: { 'content-type': 'text/plain' },
  })
  await show('form ct empty body', {
    method: 'POST',
    url: '/api/demo/advance-day/',
    headers: { ...auth, 'content-type': 'application/x-www-form-urlencoded' },
  })
  await show('json ct no body advance', {
    method: 'POST',
    url: '/api/demo/advance-day/',
    headers: { ...auth, 'content-type': 'application/json' },
  })
  for (const amount of [
    '1e3',
    '1,000',
    ' 500',
    '500 ',
    '+500',
    '0500',
    '.5',
    '500.',
    '500.0000000',
    -1,
    0,
    '0.00',
    1e21,
    500.1234567,
    true,
    '٥٠٠',
    '9'.repeat(31),
    '9'.repeat(40),
    '1000000000',
    '100000000.01',
  ])
    await show(`amount ${String(amount).slice(0, 14)}`, {
      method: 'POST',
      url: '/api/plans/create-investment-payment/',
      headers: { ...auth, 'accept-language': 'en' },
      payload: { amount },
    })
  for (const payPasive of [null, 'true', 'True', 'on', 1, 0, '1', 'false', ''])
    await show(`payPasive ${payPasive}`, {
      method: 'POST',
      url: '/api/plans/create-investment-payment/',
      headers: { ...auth, 'accept-language': 'en' },
      payload: { amount: 600, payPasive },
    })
  await show('verify none', {
    method: 'POST',
    url: '/api/plans/verify-investment-amount/',
    headers: auth,
    payload: {},
  })
  await show('verify unknown', {
    method: 'POST',
    url: '/api/plans/verify-investment-amount/',
    headers: auth,
    payload: { txn_id: 'abc' },
  })
  await show('verify number', {
    method: 'POST',
    url: '/api/plans/verify-investment-amount/',
    headers: auth,
    payload: { txn_id: 5 },
  })
  await show('verify NUL problem', {
    method: 'POST',
    url: '/api/plans/verify-investment-amount/',
    headers: { ...auth, accept: 'application/problem+json' },
    payload: { txn_id: 'a\u0000' },
  })
  await show('verify long', {
    method: 'POST',
    url: '/api/plans/verify-investment-amount/',
    headers: auth,
    payload: { txn_id: 'a'.repeat(65) },
  })
  await show('invoice unknown', {
    url: '/api/plans/invoices/abc/',
    headers: { authorization: 'Bearer null' },
  })
  await show('invoice NUL', { url: '/api/plans/invoices/a%00/' })
  await show('qr unknown', { url: '/api/plans/invoices/abc/qrcode.svg' })
  await show('key space', {
    method: 'POST',
    url: '/api/plans/create-investment-payment/',
    headers: { ...auth, 'idempotency-key': 'a b' },
    payload: { amount: 600 },
  })
  await show('key empty', {
    method: 'POST',
    url: '/api/plans/create-investment-payment/',
    headers: { ...auth, 'idempotency-key': '' },
    payload: { amount: 600 },
  })
  await show('key long', {
    method: 'POST',
    url: '/api/plans/create-investment-payment/',
    headers: { ...auth, 'idempotency-key': 'x'.repeat(201) },
    payload: { amount: 600 },
  })
  await show('bearer lower', {
    url: '/api/auth/user/',
    headers: { authorization: auth.authorization.replace('Bearer', 'bearer') },
  })
  await show('token in Basic', { url: '/api/auth/user/', headers: { authorization: 'Basic abc' } })
  await show('accept-language junk', {
    url: '/api/auth/user/',
    headers: { 'accept-language': ';;;q=,*;q=9,en' },
  })
  await show('avatar', { url: '/api/avatars/%3C.svg' })
  await show('docs', { url: '/api/docs' })
  await show('metrics', { url: '/api/metrics' })
  await show('ref weird', {
    method: 'POST',
    url: '/api/auth/register/00/',
    payload: {
      username: 'abcabc',
      email: 'abc@example.com',
      password: 'secret-pass',
      password2: 'secret-pass',
      captcha: 'x',
    },
  })
  await show('ref 0', {
    method: 'POST',
    url: '/api/auth/register/0/',
    payload: {
      username: 'abcabc',
      email: 'abc@example.com',
      password: 'secret-pass',
      password2: 'secret-pass',
      captcha: 'x',
    },
  })
  await show('register form long pw', {
    method: 'POST',
    url: '/api/auth/register/0/',
    payload: {
      username: 'abcabd',
      email: 'abd@example.com',
      password: '\u{1F600}'.repeat(10),
      password2: '\u{1F600}'.repeat(10),
      captcha: 'x',
    },
  })
  await show('user', { url: '/api/auth/user/', headers: auth })
  await show('dash', { url: '/api/core/dashboard/', headers: auth })
  const url = await house.server.api.listen({ port: 0, host: '127.0.0.1' })
  const port = Number(new URL(url).port)
  const raw = (text: string) =>
    new Promise<string>((resolve) => {
      const s = connect(port, '127.0.0.1')
      let out = ''
      s.on('data', (d) => {
        out += d
      })
      s.on('close', () => resolve(out))
      s.on('error', () => resolve(`${out} ERR`))
      s.write(text)
      setTimeout(() => s.end(), 500)
    })
  console.log(
    'RAW huge header:',
    (await raw(`GET /api/auth/user/?${'x'.repeat(20000)} HTTP/1.1\r\nhost: a\r\n\r\n`)).slice(0, 300),
  )
  console.log('RAW bad request:', (await raw(`GET /api/auth/user/ HTTP/9.9\r\n\r\n`)).slice(0, 300))
  console.log(
    'RAW absolute url:',
    (
      await raw(
        `GET http://evil.example/api/plans/history/?page=1 HTTP/1.1\r\nhost: a\r\nauthorization: ${auth.authorization}\r\nconnection: close\r\n\r\n`,
      )
    ).slice(-300),
  )
  console.log(
    'RAW //evil:',
    (await raw(`GET //evil.example/x HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)).slice(-200),
  )
  console.log(
    'RAW no content-length:',
    (await raw(`POST /api/auth/logout/ HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)).slice(0, 60),
  )
  void httpRequest
})

it('letters whose lower case differs', async () => {
  const bad: string[] = []
  for (let from = 0; from < 0x30000; from += 0x4000) {
    const rows = []
    for (let c = from; c < from + 0x4000; c += 1) {
      if ((c >= 0xd800 && c < 0xe000) || c === 0) continue
      const ch = String.fromCodePoint(c)
      if (!/[\p{L}\p{N}]/u.test(ch)) continue
      rows.push(fold(ch))
    }
    const { rows: got } = await sql<{
      v: string
    }>`SELECT v FROM unnest(${rows}::text[]) v WHERE v <> lower(v)`.execute(house.server.context.db)
    bad.push(...got.map(({ v }) => v))
  }
  console.log(
    'PG lower differs for',
    bad.length,
    bad.slice(0, 20),
    bad.map((c) => c.codePointAt(0)?.toString(16)).slice(0, 20),
  )
  const multi = []
  for (let c = 0; c < 0x30000; c += 1) {
    if (c >= 0xd800 && c < 0xe000) continue
    const ch = String.fromCodePoint(c)
    if (!/[\p{L}\p{N}]/u.test(ch)) continue
    const f = fold(ch)
    if (!/^[\p{L}\p{N}\p{M}_.-]+$/u.test(f)) multi.push(`${ch}→${f}`)
  }
  console.log('folds to odd', multi.length, multi.slice(0, 40).join(' '))
  expect(1).toBe(1)
})
