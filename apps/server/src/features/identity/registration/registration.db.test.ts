import { accountXpub } from '@aval/tron'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { beforeAll, describe, expect, it } from 'vitest'
import { query, queryOne } from '../../../core/query.sql.ts'
import { clientOf, createTestServer, PROBLEM, someone, TEST_PASSWORD } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { mailsTo, startedWith } from '../testing/member-fixture.ts'
import { checkCaptcha } from './captcha.commands.ts'
import { ensureInstallation } from './installation.commands.ts'
import { createRoot, registerMember } from './registration.commands.ts'

const server = await suiteFixture(createTestServer)
const { db, config } = server.context

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
const join = (payload: object, code = '0', { call } = server, language = 'en') => {
  const headers = { ...PROBLEM, 'accept-language': language }
  return call({ method: 'POST', url: `/api/auth/register/${code}/`, payload, headers })
}
const userOf = async (access: string) =>
  (await clientOf(server, { authorization: `Bearer ${access}` }).get('auth/user/')).json()
/** Registers a visitor and answers as the new member sees themselves. */
const registered = async (overrides: object = {}, code = '0') =>
  userOf((await join(visitor(overrides), code)).json().access)

/** How many rows there are of everything that a registration stores. */
const counts = () =>
  queryOne<{ members: number }>(db)`
    SELECT (SELECT count(*)::int FROM member) AS members, (SELECT count(*)::int FROM member_identifier) AS identifiers,
      (SELECT count(*)::int FROM member_balance) AS accounts, (SELECT count(*)::int FROM sponsorship) AS links,
      (SELECT count(*)::int FROM placement) AS places, (SELECT count(*)::int FROM placement_chain) AS chains,
      (SELECT count(*)::int FROM deposit_address) AS addresses, (SELECT count(*)::int FROM session) AS sessions`

describe('a visitor who registers', () => {
  it('is signed in, and reads the own profile', async () => {
    const body = visitor({ first_name: 'Ana', last_name: 'Mora', phone_number: '+573001234567' })
    const answer = await join(body)
    expect(answer).toAnswer(201)
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

  it('is welcomed by e-mail, once, at the address that was given', async () => {
    const body = visitor()
    const answer = await join(body)
    const { id } = await userOf(answer.json().access)
    const letters = await mailsTo(server, BigInt(id))
    expect(letters).toMatchObject([
      { template: 'welcome', to: body.email, params: { username: body.username } },
    ])
    // Refused: nobody is written to.
    expect(await join(body)).toAnswer(409)
    expect(await mailsTo(server, BigInt(id))).toHaveLength(1)
  })

  it('reads times in the zone of the browser; one that nobody knows keeps nobody out', async () => {
    const zoneAfter = async (time_zone: unknown) =>
      (await userOf((await join(visitor({ time_zone }))).json().access)).time_zone
    expect(await zoneAfter('Europe/Madrid')).toBe('Europe/Madrid')
    for (const strange of ['America/Macondo', '', null, 7]) expect(await zoneAfter(strange)).toBeNull()
  })

  it('has figures as in the region of the browser, or of its languages; a strange one keeps nobody out', async () => {
    const regionAfter = async (region: unknown, language = 'en') => {
      const answer = await join(visitor({ region }), '0', server, language)
      return (await userOf(answer.json().access)).region
    }
    expect(await regionAfter('es-MX')).toBe('es-MX')
    expect(await regionAfter(undefined, 'es-419,es-PE;q=0.9,en-US')).toBe('es-PE')
    expect(await regionAfter(undefined, 'en-US,en')).toBeNull()
    for (const strange of ['es-XX', '', null, 7]) expect(await regionAfter(strange)).toBeNull()
  })

  it('stands under the member whom the link names, and under the first one where it names nobody', async () => {
    const invited = await registered()
    const child = await registered({}, invited.ref_code)
    const rows = await query(db)`SELECT member_id, sponsor_id, depth FROM sponsorship
      WHERE member_id IN (${invited.id}, ${child.id}) ORDER BY depth`
    expect(rows).toEqual([
      { member_id: BigInt(invited.id), sponsor_id: server.rootId, depth: 1 },
      { member_id: BigInt(child.id), sponsor_id: BigInt(invited.id), depth: 2 },
    ])
  })

  it('gets another code where the first that was drawn is another member’s', async () => {
    const owner = server.owner.db
    // What the member was written with is taken.
    await query(owner)`CREATE FUNCTION first_is_taken() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN RETURN CASE WHEN NOT EXISTS (SELECT FROM member WHERE id = NEW.member_id AND ref_code = NEW.value) THEN NEW END; END'`
    await query(owner)`
      CREATE TRIGGER first_is_taken BEFORE INSERT ON member_identifier FOR EACH ROW WHEN (NEW.kind = 'ref_code')
      EXECUTE FUNCTION first_is_taken()`
    const answer = await join(visitor({ first_name: 'Eva' }))
    await query(owner)`DROP FUNCTION first_is_taken CASCADE`
    const { ref_code } = await userOf(answer.json().access)
    const inviter = await server.call({ url: `/api/auth/inviter/${ref_code}/` })
    expect(inviter.json()).toEqual({ name: 'Eva', ref_code })
  })

  it('is understood with what copying brought, and called as the name is spelt', async () => {
    const body = visitor({
      first_name: '\u202aعلی\u200cرضا\u202c',
      last_name: 'Mora\u200b',
      phone_number: '+57\u00a0300\u2011123 4567',
    })
    const pasted = { ...body, username: `\u200e${body.username}\u2060`, email: `\ufeff${body.email}\u00a0` }
    const { ref_code } = await registered()
    const answer = await join(pasted, encodeURIComponent(`${ref_code}\u200b).`))
    expect(answer).toAnswer(201)
    expect(await userOf(answer.json().access)).toMatchObject({
      ...{ username: body.username, email: body.email, phone_number: '+573001234567' },
      ...{ first_name: 'علی\u200cرضا', last_name: 'Mora' },
    })
  })

  it('has no deposit address before the first invoice', async () => {
    const user = await registered()
    const own = db.selectFrom('deposit_address').select('address').where('member_id', '=', BigInt(user.id))
    expect(await own.execute()).toEqual([])
  })
})

const LONG = 'ab'.repeat(64).concat('c')

describe('a registration that is refused', () => {
  it.each<[string, object, number, string, string?]>([
    ['an unknown code', {}, 422, 'ref_code_unknown', '9999999'],
    ['a code that is no code', {}, 422, 'ref_code_unknown', 'abc'],
    ['two zeros', {}, 422, 'ref_code_unknown', '00'],
    ['a reserved name', { username: 'None' }, 422, 'username_reserved'],
    ['the administrator’s name', { username: 'admin' }, 422, 'username_reserved'],
    ['support’s name', { username: 'support' }, 422, 'username_reserved'],
    ['a name in two alphabets', { username: 'vis\u0456tor' }, 400, 'username_invalid'],
    ['a name in another alphabet', { username: '\u0430\u043d\u043d\u0430' }, 400, 'username_invalid'],
    ['a name that goes on without end', { username: 'a\u0301'.repeat(5000) }, 400, 'username_invalid'],
    ['the company’s name with a link', { first_name: 'Aval Soporte https://evil.example' }, 400, 'name_link'],
    ['a link for a last name', { last_name: 'https://evil.example' }, 400, 'name_link'],
    ['the company’s name', { first_name: 'Aval', last_name: 'Soporte' }, 422, 'name_reserved'],
    ['a short password', { password: '1234567', password2: '1234567' }, 400, 'password_too_short'],
    ['a long password', { password: LONG, password2: LONG }, 400, 'password_too_long'],
    ['a common password', { password: 'Password1!', password2: 'Password1!' }, 400, 'password_common'],
    ['one character', { password: 'zzzzzzzzzz', password2: 'zzzzzzzzzz' }, 400, 'password_one_character'],
    [
      'the own name as a password',
      { first_name: 'Wayta', password: 'Wayta-2026', password2: 'Wayta-2026' },
      400,
      'password_personal',
    ],
    ['two passwords', { password2: 'another-one' }, 400, 'passwords_differ'],
    ['no e-mail', { email: undefined }, 400, 'field_required'],
    ['no e-mail address', { email: 'ana' }, 400, 'email_invalid'],
    ['a number for a name', { username: 12345 }, 400, 'username_invalid'],
    ['markup for a name', { username: '<b>ana</b>' }, 400, 'username_invalid'],
    ['half a character in a name', { first_name: 'Ana \ud83d' }, 400, 'name_invalid'],
    ['a line break in a name', { first_name: 'Ana\nMora' }, 400, 'name_invalid'],
    ['the company’s name with invisible characters', { last_name: 'So\u00adporte' }, 422, 'name_reserved'],
    [
      'a mailbox that no server has',
      { email: `${'a'.repeat(65)}@example.com` },
      400,
      'email_mailbox_too_long',
    ],
    ['letters for a telephone', { phone_number: 'call me' }, 400, 'phone_invalid'],
    ['no captcha', { captcha: undefined }, 400, 'captcha_required'],
  ])('for %s stores nothing', async (_name, overrides, status, reason, code = '0') => {
    const before = await counts()
    const answer = await join(visitor(overrides), code)
    expect(answer).toRefuse(status, reason)
    expect(await counts()).toEqual(before)
  })

  it('for a taken name or e-mail is a conflict, in any case', async () => {
    const first = visitor()
    expect(await join(first)).toAnswer(201)
    const before = await counts()
    expect(await join(visitor({ username: first.username.toUpperCase() }))).toRefuse(409, 'username_taken')
    expect(await join(visitor({ email: first.email.toUpperCase() }))).toRefuse(409, 'email_taken')
    expect(await counts()).toEqual(before)
  })
})

describe('a username that looks like another', () => {
  it('is taken, and so are all that look like it', async () => {
    expect(await join(visitor({ username: 'Clara.Mora1' }))).toAnswer(201)
    const before = await counts()
    for (const username of ['CIara.Mora1', 'clara.rnora1', 'clara.m0ral', 'Clará.Möra1', 'cⅼara.mora1'])
      expect(await join(visitor({ username }))).toRefuse(409, 'username_taken')
    expect(await counts()).toEqual(before)
    expect(await join(visitor({ username: 'clara.mora2' }))).toAnswer(201)
  })

  it('keeps its accents, composed, and signs in however it is typed', async () => {
    const user = await registered({ username: 'In\u0303igo' })
    expect(user.username).toBe('Iñigo')
    for (const email of ['iñigo', 'IN\u0303IGO']) {
      const answer = await server.call({
        method: 'POST',
        url: '/api/auth/token/',
        payload: { email, password: TEST_PASSWORD },
      })
      expect(answer).toAnswer(200)
    }
    const lookAlike = { email: 'inigo', password: TEST_PASSWORD }
    expect(await server.call({ method: 'POST', url: '/api/auth/token/', payload: lookAlike })).toAnswer(401)
  })
})

describe('two registrations at once', () => {
  it('with usernames that look alike: one is made, and the database refuses the others', async () => {
    const before = await counts()
    const alike = ['Iliana', 'lliana', '1liana', 'ílíana', 'ilianã'].map((username) => ({
      ...someone({ username }),
      sponsorId: server.rootId,
    }))
    const results = await Promise.allSettled(alike.map((member) => registerMember(db, member, new Date())))
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(alike.length - 1)
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'username_taken' })
    expect((await counts()).members).toBe(before.members + 1)
  })

  it.each(['username', 'email'] as const)('with one %s: one is made, one refused', async (field) => {
    const before = await counts()
    const same = { [field]: visitor()[field] }
    const answers = await Promise.all([join(visitor(same)), join(visitor(same))])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
    expect((await counts()).members).toBe(before.members + 1)
  })

  it('of the same new member as a command: the second is refused', async () => {
    const member = { ...someone(), sponsorId: server.rootId }
    const register = () => registerMember(db, member, new Date())
    const results = await Promise.allSettled(Array.from({ length: 6 }, register))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'username_taken' })
  })
})

describe('whether a username is free', () => {
  const ask = (payload: object, { call } = server, remoteAddress = '203.0.113.1') =>
    call({ method: 'POST', url: '/api/auth/availability/', payload, remoteAddress })
  const answered = async (payload: object) => (await ask(payload)).json()

  it('is answered to a visitor, in any case, and of its look-alikes', async () => {
    const body = visitor({ username: 'Libre.Uno' })
    expect(await answered({ username: body.username })).toEqual({ username: 'free', email: null })
    expect(await join(body)).toAnswer(201)
    for (const username of [' LIBRE.uno ', 'Iibre.uno', 'líbre.uno'])
      expect(await answered({ username })).toEqual({ username: 'taken', email: null })
  })

  it('is told of a username alone: of an e-mail nothing, whether or not somebody has it', async () => {
    const body = visitor()
    const one = await answered({ email: body.email })
    expect(await join(body)).toAnswer(201)
    const other = await answered({ email: body.email })
    expect([one, other]).toEqual(Array(2).fill({ username: null, email: null }))
    expect(await answered({ username: 'free.one', email: body.email })).toEqual({
      username: 'free',
      email: null,
    })
  })

  it.each([
    [{}, null],
    [{ username: 'a b', email: 'ana' }, 'invalid'],
    [{ username: '' }, 'invalid'],
    [{ username: 'a\u0000bc' }, 'invalid'],
    [{ username: 'vis\u0456tor' }, 'invalid'],
    [{ username: 'None' }, 'reserved'],
    [{ username: 'soporte_aval' }, 'reserved'],
  ])('of %j is %j', async (payload, username) => {
    expect(await answered(payload)).toEqual({ username, email: null })
  })

  it.each([[{ username: 5 }], [{ email: ['a@b.co'] }], [{ username: 'x'.repeat(301) }], [[]]])(
    '%j is refused as input',
    async (payload) => {
      expect(await ask(payload)).toAnswer(400)
    },
  )
})

it('a registration link says who invites, and nothing else', async () => {
  const { ref_code } = await registered({ first_name: 'Lía' })
  const answer = await server.call({ url: `/api/auth/inviter/${ref_code}/` })
  expect(answer.json()).toEqual({ name: 'Lía', ref_code })
  for (const unknown of ['9999999', '0', 'x'])
    expect(await server.call({ url: `/api/auth/inviter/${unknown}/` })).toAnswer(404)
})

describe('a captcha', () => {
  let guarded = server
  beforeAll(async () => {
    guarded = await startedWith(server, { captcha: true })
    return () => guarded.close()
  })
  const challenge = async (): Promise<Challenge> => (await guarded.call({ url: '/api/auth/captcha/' })).json()
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64')
  const solve = async (given: Challenge) =>
    encode({ challenge: given, solution: await solveChallenge({ challenge: given, deriveKey }) })
  const solved = async () => solve(await challenge())
  const attempt = async (captcha: string, overrides: object = {}) =>
    (await join(visitor({ captcha, ...overrides }), '0', guarded)).statusCode

  it('that is solved lets one visitor in, once', async () => {
    const captcha = await solved()
    expect(await attempt(captcha)).toBe(201)
    expect(await join(visitor({ captcha }), '0', guarded)).toRefuse(422, 'captcha_invalid')
  })

  it('sent by several at once lets one in', async () => {
    const captcha = await solved()
    const statuses = await Promise.all([attempt(captcha), attempt(captcha), attempt(captcha)])
    expect(statuses.sort()).toEqual([201, 422, 422])
  })

  it('is still good after a registration that was refused for another reason', async () => {
    const captcha = await solved()
    expect(await attempt(captcha, { username: 'root' })).toBe(422)
    expect(await attempt(captcha)).toBe(201)
  })

  it('whose challenge has expired is refused', async () => {
    const late = checkCaptcha(guarded.context, await solved(), new Date(Date.now() + 21 * 60_000))
    await expect(late).rejects.toMatchObject({ code: 'captcha_invalid' })
  })

  const forgeries: Readonly<Record<string, (given: Challenge) => string | Promise<string>>> = {
    rubbish: () => 'rubbish',
    'base64 of no JSON': () => Buffer.from('{').toString('base64'),
    'base64 of an empty list': () => encode([]),
    'no solution': (given) => encode({ challenge: given }),
    'a guess': (given) => encode({ challenge: given, solution: { counter: 1, derivedKey: '00'.repeat(32) } }),
    'an easier challenge than ours': (given) =>
      solve({ ...given, parameters: { ...given.parameters, keyPrefix: '00', cost: 1 } }),
    'a challenge that never expires': ({ parameters: { expiresAt: _, ...parameters }, ...given }) =>
      solve({ ...given, parameters }),
    'a challenge without a signature': ({ parameters }) => solve({ parameters }),
  }
  it.each(Object.entries(forgeries))('is not solved by %s, which stores nothing', async (_name, make) => {
    const before = await counts()
    expect(await attempt(await make(await challenge()))).toBe(422)
    expect(await counts()).toEqual(before)
  })
})

describe('an installation', () => {
  it('starts again as what it is', async () => {
    await ensureInstallation(server.context)
    const pinned = db.selectFrom('installation').select(['network', 'deposit_xpub'])
    expect(await pinned.execute()).toEqual([{ network: 'devnet', deposit_xpub: config.depositXpub }])
  })

  const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
  it.each([
    ['network', { network: 'nile' }, 'TRON_NETWORK: this database belongs to devnet, not to nile'],
    [
      'token',
      { usdtContract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' },
      'TRON_NETWORK: this database counts USDT of',
    ],
    [
      'key',
      { depositXpub: accountXpub(words) },
      'TRON_XPUB: the deposit addresses in this database were derived from another xpub',
    ],
  ] as const)('refuses another %s, in one line, and changes nothing', async (_name, overrides, line) => {
    const before = await db.selectFrom('installation').selectAll().execute()
    await expect(ensureInstallation({ db, config: { ...config, ...overrides } })).rejects.toThrow(line)
    expect(await db.selectFrom('installation').selectAll().execute()).toEqual(before)
  })

  it('has one first member, however often one is made', async () => {
    const roots = await Promise.all(Array.from({ length: 5 }, () => createRoot(db, someone(), new Date())))
    expect(roots).toEqual(Array(5).fill(server.rootId))
  })
})
