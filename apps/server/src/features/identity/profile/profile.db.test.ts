import { DEVNET } from '@aval/tron'
import { describe, expect, it } from 'vitest'
import { query, queryValue } from '../../../core/query.sql.ts'
import { addressOf } from '../../../testing/addresses.ts'
import { createTestServer, freshCode, PROBLEM } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { newTotpSecret } from '../second-factor/totp.ts'
import { assignTotpSecret } from '../second-factor/totp-setup.commands.ts'
import { findCoolingEnd } from '../security-log/security-log.queries.ts'
import {
  accountFixture,
  formOf,
  type MemberFixture,
  startedWith,
  walletOf,
  wrongFor,
} from '../testing/member-fixture.ts'

const server = await suiteFixture(createTestServer)
const accounts = accountFixture(server)
const { changed, code, confirm, elsewhere, eventsOf, mails, member, send, signIn, user } = accounts
const SAVED = 'Your changes are saved.'
/** Template and recipient of each mail. */
const sent = async (who: MemberFixture) => (await mails(who)).map(({ template, to }) => [template, to])

const COLD = walletOf(250)
await query(server.owner.db)`INSERT INTO custody_address (address, role, opening) VALUES (${COLD}, 'cold', 0)`

describe('a new wallet', () => {
  it('takes a code, which goes to the present address, and changes nothing before', async () => {
    const ana = await member()
    const wallet = walletOf(2)
    const answer = await send(ana, { usdt_wallet: wallet, first_name: 'Ana' })
    expect(answer).toAnswer(200)
    expect(answer.json()).toContain('p…@example.com')
    expect(answer.json()).toContain('nothing changes until then')
    expect(await user(ana)).toMatchObject({ usdt_wallet: '', first_name: '' })
    const [letter] = await mails(ana)
    expect(letter).toMatchObject({
      template: 'profile_code',
      to: ana.email,
      params: { change: 'wallet', newWallet: wallet, code: expect.stringMatching(/^\d{7}$/) },
    })
    expect(letter?.params['notMeUrl']).toMatch(/^http:\/\/localhost:3000\/auth\/not-me#/)

    expect((await confirm(ana, { usdt_wallet: wallet, first_name: 'Ana' })).json()).toBe(SAVED)
    expect(await user(ana)).toMatchObject({ usdt_wallet: wallet, first_name: 'Ana' })
  })

  it('is in an e-mail and in both logs, and money cools for a day', async () => {
    const ana = await member()
    await changed(ana, { usdt_wallet: walletOf(3) })
    await changed(ana, { usdt_wallet: walletOf(4) })
    const details = { previous: walletOf(3), wallet: walletOf(4) }
    expect(await eventsOf(ana)).toMatchObject([
      { kind: 'wallet_changed', details: { previous: '', wallet: walletOf(3) } },
      { kind: 'wallet_changed', details, user_agent: expect.stringContaining('Firefox') },
    ])
    expect((await mails(ana)).at(-1)).toMatchObject({
      template: 'wallet_changed',
      to: ana.email,
      params: { ...details, coolsUntil: expect.any(String), notMeUrl: expect.any(String) },
    })
    const audit = server.context.db.selectFrom('audit_event').select('details').where('actor_id', '=', ana.id)
    const entries = audit.where('action', '=', 'profile.wallet').where('outcome', '=', 'done').orderBy('id')
    expect((await entries.execute()).at(-1)).toEqual({ details })
    const until = await findCoolingEnd(server.context.db, ana.id, server.context.config)
    const hours = ((until?.getTime() ?? 0) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThanOrEqual(24)
    expect((await accounts.get(ana, '/api/auth/security/')).json()).toEqual({
      locked: false,
      cools_until: until?.toISOString(),
      cooling_hours: 24,
    })
  })

  it('is the very one that the code was made for', async () => {
    const ana = await member()
    await send(ana, { usdt_wallet: walletOf(5) })
    const secret_code = await code(ana)
    const others = [{ usdt_wallet: walletOf(6) }, { usdt_wallet: walletOf(5), email: 'else@example.com' }]
    for (const other of others) {
      const answer = await send(ana, { ...other, secret_code }, PROBLEM)
      const refusal = { status: 422, code: 'code_for_other', errors: [{ path: 'secret_code' }] }
      expect(answer.json()).toMatchObject(refusal)
    }
    expect(await user(ana)).toMatchObject({ usdt_wallet: '' })
    expect(await send(ana, { usdt_wallet: walletOf(5), secret_code })).toAnswer(200)
  })

  it('takes no code of another member, and the own one in another session, on another device', async () => {
    const [ana, eve] = [await member(), await member()]
    const change = { usdt_wallet: walletOf(7) }
    await send(ana, change)
    await send(eve, change)
    const secret_code = await code(ana)
    expect((await send(eve, { ...change, secret_code })).json()).toContain('not right')
    const other = await elsewhere(ana)
    expect(await send(other, { ...change, secret_code }, { 'user-agent': 'curl' })).toAnswer(200)
    expect(await user(ana)).toMatchObject(change)
  })

  it('cannot be guessed: of thirty tries at once five count, and the code is dead', async () => {
    const ana = await member()
    const change = { usdt_wallet: walletOf(8) }
    await send(ana, change)
    const right = await code(ana)
    const guess = (index: number) => send(ana, { ...change, secret_code: wrongFor(right, index) })
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => guess(index)))
    expect(answers.filter((answer) => answer.json().includes('not right'))).toHaveLength(4)
    expect(await confirm(ana, change)).toAnswer(422)
    expect((await user(ana)).usdt_wallet).toBe('')
  })

  const unclaimed = () =>
    queryValue<string>(server.context.db)`SELECT address FROM deposit_address WHERE member_id IS NULL LIMIT 1`
  const broken: readonly [string, () => string | Promise<string>, number][] = [
    ['a broken checksum', () => `${walletOf(9).slice(0, -1)}${walletOf(9).endsWith('1') ? '2' : '1'}`, 400],
    ['an Ethereum address', () => '0xdac17f958d2ee523a2206206994597c13d831ec7', 400],
    ['the hex of an address', () => `41${'a'.repeat(40)}`, 400],
    ['nothing at all, where one is registered', () => '', 400],
    ['the address without a key', () => 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 400],
    ["the token's contract", () => DEVNET.usdt, 400],
    ["the member's own deposit address", () => addressOf(server.context.db, server.rootId), 422],
    ['a deposit address that nobody has claimed yet', unclaimed, 422],
    ["the company's cold wallet", () => COLD, 422],
  ]
  it.each(broken)('is refused when it is %s', async (_name, wallet, status) => {
    const ana = await member()
    await changed(ana, { usdt_wallet: walletOf(10) })
    const answer = await send(ana, { usdt_wallet: await wallet() }, PROBLEM)
    expect(answer.json()).toMatchObject({ status, errors: [{ path: 'usdt_wallet' }] })
    expect((await sent(ana)).filter(([template]) => template === 'profile_code')).toHaveLength(1)
  })
})

describe('a new wallet or e-mail of a member with two-factor', () => {
  async function protectedMember() {
    const who = await member()
    await assignTotpSecret(server.context, who.id, newTotpSecret(), new Date())
    return elsewhere(who)
  }

  it.each([
    ['usdt_wallet', walletOf(30)],
    ['email', 'moved-with-otp@example.com'],
  ])(
    'takes a code of the app besides the one from the mailbox, which waits for it: %s',
    async (field, next) => {
      const ana = await protectedMember()
      const change = { [field]: next }
      const before = await user(ana)
      await send(ana, change)
      const whole = { ...change, secret_code: await code(ana) }
      for (const [otp, refusal] of [
        [undefined, 'otp_required'],
        ['', 'otp_required'],
        ['000000', 'otp_invalid'],
      ] as const)
        expect(await send(ana, { ...whole, otp }, PROBLEM)).toRefuse(403, refusal)
      expect(await user(ana)).toEqual(before)
      const otp = await freshCode(server, accounts.headersOf(ana))
      expect(await send(ana, formOf({ ...whole, otp }))).toAnswer(200)
      expect(await user(ana)).toMatchObject(change)
    },
  )

  it('takes it of an operator as of anybody else', async () => {
    const olga = await member()
    await server.owner.db
      .updateTable('member')
      .set({ is_operator: true, operator_role: 'admin' })
      .where('id', '=', olga.id)
      .execute()
    const operator = await elsewhere(olga)
    const change = { usdt_wallet: walletOf(31) }
    await send(operator, change)
    const whole = { ...change, secret_code: await code(olga) }
    expect(await send(operator, whole, PROBLEM)).toRefuse(403, 'otp_required')
    expect(await user(operator)).toMatchObject({ usdt_wallet: '' })
    const otp = await freshCode(server, accounts.headersOf(operator))
    expect(await send(operator, { ...whole, otp })).toAnswer(200)
  })

  it('is not asked for one where only a name changes', async () => {
    const ana = await protectedMember()
    expect(await send(ana, { first_name: 'Ana' })).toAnswer(200)
    expect(await user(ana)).toMatchObject({ first_name: 'Ana' })
  })
})

describe('a new e-mail', () => {
  it('takes a code from the present one, which gets an e-mail; the new one is asked to confirm', async () => {
    const ana = await member()
    const email = `Nueva.${ana.username}@Example.com`
    expect(await changed(ana, { email })).toAnswer(200)
    expect((await user(ana)).email).toBe(email)
    expect(await signIn(email.toLowerCase())).toBe(200)
    expect(await signIn(ana.email)).toBe(401)
    expect(await sent(ana)).toEqual([
      ['profile_code', ana.email],
      ['email_changed', ana.email],
      ['email_code', email],
    ])
    const [, told, asked] = await mails(ana)
    expect(told?.params).toMatchObject({ email, previous: ana.email, notMeUrl: expect.any(String) })
    // The new mailbox may be a stranger's, who is not to end the member's sessions.
    expect(asked?.params).toMatchObject({ unprovenFor: ana.username, code: expect.any(String) })
    expect(asked?.params).not.toHaveProperty('notMeUrl')
    expect(await eventsOf(ana)).toMatchObject([
      { kind: 'email_changed', details: { email, previous: ana.email } },
    ])
  })

  it('can differ from the present one by its case alone', async () => {
    const ana = await member()
    expect(await changed(ana, { email: ana.email.toUpperCase() })).toAnswer(200)
    expect(await signIn(ana.email)).toBe(200)
  })

  it('that another member has is refused before a code is sent', async () => {
    const [ana, bob] = [await member(), await member()]
    const answer = await send(ana, { email: bob.email.toUpperCase() }, PROBLEM)
    expect(answer.json()).toMatchObject({ status: 409, code: 'email_taken', errors: [{ path: 'email' }] })
    expect(await mails(ana)).toEqual([])
  })

  it('goes to one of two who want it at the same time, and leaves the other as before', async () => {
    const [ana, bob] = [await member(), await member()]
    const email = `both.${ana.username}@example.com`
    await send(ana, { email })
    await send(bob, { email })
    const answers = await Promise.all([ana, bob].map((who) => confirm(who, { email })))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    const emails = [(await user(ana)).email, (await user(bob)).email]
    expect(emails.filter((kept) => kept === email)).toHaveLength(1)
  })

  it('ends the codes of the former address, but for the one that it gets itself', async () => {
    const ana = await member()
    const email = `kills.${ana.username}@example.com`
    await changed(ana, { email })
    const live = query(server.context.db)`
      SELECT purpose, sent_to FROM email_code WHERE member_id = ${ana.id} AND used_at IS NULL`
    expect(await live).toEqual([{ purpose: 'email', sent_to: email }])
  })

  it('and a new wallet together take one code', async () => {
    const ana = await member()
    const change = { email: `two.${ana.username}@example.com`, usdt_wallet: walletOf(11) }
    expect((await send(ana, change)).json()).toContain('your e-mail and save your wallet')
    expect(await confirm(ana, change)).toAnswer(200)
    expect(await user(ana)).toMatchObject(change)
    expect((await sent(ana)).slice(1)).toEqual([
      ['wallet_changed', ana.email],
      ['email_changed', ana.email],
      ['email_code', change.email],
    ])
  })
})

describe('a profile', () => {
  const names = { first_name: 'Ana María', last_name: 'Núñez', phone_number: '+525512345678', locale: 'es' }

  it('takes names, phone and language as JSON', async () => {
    const ana = await member()
    expect(await send(ana, names)).toAnswer(200, SAVED)
    expect(await user(ana)).toMatchObject(names)
    expect(await eventsOf(ana)).toEqual([])
  })

  it('is kept as it was typed, whatever code it looks like', async () => {
    const who = await member()
    for (const first_name of ['Ana &amp; %41%2541', '\\u0041 &#65; $&', '{{amount}} $1 <b>x</b>', '%s %d']) {
      expect(await send(who, { first_name })).toAnswer(200)
      expect((await user(who)).first_name).toBe(first_name)
      expect(await send(who, formOf({ first_name }))).toAnswer(200)
      expect((await user(who)).first_name).toBe(first_name)
    }
  })

  it('takes the same as a form, and what is absent stays', async () => {
    const ana = await member()
    expect((await send(ana, formOf(names))).json()).toBe(SAVED)
    expect(await user(ana)).toMatchObject(names)
    const more = await send(ana, formOf({ last_name: '' }), { 'accept-language': 'es' })
    expect(more.json()).toBe('Guardamos tus cambios.')
    expect(await user(ana)).toMatchObject({ ...names, last_name: '' })
  })

  it('can be sent back whole, as it came, without a code', async () => {
    const ana = await member()
    const wallet = walletOf(1)
    await changed(ana, { usdt_wallet: wallet })
    const whole = await user(ana)
    expect((await send(ana, { ...whole, first_name: 'Ana', secret_code: null })).json()).toBe(SAVED)
    expect((await send(ana, formOf({ ...whole, secret_code: '' }))).json()).toBe(SAVED)
    expect(await user(ana)).toMatchObject({ email: ana.email, usdt_wallet: wallet })
  })

  it.each([
    [{ first_name: 'Aval Soporte https://evil.example' }, 400, 'name_link', 'first_name'],
    [{ last_name: '@aval_soporte' }, 400, 'name_link', 'last_name'],
    [{ first_name: 'Aval', last_name: 'Soporte' }, 422, 'name_reserved', 'first_name'],
    [{ last_name: 'Soporte' }, 422, 'name_reserved', 'last_name'],
    [{ first_name: 'Servicio', last_name: 'al Cliente' }, 422, 'name_reserved', 'first_name'],
    [{ first_name: '\u0410dministrador' }, 422, 'name_reserved', 'first_name'],
  ])('refuses a name that passes for another’s: %j', async (body, status, code, path) => {
    const ana = await member()
    await send(ana, names)
    const answer = await send(ana, { phone_number: '+525500000000', ...body }, PROBLEM)
    expect(answer).toRefuse(status, code)
    expect(answer.json().errors).toMatchObject([{ path }])
    expect(await user(ana)).toMatchObject(names)
  })

  it('keeps a name that it has, whatever came to be refused since', async () => {
    const ana = await member()
    const kept = { first_name: 'Aval', last_name: 'x.com' }
    await server.owner.db.updateTable('member').set(kept).where('id', '=', ana.id).execute()
    expect(await send(ana, { ...kept, locale: 'en' })).toAnswer(200)
    expect(await send(ana, { ...kept, last_name: 'Paz' }, PROBLEM)).toRefuse(422, 'name_reserved')
    expect(await send(ana, { first_name: 'Ana', last_name: 'Paz' })).toAnswer(200)
  })

  it("changes nothing that is not a member's to change", async () => {
    const ana = await member()
    const kept = await user(ana)
    expect(kept).toMatchObject({ is_operator: false, is_fundator: false, balance: 0 })
    const others = {
      is_operator: true,
      is_fundator: true,
      balance: 1e6,
      id: 1,
      username: 'root',
      avatar: 'x',
    }
    await send(ana, others)
    expect(await user(ana)).toEqual(kept)
  })

  it.each([
    [{ email: 'no e-mail' }, 'email'],
    [{ email: 'ana@example.com\r\nBcc: eve@example.com' }, 'email'],
    [{ email: '' }, 'email'],
    [{ email: ['a@example.com'] }, 'email'],
    [{ first_name: 'x'.repeat(61) }, 'first_name'],
    [{ first_name: 'Ana\r\nBcc: eve@example.com' }, 'first_name'],
    [{ first_name: 'a\u0000b' }, 'first_name'],
    [{ last_name: { $ne: '' } }, 'last_name'],
    [{ phone_number: 'call me' }, 'phone_number'],
    [{ phone_number: 5512345678 }, 'phone_number'],
    [{ locale: 'fr' }, 'locale'],
    [{ secret_code: '12345678' }, 'secret_code'],
    [{ secret_code: 'abcdefg' }, 'secret_code'],
    [{ usdt_wallet: 7 }, 'usdt_wallet'],
  ])('refuses %j, at the field', async (body, path) => {
    const answer = await send(await member(), body, PROBLEM)
    expect(answer).toAnswer(400)
    expect(answer.json().errors).toMatchObject([{ path }])
  })
})

it('how often one can ask whether somebody has an e-mail is limited, as codes are', async () => {
  const limits = { ...server.context.config.limits, codes: { points: 2, seconds: 900 } }
  const tight = await startedWith(server, { limits })
  const { send } = accountFixture(tight)
  const [ana, bob] = [await member(), await member()]
  for (const status of [409, 409, 429]) expect(await send(ana, { email: bob.email })).toAnswer(status)
  // With a code that was made up nothing is said of it.
  const guessed = await send(ana, { email: bob.email, secret_code: '0000000' }, PROBLEM)
  expect(guessed.json()).toMatchObject({ code: 'code_expired' })
  await tight.close()
})

it('codes expire, and are not made without end', async () => {
  const limits = { ...server.context.config.limits, codes: { points: 2, seconds: 900 } }
  const tight = await startedWith(server, { limits })
  const { confirm, send } = accountFixture(tight)
  const ana = await member()
  const change = { usdt_wallet: walletOf(12) }
  await send(ana, change)
  await query(server.context.db)`UPDATE email_code SET made_at = made_at - interval '11 minutes',
    expires_at = expires_at - interval '11 minutes'`
  expect((await confirm(ana, change)).json()).toContain('no longer good')
  expect(await send(ana, change)).toAnswer(200)
  const flood = await send(ana, change)
  expect(flood).toAnswer(429)
  expect(flood.headers['retry-after']).toBeDefined()
  expect(await mails(ana)).toHaveLength(2)
  await tight.close()
})

describe('the time zone', () => {
  it('is none at first, is saved without a code, and counts at once in what the server says', async () => {
    const ana = await member()
    expect(await user(ana)).toMatchObject({ time_zone: null })
    await changed(ana, { usdt_wallet: walletOf(90) })
    const until = await findCoolingEnd(server.context.db, ana.id, server.context.config)
    const refusal = async () => {
      const body = { amount: '50', wallet_address: walletOf(90), used_code: '1234567' }
      const payload = { method: 'POST', url: '/api/withdrawals/withdrawals/', payload: body } as const
      return (await server.call({ ...payload, headers: { authorization: `Bearer ${ana.access}` } })).body
    }
    expect(await refusal()).toMatch(/, \d\d:\d\d \(UTC\)/)
    expect((await send(ana, { time_zone: 'Asia/Tokyo' })).json()).toBe(SAVED)
    expect(await user(ana)).toMatchObject({ time_zone: 'Asia/Tokyo' })
    const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'Asia/Tokyo' } as const
    const time = new Intl.DateTimeFormat('en', options).format(until ?? undefined)
    expect(await refusal()).toContain(`, ${time} (Asia/Tokyo, GMT+9)`)
  })

  it('is known by a former name too, and kept by the present one', async () => {
    const ana = await member()
    expect(await send(ana, { time_zone: 'utc' })).toAnswer(200)
    expect(await user(ana)).toMatchObject({ time_zone: 'UTC' })
    expect(await send(ana, { time_zone: 'America/Argentina/Buenos_Aires' })).toAnswer(200)
    const { time_zone: kept } = await user(ana)
    expect(Intl.supportedValuesOf('timeZone')).toContain(kept)
    // A form that says nothing of it leaves it.
    expect(await send(ana, { time_zone: '', first_name: 'Ana' })).toAnswer(200)
    expect(await user(ana)).toMatchObject({ time_zone: kept, first_name: 'Ana' })
  })

  it.each(['America/Macondo', '+05:00', "UTC'; --", 'x'.repeat(300)])('is not %j', async (time_zone) => {
    const ana = await member()
    expect((await send(ana, { time_zone }, PROBLEM)).json()).toMatchObject({
      status: 400,
      code: 'time_zone_unknown',
      errors: [{ path: 'time_zone' }],
    })
    expect(await user(ana)).toMatchObject({ time_zone: null })
  })
})

describe('the region', () => {
  it('is none at first, and is saved without a code', async () => {
    const ana = await member()
    expect(await user(ana)).toMatchObject({ region: null })
    expect((await send(ana, { region: 'es-PE' })).json()).toBe(SAVED)
    // A form that says nothing of it leaves it.
    expect(await send(ana, { region: '', first_name: 'Ana' })).toAnswer(200)
    expect(await user(ana)).toMatchObject({ region: 'es-PE' })
  })

  it.each(['es-XX', 'es', 'de-DE', 'ES-mx', "es-MX'; --", 7])('is not %j', async (region) => {
    const ana = await member()
    expect((await send(ana, { region }, PROBLEM)).json()).toMatchObject({
      status: 400,
      code: 'region_unknown',
      errors: [{ path: 'region' }],
    })
    expect(await user(ana)).toMatchObject({ region: null })
  })
})
