import { connect } from '@aval/db'
import { DEVNET } from '@aval/tron'
import { sql } from 'kysely'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { features } from '../../../features.ts'
import { accessOf, createTestServer, TEST_PASSWORD } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { depositAddressOf } from '../../investments/investments.queries.ts'
import { findCoolingEnd } from '../security-log/security-log.queries.ts'
import {
  accountCalls,
  emailCodeFor,
  FIREFOX,
  headersOf,
  mailsTo,
  memberFixture,
  patch,
  walletOf,
} from '../testing/member-fixture.ts'

const server = await suiteFixture(createTestServer, features)
const { changed, eventsOf, send, user } = accountCalls(server)
const COLD = walletOf(250)
beforeAll(async () => {
  const owner = connect(server.database.ownerUrl, 1)
  await sql`INSERT INTO custody_address (address, role, opening) VALUES (${COLD}, 'cold', 0)`.execute(
    owner.db,
  )
  await owner.close()
})

describe('a new wallet', () => {
  it('takes a code, which goes to the present address, and changes nothing before', async () => {
    const ana = await memberFixture(server)
    const wallet = walletOf(2)
    const answer = await send(ana, { usdt_wallet: wallet, first_name: 'Ana' })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toContain('p…@example.com')
    expect(answer.json()).toContain('nothing changes until then')
    expect(await user(ana)).toMatchObject({ usdt_wallet: '', first_name: '' })
    const [letter] = await mailsTo(server, ana.id)
    expect(letter).toMatchObject({
      template: 'profile_code',
      to: ana.email,
      params: { change: 'wallet', newWallet: wallet, code: expect.stringMatching(/^\d{7}$/) },
    })
    expect(letter?.params['notMeUrl']).toMatch(/^http:\/\/localhost:3000\/auth\/not-me\//)

    const code = await emailCodeFor(server, ana.id)
    expect((await send(ana, { usdt_wallet: wallet, first_name: 'Ana', secret_code: code })).json()).toBe(
      'Your changes are saved.',
    )
    expect(await user(ana)).toMatchObject({ usdt_wallet: wallet, first_name: 'Ana' })
  })

  it('is told to the member, stands in both trails, and money cools for a day', async () => {
    const ana = await memberFixture(server)
    await changed(ana, { usdt_wallet: walletOf(3) })
    await changed(ana, { usdt_wallet: walletOf(4) })
    const details = { previous: walletOf(3), wallet: walletOf(4) }
    expect(await eventsOf(ana)).toMatchObject([
      { kind: 'wallet_changed', details: { previous: '', wallet: walletOf(3) } },
      { kind: 'wallet_changed', details, user_agent: expect.stringContaining('Firefox') },
    ])
    expect((await mailsTo(server, ana.id)).at(-1)).toMatchObject({
      template: 'wallet_changed',
      to: ana.email,
      params: { ...details, coolsUntil: expect.any(String), notMeUrl: expect.any(String) },
    })
    const { rows } = await sql<{ details: unknown }>`
      SELECT details FROM audit_event WHERE actor_id = ${ana.id} AND action = 'profile.wallet' AND outcome = 'done'
      ORDER BY id DESC LIMIT 1`.execute(server.context.db)
    expect(rows[0]?.details).toEqual(details)
    const until = await findCoolingEnd(server.context.db, ana.id, server.context.config)
    const hours = ((until?.getTime() ?? 0) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThanOrEqual(24)
    const security = await server.call({ url: '/api/auth/security/', headers: headersOf(ana) })
    expect(security.json()).toEqual({ locked: false, cools_until: until?.toISOString(), cooling_hours: 24 })
  })

  it('is the very one that the code was made for', async () => {
    const ana = await memberFixture(server)
    await send(ana, { usdt_wallet: walletOf(5) })
    const secret_code = await emailCodeFor(server, ana.id)
    for (const other of [
      { usdt_wallet: walletOf(6) },
      { usdt_wallet: walletOf(5), email: 'else@example.com' },
    ]) {
      const answer = await send(ana, { ...other, secret_code }, { accept: 'application/problem+json' })
      expect(answer.json()).toMatchObject({
        status: 422,
        code: 'code_for_other',
        errors: [{ path: 'secret_code' }],
      })
    }
    expect(await user(ana)).toMatchObject({ usdt_wallet: '' })
    expect((await send(ana, { usdt_wallet: walletOf(5), secret_code })).statusCode).toBe(200)
  })

  it('takes no code of another member, another session or another device', async () => {
    const [ana, eve] = [await memberFixture(server), await memberFixture(server)]
    const change = { usdt_wallet: walletOf(7) }
    await send(ana, change)
    await send(eve, change)
    const secret_code = await emailCodeFor(server, ana.id)
    expect((await send(eve, { ...change, secret_code })).json()).toContain('not right')
    const elsewhere = { ...ana, access: await accessOf(server, ana.id) }
    expect((await send(elsewhere, { ...change, secret_code })).json()).toContain('another session')
    expect((await send(ana, { ...change, secret_code }, { 'user-agent': 'curl' })).json()).toContain(
      'another device',
    )
    expect((await send(ana, { ...change, secret_code })).statusCode).toBe(200)
  })

  it('is not to be guessed: of thirty tries at once five count, and the code is dead', async () => {
    const ana = await memberFixture(server)
    const change = { usdt_wallet: walletOf(8) }
    await send(ana, change)
    const right = await emailCodeFor(server, ana.id)
    const guesses = Array.from({ length: 30 }, (_, index) => String((Number(right) + 1 + index) % 10_000_000))
    const answers = await Promise.all(guesses.map((secret_code) => send(ana, { ...change, secret_code })))
    expect(answers.filter((answer) => answer.json().includes('not right'))).toHaveLength(4)
    expect((await send(ana, { ...change, secret_code: right })).statusCode).toBe(422)
    expect((await user(ana)).usdt_wallet).toBe('')
  })

  const broken: readonly [string, () => string | Promise<string>, number][] = [
    ['a broken checksum', () => `${walletOf(9).slice(0, -1)}${walletOf(9).endsWith('1') ? '2' : '1'}`, 400],
    ['an Ethereum address', () => '0xdac17f958d2ee523a2206206994597c13d831ec7', 400],
    ['the hex of an address', () => `41${'a'.repeat(40)}`, 400],
    ['nothing at all, where one is registered', () => '', 400],
    ['the address without a key', () => 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 400],
    ["the token's contract", () => DEVNET.usdt, 400],
    ["the member's own deposit address", () => depositAddressOf(server.context.db, server.rootId), 422],
    ["the company's cold wallet", () => COLD, 422],
  ]
  it.each(broken)('is refused when it is %s', async (_name, wallet, status) => {
    const ana = await memberFixture(server)
    await changed(ana, { usdt_wallet: walletOf(10) })
    const answer = await send(ana, { usdt_wallet: await wallet() }, { accept: 'application/problem+json' })
    expect(answer.json()).toMatchObject({ status, errors: [{ path: 'usdt_wallet' }] })
    expect(
      (await mailsTo(server, ana.id)).filter(({ template }) => template === 'profile_code'),
    ).toHaveLength(1)
  })
})

describe('a new e-mail', () => {
  const signIn = async (email: string) =>
    (
      await server.call({
        method: 'POST',
        url: '/api/auth/token/',
        payload: { email, password: TEST_PASSWORD },
        headers: { 'user-agent': FIREFOX },
      })
    ).statusCode

  it('takes a code from the present one, which is then told, and is free for others', async () => {
    const ana = await memberFixture(server)
    const email = `Nueva.${ana.username}@Example.com`
    expect((await changed(ana, { email })).statusCode).toBe(200)
    expect((await user(ana)).email).toBe(email)
    expect(await signIn(email.toLowerCase())).toBe(200)
    expect(await signIn(ana.email)).toBe(401)
    const letters = await mailsTo(server, ana.id)
    expect(letters.map(({ template, to }) => [template, to])).toEqual([
      ['profile_code', ana.email],
      ['email_changed', ana.email],
    ])
    expect(letters[1]?.params).toMatchObject({ email, previous: ana.email })
    expect(await eventsOf(ana)).toMatchObject([
      { kind: 'email_changed', details: { email, previous: ana.email } },
    ])

    const bob = await memberFixture(server)
    expect((await changed(bob, { email: ana.email })).statusCode).toBe(200)
    expect(await signIn(ana.email)).toBe(200)
  })

  it('can differ from the present one by its case alone', async () => {
    const ana = await memberFixture(server)
    expect((await changed(ana, { email: ana.email.toUpperCase() })).statusCode).toBe(200)
    expect(await signIn(ana.email)).toBe(200)
  })

  it('that somebody has is refused before a code is sent', async () => {
    const [ana, bob] = [await memberFixture(server), await memberFixture(server)]
    const answer = await send(ana, { email: bob.email.toUpperCase() }, { accept: 'application/problem+json' })
    expect(answer.json()).toMatchObject({ status: 409, code: 'email_taken', errors: [{ path: 'email' }] })
    expect(await mailsTo(server, ana.id)).toEqual([])
  })

  it('goes to one of two who want it at the same time, and leaves the other as before', async () => {
    const [ana, bob] = [await memberFixture(server), await memberFixture(server)]
    const email = `both.${ana.username}@example.com`
    await send(ana, { email })
    await send(bob, { email })
    const answers = await Promise.all(
      [ana, bob].map(async (who) => send(who, { email, secret_code: await emailCodeFor(server, who.id) })),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    const emails = [(await user(ana)).email, (await user(bob)).email]
    expect(emails.filter((kept) => kept === email)).toHaveLength(1)
  })

  it('kills codes under way', async () => {
    const ana = await memberFixture(server)
    await changed(ana, { email: `kills.${ana.username}@example.com` })
    const { rows } = await sql<{ live: number }>`
      SELECT count(*)::int AS live FROM email_code WHERE member_id = ${ana.id} AND used_at IS NULL`.execute(
      server.context.db,
    )
    expect(rows[0]?.live).toBe(0)
  })

  it('and a new wallet together take one code', async () => {
    const ana = await memberFixture(server)
    const change = { email: `two.${ana.username}@example.com`, usdt_wallet: walletOf(11) }
    expect((await send(ana, change)).json()).toContain('your e-mail and your wallet')
    expect((await send(ana, { ...change, secret_code: await emailCodeFor(server, ana.id) })).statusCode).toBe(
      200,
    )
    expect(await user(ana)).toMatchObject(change)
    expect((await mailsTo(server, ana.id)).slice(1).map(({ template, to }) => [template, to])).toEqual([
      ['wallet_changed', ana.email],
      ['email_changed', ana.email],
    ])
  })
})

describe('a profile', () => {
  const names = { first_name: 'Ana María', last_name: 'Núñez', phone_number: '+525512345678', locale: 'es' }

  it('takes names, phone and language as JSON', async () => {
    const ana = await memberFixture(server)
    const answer = await send(ana, names)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toBe('Your changes are saved.')
    expect(await user(ana)).toMatchObject(names)
    expect(await eventsOf(ana)).toEqual([])
  })

  it('takes the same as a form, and what is absent stays', async () => {
    const ana = await memberFixture(server)
    const form = new FormData()
    for (const [name, value] of Object.entries(names)) form.set(name, value)
    expect((await send(ana, form)).json()).toBe('Your changes are saved.')
    expect(await user(ana)).toMatchObject(names)
    const more = new FormData()
    more.set('last_name', '')
    expect((await send(ana, more, { 'accept-language': 'es' })).json()).toBe('Guardamos tus cambios.')
    expect(await user(ana)).toMatchObject({ ...names, last_name: '' })
  })

  it('can be sent back whole, as it came, without a code', async () => {
    const ana = await memberFixture(server)
    const wallet = walletOf(1)
    await changed(ana, { usdt_wallet: wallet })
    const whole = await user(ana)
    expect((await send(ana, { ...whole, first_name: 'Ana', secret_code: null })).json()).toBe(
      'Your changes are saved.',
    )
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...whole, secret_code: '' })) form.set(name, String(value))
    expect((await send(ana, form)).json()).toBe('Your changes are saved.')
    expect(await user(ana)).toMatchObject({ email: ana.email, usdt_wallet: wallet })
  })

  it("changes nothing that is not a member's to change", async () => {
    const ana = await memberFixture(server)
    await send(ana, {
      is_operator: true,
      is_fundator: true,
      balance: 1e6,
      id: 1,
      username: 'root',
      avatar: 'x',
    })
    expect(await user(ana)).toMatchObject({
      is_operator: false,
      is_fundator: false,
      balance: 0,
      id: Number(ana.id),
      username: ana.username,
    })
  })

  it.each([
    [{ email: 'no e-mail' }, 'email'],
    [{ email: 'ana@example.com\r\nBcc: eve@example.com' }, 'email'],
    [{ email: '' }, 'email'],
    [{ email: ['a@example.com'] }, 'email'],
    [{ first_name: 'x'.repeat(61) }, 'first_name'],
    [{ first_name: 'Ana\r\nBcc: eve@example.com' }, 'first_name'],
    [{ last_name: { $ne: '' } }, 'last_name'],
    [{ phone_number: 'call me' }, 'phone_number'],
    [{ phone_number: 5512345678 }, 'phone_number'],
    [{ locale: 'fr' }, 'locale'],
    [{ secret_code: '12345678' }, 'secret_code'],
    [{ secret_code: 'abcdefg' }, 'secret_code'],
    [{ usdt_wallet: 7 }, 'usdt_wallet'],
  ])('refuses %j, at the field', async (body, path) => {
    const answer = await send(await memberFixture(server), body, { accept: 'application/problem+json' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().errors).toMatchObject([{ path }])
  })

  it('takes a NUL character for what it is', async () => {
    expect((await send(await memberFixture(server), { first_name: 'a\u0000b' })).statusCode).toBe(400)
  })
})

describe('codes', () => {
  it('expire, and are not made without end', async () => {
    const tight = await createTestServer(inject('ownerUrl'), features, {
      limits: { ...server.context.config.limits, codes: { points: 2, seconds: 900 } },
    })
    const ana = await memberFixture(tight)
    const change = { usdt_wallet: walletOf(12) }
    await patch(tight, ana, change)
    await sql`UPDATE email_code SET made_at = made_at - interval '11 minutes',
      expires_at = expires_at - interval '11 minutes'`.execute(tight.context.db)
    const late = await patch(tight, ana, { ...change, secret_code: await emailCodeFor(tight, ana.id) })
    expect(late.json()).toContain('no longer good')
    expect((await patch(tight, ana, change)).statusCode).toBe(200)
    const flood = await patch(tight, ana, change)
    expect(flood.statusCode).toBe(429)
    expect(flood.headers['retry-after']).toBeDefined()
    expect(await mailsTo(tight, ana.id)).toHaveLength(2)
    await tight.close()
  })
})
