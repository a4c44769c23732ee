import { connect } from '@aval/db'
import { DEVNET, depositAddress } from '@aval/tron'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { features, parts } from '../../../features.ts'
import { buildServer } from '../../../http/server.ts'
import { createTestServer, someone, TEST_PASSWORD } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { registerMember } from './registration.commands.ts'

const server = await suiteFixture(createTestServer, features)

let visitors = 0
const visitor = (overrides: object = {}) => {
  visitors += 1
  return {
    username: `visitor${visitors}`,
    email: `visitor${visitors}@example.com`,
    password: TEST_PASSWORD,
    password2: TEST_PASSWORD,
    captcha: 'off',
    ...overrides,
  }
}
const join = (body: object, code = '0', headers: Record<string, string> = {}) =>
  server.call({
    method: 'POST',
    url: `/api/auth/register/${code}/`,
    payload: body,
    headers: { accept: 'application/problem+json', ...headers },
  })
const userOf = async (access: string) =>
  (await server.call({ url: '/api/auth/user/', headers: { authorization: `Bearer ${access}` } })).json()

/** How many rows there are of whatever a registration stores. */
async function counts() {
  const { rows } = await sql<Record<string, number>>`
    SELECT (SELECT count(*)::int FROM member) AS members, (SELECT count(*)::int FROM member_identifier) AS identifiers,
      (SELECT count(*)::int FROM member_balance) AS accounts, (SELECT count(*)::int FROM sponsorship) AS links,
      (SELECT count(*)::int FROM placement) AS places, (SELECT count(*)::int FROM placement_chain) AS chains,
      (SELECT count(*)::int FROM deposit_address) AS addresses, (SELECT count(*)::int FROM session) AS sessions
  `.execute(server.context.db)
  return rows[0]
}

describe('a visitor who registers', () => {
  it('is signed in, with everything that a member is told', async () => {
    const body = visitor({ first_name: 'Ana', last_name: 'Mora', phone_number: '+573001234567' })
    const answer = await join(body, '0', { 'accept-language': 'en' })
    expect(answer.statusCode).toBe(201)
    expect(Object.keys(answer.json()).sort()).toEqual(['access', 'refresh'])
    const user = await userOf(answer.json().access)
    expect(user).toMatchObject({
      username: body.username,
      first_name: 'Ana',
      last_name: 'Mora',
      email: body.email,
      phone_number: '+573001234567',
      usdt_wallet: '',
      is_fundator: false,
      is_operator: false,
      two_factor: false,
      balance: 0,
      locale: 'en',
    })
    expect(user.ref_code).toMatch(/^[0-9]{7}$/)
    const avatar = new URL(user.avatar)
    expect(avatar.origin).toBe('http://localhost:3000')
    const picture = await server.call({ url: avatar.pathname + avatar.search })
    expect(picture.headers['content-type']).toContain('image/svg+xml')
    expect(picture.body).toContain('AM')
  })

  it('stands under whoever the link names, and under the first member where it names nobody', async () => {
    const invited = await userOf((await join(visitor())).json().access)
    const child = await userOf((await join(visitor(), invited.ref_code)).json().access)
    const rows = await server.context.db
      .selectFrom('sponsorship')
      .select(['member_id', 'sponsor_id', 'depth'])
      .where('member_id', 'in', [BigInt(invited.id), BigInt(child.id)])
      .orderBy('depth')
      .execute()
    expect(rows).toEqual([
      { member_id: BigInt(invited.id), sponsor_id: server.rootId, depth: 1 },
      { member_id: BigInt(child.id), sponsor_id: BigInt(invited.id), depth: 2 },
    ])
  })

  it('gets another code where the first that was drawn is somebody else’s', async () => {
    const owner = connect(server.database.ownerUrl, 1)
    // What the member was written with is taken.
    await sql`CREATE FUNCTION first_is_taken() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN RETURN CASE WHEN NOT EXISTS (SELECT FROM member WHERE id = NEW.member_id AND ref_code = NEW.value) THEN NEW END; END'`.execute(
      owner.db,
    )
    await sql`CREATE TRIGGER first_is_taken BEFORE INSERT ON member_identifier FOR EACH ROW WHEN (NEW.kind = 'ref_code')
      EXECUTE FUNCTION first_is_taken()`.execute(owner.db)
    const answer = await join(visitor({ first_name: 'Eva' }))
    await sql`DROP FUNCTION first_is_taken CASCADE`.execute(owner.db)
    await owner.close()
    const { ref_code } = await userOf(answer.json().access)
    const inviter = await server.call({ url: `/api/auth/inviter/${ref_code}/` })
    expect(inviter.json()).toEqual({ name: 'Eva', ref_code })
  })

  it('has the deposit address of their own number', async () => {
    const user = await userOf((await join(visitor())).json().access)
    const row = await server.context.db
      .selectFrom('deposit_address')
      .select('address')
      .where('member_id', '=', BigInt(user.id))
      .executeTakeFirstOrThrow()
    expect(row.address).toBe(depositAddress(server.context.config.depositXpub, user.id))
    expect(row.address).not.toBe(DEVNET.usdt)
  })
})

describe('a registration that is refused', () => {
  const taken = () => visitor()

  it.each([
    ['an unknown code', () => visitor(), '9999999', 422, 'ref_code_unknown'],
    ['a code that is no code', () => visitor(), 'abc', 422, 'ref_code_unknown'],
    ['two zeros', () => visitor(), '00', 422, 'ref_code_unknown'],
    ['a reserved name', () => visitor({ username: 'None' }), '0', 409, 'username_taken'],
    [
      'a short password',
      () => visitor({ password: '1234567', password2: '1234567' }),
      '0',
      400,
      'password_too_short',
    ],
    [
      'a long password',
      () => visitor({ password: 'x'.repeat(21), password2: 'x'.repeat(21) }),
      '0',
      400,
      'password_too_long',
    ],
    ['two passwords', () => visitor({ password2: 'another-one' }), '0', 400, 'passwords_differ'],
    ['no e-mail', () => visitor({ email: undefined }), '0', 400, 'field_required'],
    ['no e-mail address', () => visitor({ email: 'ana' }), '0', 400, 'email_invalid'],
    ['a number for a name', () => visitor({ username: 12345 }), '0', 400, 'username_invalid'],
    ['markup for a name', () => visitor({ username: '<b>ana</b>' }), '0', 400, 'username_invalid'],
    [
      'a name with invisible characters',
      () => visitor({ first_name: 'Ana\u202e' }),
      '0',
      400,
      'name_invalid',
    ],
    ['letters for a telephone', () => visitor({ phone_number: 'call me' }), '0', 400, 'phone_invalid'],
    ['no captcha', () => visitor({ captcha: undefined }), '0', 400, 'captcha_required'],
  ] as const)('for %s stores nothing', async (_name, body, code, status, reason) => {
    const before = await counts()
    const answer = await join(body(), code)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toMatchObject({ status, code: reason })
    expect(await counts()).toEqual(before)
  })

  it('for a taken name or e-mail is a conflict, in whatever case', async () => {
    const first = taken()
    expect((await join(first)).statusCode).toBe(201)
    const before = await counts()
    const name = await join(visitor({ username: first.username.toUpperCase() }))
    expect([name.statusCode, name.json().code]).toEqual([409, 'username_taken'])
    const mail = await join(visitor({ email: first.email.toUpperCase() }))
    expect([mail.statusCode, mail.json().code]).toEqual([409, 'email_taken'])
    expect(await counts()).toEqual(before)
  })
})

describe('two registrations at once', () => {
  it('under one name or one e-mail: one is made, one refused', async () => {
    const before = await counts()
    const name = visitor().username
    const byName = await Promise.all([join(visitor({ username: name })), join(visitor({ username: name }))])
    expect(byName.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
    const { email } = visitor()
    const byMail = await Promise.all([join(visitor({ email })), join(visitor({ email }))])
    expect(byMail.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
    expect((await counts())?.['members']).toBe((before?.['members'] ?? 0) + 2)
  })

  it('of the same new member as a command: the second is refused', async () => {
    const member = { ...someone(), sponsorId: server.rootId }
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => registerMember(server.context.db, member, new Date())),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'username_taken' })
  })
})

describe('whether a name or an e-mail is free', () => {
  const ask = (payload: object, remoteAddress = '203.0.113.1', api = server.api) =>
    api.inject({ method: 'POST', url: '/api/auth/availability/', payload, remoteAddress })
  const told = async (payload: object) => (await ask(payload)).json()

  it('is told to a visitor, in whatever case it is asked', async () => {
    const body = visitor({ username: 'Libre.Uno', email: 'Libre.Uno@example.com' })
    expect(await told({ username: body.username })).toEqual({ username: 'free', email: null })
    expect(await told({ email: body.email })).toEqual({ username: null, email: 'free' })
    expect((await join(body)).statusCode).toBe(201)
    const both = { username: ' LIBRE.uno ', email: 'libre.UNO@EXAMPLE.com' }
    expect(await told(both)).toEqual({ username: 'taken', email: 'taken' })
    expect(await told({ username: 'None' })).toEqual({ username: 'taken', email: null })
  })

  it.each([
    [{}, { username: null, email: null }],
    [
      { username: 'a b', email: 'ana' },
      { username: 'invalid', email: 'invalid' },
    ],
    [{ username: '' }, { username: 'invalid', email: null }],
    [{ username: 'a\u0000bc' }, { username: 'invalid', email: null }],
  ])('of %j is %j', async (payload, answer) => {
    expect(await told(payload)).toEqual(answer)
  })

  it.each([[{ username: 5 }], [{ email: ['a@b.co'] }], [{ username: 'x'.repeat(301) }], [[]]])(
    '%j is refused as input',
    async (payload) => {
      expect((await ask(payload)).statusCode).toBe(400)
    },
  )

  it('is not told to whoever asks about a whole list', async () => {
    const limits = { ...server.context.config.limits, availability: { points: 2, seconds: 60 } }
    const api = await buildServer(
      { ...server.context, config: { ...server.context.config, limits } },
      features,
      parts,
    )
    const statuses: number[] = []
    for (const name of ['one', 'two', 'three'])
      statuses.push((await ask({ username: name }, '203.0.113.1', api)).statusCode)
    expect(statuses).toEqual([200, 200, 429])
    expect((await ask({ username: 'four' }, '203.0.113.2', api)).statusCode).toBe(200)
    await api.close()
  })
})

describe('a registration link', () => {
  it('tells who invites, and nothing else', async () => {
    const { ref_code } = await userOf((await join(visitor({ first_name: 'Lía' }))).json().access)
    const answer = await server.call({ url: `/api/auth/inviter/${ref_code}/` })
    expect(answer.json()).toEqual({ name: 'Lía', ref_code })
    for (const unknown of ['9999999', '0', 'x'])
      expect((await server.call({ url: `/api/auth/inviter/${unknown}/` })).statusCode).toBe(404)
  })
})
