import { hash } from '@node-rs/argon2'
import { describe, expect, it } from 'vitest'
import { query } from '../../../core/query.sql.ts'
import { codeOf, createTestServer, freshCode, PROBLEM, TEST_PASSWORD } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { updateMember } from '../members/members.sql.ts'
import { beginTotpSetup, confirmTotpSetup } from '../second-factor/totp-setup.commands.ts'
import {
  accountFixture,
  FIREFOX,
  formOf,
  type MemberFixture,
  processorRatio,
  sessionIn,
  startedWith,
  walletOf,
  wrongFor,
} from '../testing/member-fixture.ts'
import { sendReset } from './resets.commands.ts'

const server = await suiteFixture(createTestServer)
const accounts = accountFixture(server)
const { code, elsewhere, eventsOf, isLive, mails, member, post, signIn } = accounts

const NEXT = 'another-password'
const WALLET = walletOf(20)
/** One character more than a password may have, and what nobody types. */
const LONG = 'ab'.repeat(64).concat('c')
const HUGE = 'ab'.repeat(20_000)

describe('a password', () => {
  const change = (who: MemberFixture, body: object | FormData, headers: Record<string, string> = {}) =>
    post('/api/auth/user/change-password/', body, { ...accounts.headersOf(who), ...headers })
  const body = { current_password: TEST_PASSWORD, password: NEXT, password2: NEXT }

  it('is changed with the present one; all other sessions and codes end', async () => {
    const ana = await member()
    const other = await elsewhere(ana)
    await accounts.send(ana, { usdt_wallet: WALLET })
    expect(await change(ana, body)).toAnswer(200, {
      message: 'Your password has changed. All other sessions have ended.',
    })
    expect(await isLive(ana)).toBe(true)
    expect(await isLive(other)).toBe(false)
    expect(await signIn(ana.email, TEST_PASSWORD)).toBe(401)
    expect(await signIn(ana.email, NEXT)).toBe(200)
    expect((await accounts.confirm(ana, { usdt_wallet: WALLET })).json()).toContain('no longer good')
    expect(await eventsOf(ana)).toMatchObject([{ kind: 'password_changed' }])
    expect((await mails(ana)).at(-1)).toMatchObject({
      template: 'password_changed',
      to: ana.email,
      params: { device: FIREFOX, notMeUrl: expect.any(String), coolsUntil: expect.any(String) },
    })
  })

  it('is changed by a form as well', async () => {
    const ana = await member()
    expect(await change(ana, formOf(body))).toAnswer(200)
    expect(await signIn(ana.email, NEXT)).toBe(200)
  })

  it.each([
    [{ ...body, current_password: 'not-the-password' }, 422, 'current_password'],
    [{ ...body, current_password: '' }, 400, 'current_password'],
    [{ ...body, password: 'short', password2: 'short' }, 400, 'password'],
    [{ ...body, password: LONG, password2: LONG }, 400, 'password'],
    [{ ...body, password: HUGE, password2: HUGE }, 400, 'password'],
    [{ ...body, password: 'Password1!', password2: 'Password1!' }, 400, 'password'],
    [{ ...body, password: '........', password2: '........' }, 400, 'password'],
    [{ ...body, password: TEST_PASSWORD, password2: TEST_PASSWORD }, 422, 'password'],
    [{ ...body, password2: 'another-passwort' }, 400, 'password2'],
    [{ ...body, password: ['another-password'] }, 400, 'password'],
    [{}, 400, 'current_password'],
  ])('is not changed by %.80j', async (wrong, status, path) => {
    const ana = await member()
    const answer = await change(ana, wrong, PROBLEM)
    expect(answer).toAnswer(status)
    expect(answer.json().errors[0]).toMatchObject({ path })
    expect(await signIn(ana.email, TEST_PASSWORD)).toBe(200)
    expect(await eventsOf(ana)).toEqual([])
  })

  it('is not changed to the own name or address with a year behind it', async () => {
    const ana = await member()
    await accounts.send(ana, { first_name: 'Ana', last_name: 'Quispe' })
    for (const password of [`${ana.username}!!2026`, `${ana.email}`, 'ana.quispe.90'])
      expect(await change(ana, { ...body, password, password2: password }, PROBLEM)).toRefuse(
        400,
        'password_personal',
      )
    expect(await signIn(ana.email, TEST_PASSWORD)).toBe(200)
  })

  it('has up to 128 characters, and is the same however a keyboard composes its accents', async () => {
    const ana = await member()
    const [composed, decomposed] = ['canci\u00f3n del mar '.repeat(8), 'cancio\u0301n del mar '.repeat(8)]
    expect([...composed]).toHaveLength(128)
    const next = { ...body, password: decomposed, password2: decomposed }
    expect(await change(ana, next)).toAnswer(200)
    expect(await signIn(ana.email, composed)).toBe(200)
    expect(await signIn(ana.email, decomposed)).toBe(200)
    expect(await signIn(ana.email, composed.slice(1))).toBe(401)
    const again = { current_password: decomposed, password: composed, password2: composed }
    expect(await change(ana, again, PROBLEM)).toRefuse(422, 'password_same')
  })

  it('goes on working that was hashed as it was typed, before accents were composed', async () => {
    const ana = await member()
    const typed = 'cancio\u0301n del mar'
    const password_hash = await hash(typed, { memoryCost: 64, timeCost: 1 })
    await updateMember(server.context.db, ana.id, { password_hash })
    expect(await signIn(ana.email, typed)).toBe(200)
    expect(await change(ana, { ...body, current_password: typed })).toAnswer(200)
    expect(await signIn(ana.email, NEXT)).toBe(200)
  })
})

describe('a password of a member with two-factor', () => {
  const change = (who: MemberFixture, body: object) =>
    post('/api/auth/user/change-password/', body, { ...accounts.headersOf(who), ...PROBLEM })
  const body = { current_password: TEST_PASSWORD, password: NEXT, password2: NEXT }

  /** Two-factor was turned on in this session. */
  async function protectedMember() {
    const who = await member()
    const { secret } = await beginTotpSetup(server.context, who.id, TEST_PASSWORD, new Date())
    const actor = {
      memberId: who.id,
      sessionId: sessionIn(who.access),
      device: { userAgent: FIREFOX, ip: '' },
    }
    const codes = await confirmTotpSetup(server.context, actor, codeOf(secret, new Date()), new Date())
    return { who, codes, other: await elsewhere(who) }
  }
  const tokensOf = async (who: MemberFixture, password: string) =>
    (await post('/api/auth/token/', { email: who.email, password })).json()

  it('is not changed by who knows it and has a session, without a code', async () => {
    const { who, other } = await protectedMember()
    expect(await change(who, body)).toRefuse(403, 'otp_required')
    expect(await change(who, { ...body, otp: ' ' })).toRefuse(403, 'otp_required')
    expect(await change(who, { ...body, otp: '000000' })).toRefuse(403, 'otp_invalid')
    expect(await tokensOf(who, TEST_PASSWORD)).toMatchObject({ otp_required: true })
    expect(await signIn(who.email, NEXT)).toBe(401)
    expect(await isLive(other)).toBe(true)
    expect((await eventsOf(who)).map(({ kind }) => kind)).toEqual(['two_factor_on'])
  })

  it('is changed with a code of the app, which is good once', async () => {
    const { who, other } = await protectedMember()
    const otp = await freshCode(server, accounts.headersOf(who))
    expect(await change(who, { ...body, otp })).toAnswer(200)
    expect(await tokensOf(who, NEXT)).toMatchObject({ otp_required: true })
    expect(await isLive(other)).toBe(false)
    const third = { current_password: NEXT, password: 'third-password', password2: 'third-password' }
    expect(await change(who, { ...third, otp })).toRefuse(403, 'otp_invalid')
  })

  it.each(['code', 'resetUrl'] as const)('leaves the second factor on when it is reset by %s', async (by) => {
    const { who, codes } = await protectedMember()
    await sendReset(
      server.context,
      { email: who.email, device: { userAgent: FIREFOX, ip: '' } },
      new Date(),
      new Date(),
    )
    const sent = (await mails(who)).at(-1)?.params[by] ?? ''
    const passwords = { password: NEXT, password2: NEXT }
    const answer =
      by === 'code'
        ? await post('/api/auth/reset-password/', { email: who.email, otp: sent, ...passwords })
        : await post('/api/auth/reset-password/link/', { token: sent.split('#')[1], ...passwords })
    expect(answer).toAnswer(200)
    const { otp_required, otp_token, access } = await tokensOf(who, NEXT)
    expect([otp_required, access]).toEqual([true, undefined])
    const second = (code: string) => post('/api/auth/otp/', { otp_token, code })
    expect(await second('000000')).toAnswer(401)
    // The recovery codes are left as well.
    expect(await second(codes[0] ?? '')).toAnswer(200)
  })

  it('is changed with a recovery code, which the log of security says', async () => {
    const { who, codes } = await protectedMember()
    expect(await change(who, { ...body, otp: codes[0] })).toAnswer(200)
    expect((await eventsOf(who)).map(({ kind }) => kind)).toEqual([
      'two_factor_on',
      'recovery_code_used',
      'password_changed',
    ])
  })

  it('keeps a code for the next try where the new password is refused', async () => {
    const { who } = await protectedMember()
    const otp = await freshCode(server, accounts.headersOf(who))
    const common = { ...body, password: 'Password1!', password2: 'Password1!', otp }
    expect(await change(who, common)).toRefuse(400, 'password_common')
    expect(await change(who, { ...body, otp })).toAnswer(200)
  })
})

describe('a forgotten password', () => {
  const device = { userAgent: FIREFOX, ip: '203.0.113.9' }
  const ask = (email: string) => post('/api/auth/reset-password/send/', { email })
  const reset = (email: string, otp: string, password = NEXT) =>
    post('/api/auth/reset-password/', { email, otp, password, password2: password })
  /** What the worker does with a request. */
  const work = (email: string, at = new Date(), now = at) =>
    sendReset(server.context, { email, device }, at, now)

  async function asked(who: MemberFixture): Promise<string> {
    await work(who.email)
    return code(who)
  }

  it('is asked about in the same words and with the same work, known or not', async () => {
    const ana = await member()
    const known = await ask(ana.email.toUpperCase())
    const unknown = await ask('nobody@example.com')
    expect(known).toAnswer(200)
    expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body])
    expect(await mails(ana)).toEqual([])
    const rows = await query<{ payload: { email: string } }>(server.context.db)`
      SELECT payload FROM graphile_worker._private_jobs AS jobs
      JOIN graphile_worker._private_tasks AS tasks ON tasks.id = jobs.task_id
      WHERE tasks.identifier = 'identity.send_password_reset' ORDER BY jobs.id`
    expect(rows.map(({ payload }) => payload.email)).toEqual([ana.email, 'nobody@example.com'])
  })

  it('gets one e-mail a request, however often its job runs, and strangers none', async () => {
    const ana = await member()
    const at = new Date()
    const later = new Date(at.getTime() + 5)
    for (const email of [ana.email, ana.email, ana.email, 'nobody@example.com']) await work(email, at, later)
    expect(await mails(ana)).toMatchObject([
      { template: 'password_reset_code', to: ana.email, params: { ip: device.ip } },
    ])
    expect(await reset(ana.email, await code(ana))).toAnswer(200)
  })

  it('is replaced with the code; all sessions end, and the code is used', async () => {
    const ana = await member()
    const otp = await asked(ana)
    const answer = await reset(ana.email.toUpperCase(), ` ${otp} `)
    expect(answer.json()).toBe('Your password has changed. Sign in with the new one.')
    expect(await isLive(ana)).toBe(false)
    expect(await signIn(ana.email, TEST_PASSWORD)).toBe(401)
    expect(await signIn(ana.email, NEXT)).toBe(200)
    expect(await eventsOf(ana)).toMatchObject([{ kind: 'password_reset' }])
    expect((await mails(ana)).at(-1)).toMatchObject({ template: 'password_changed', to: ana.email })
    expect(await reset(ana.email, otp, 'third-password')).toAnswer(422)
    expect(await signIn(ana.email, NEXT)).toBe(200)
  })

  it('is refused in the same words whatever is wrong', async () => {
    const [ana, bob, eve] = [await member(), await member(), await member()]
    const [right, others] = [await asked(ana), await asked(eve)]
    const wrong = wrongFor(right)
    const answers = [
      await reset(ana.email, wrong),
      await reset(ana.email, others === right ? wrong : others),
      await reset(bob.email, right),
      await reset('nobody@example.com', right),
    ]
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    expect(answers[0]?.statusCode).toBe(422)
    // What is no e-mail is not looked up.
    expect(await reset(ana.username, right)).toAnswer(400)
    for (const who of [ana, bob, eve]) expect(await signIn(who.email, TEST_PASSWORD)).toBe(200)
  })

  it('cannot be guessed: after five wrong tries, many at a time, the right code is dead', async () => {
    const ana = await member()
    const otp = await asked(ana)
    await Promise.all(Array.from({ length: 12 }, (_, index) => reset(ana.email, wrongFor(otp, index))))
    expect(await reset(ana.email, otp)).toAnswer(422)
    const tries = server.context.db.selectFrom('password_reset').select('wrong_tries')
    expect(await tries.where('member_id', '=', ana.id).execute()).toEqual([{ wrong_tries: 5 }])
  })

  it('costs the processor about the same for strangers as for members', async () => {
    const ana = await member()
    await asked(ana)
    const ratio = await processorRatio(
      7,
      (round) => reset(`nobody${round}@example.com`, '0000001'),
      () => reset(ana.email, '0000001'),
    )
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  })

  it.each([
    [{ otp: '123456789' }, 'otp'],
    [{ otp: undefined }, 'otp'],
    [{ password: 'short', password2: 'short' }, 'password'],
    [{ password: 'qwerty2024', password2: 'qwerty2024' }, 'password'],
    [{ password2: 'different-one' }, 'password2'],
    [{ email: 'a@b\r\nBcc: c@d.co' }, 'email'],
  ])('refuses %j, at the field', async (wrong, path) => {
    const whole = { email: 'ana@example.com', otp: '1234567', password: NEXT, password2: NEXT, ...wrong }
    const answer = await post('/api/auth/reset-password/', whole, PROBLEM)
    expect(answer).toAnswer(400)
    expect(answer.json().errors[0]).toMatchObject({ path })
  })

  it('is not replaced with the present one, nor with the own name; only who has the code hears why, and keeps it', async () => {
    const ana = await member()
    await accounts.send(ana, { first_name: 'Wayta', last_name: 'Quispe' })
    const otp = await asked(ana)
    const send = (body: object) => {
      const whole = { email: ana.email, otp, password: NEXT, password2: NEXT, ...body }
      return post('/api/auth/reset-password/', whole, PROBLEM)
    }
    const same = { password: TEST_PASSWORD, password2: TEST_PASSWORD }
    const own = { password: 'wayta.quispe.90', password2: 'wayta.quispe.90' }
    for (const refused of [same, own])
      expect(await send({ ...refused, otp: wrongFor(otp) })).toRefuse(422, 'reset_refused')
    expect(await send(same)).toRefuse(422, 'password_same')
    expect(await send(own)).toRefuse(400, 'password_personal')
    expect(await isLive(ana)).toBe(true)
    expect(await send({})).toAnswer(200)
  })

  it('is asked for by whoever likes, in the same words, and gets eleven e-mails an hour at most', async () => {
    const ana = await member()
    const start = Date.now()
    for (let request = 0; request < 120; request += 1)
      await work(ana.email, new Date(start + request * 30_000))
    expect((await mails(ana)).length).toBeLessThanOrEqual(11)
    const { limits } = server.context.config
    const other = await startedWith(server, {
      limits: { ...limits, resetsByAddress: { points: 2, seconds: 900 } },
    })
    const from = (remoteAddress: string) =>
      other.call({
        method: 'POST',
        url: '/api/auth/reset-password/send/',
        payload: { email: ana.email },
        remoteAddress,
      })
    // From many addresses there is no 429; from one there is.
    for (let index = 1; index <= 40; index += 1) expect(await from(`198.51.100.${index}`)).toAnswer(200)
    await from('203.0.113.1')
    await from('203.0.113.1')
    expect(await from('203.0.113.1')).toAnswer(429)
    await other.close()
  })

  it('has up to three live codes: the next request keeps the ones before', async () => {
    const ana = await member()
    const start = Date.now()
    for (const seconds of [0, 1, 2]) await work(ana.email, new Date(start + seconds * 1000))
    const [first = ''] = (await mails(ana)).map(({ params }) => params['code'] ?? '')
    expect(await mails(ana)).toHaveLength(3)
    expect(await reset(ana.email, first)).toAnswer(200)
    for (const { params } of (await mails(ana)).slice(1, 3))
      expect(await reset(ana.email, params['code'] ?? '', 'third-password')).toAnswer(422)
  })
})

describe('the link for a new password', () => {
  const device = { userAgent: FIREFOX, ip: '203.0.113.9' }
  const work = (email: string, at = new Date(), now = at) =>
    sendReset(server.context, { email, device }, at, now)
  const follow = (token: string, password = NEXT, password2 = password) =>
    post('/api/auth/reset-password/link/', { token, password, password2 }, PROBLEM)
  const tokenIn = (url: string | undefined) => url?.split('#')[1] ?? ''
  /** A member who asked, and the token of the e-mail. */
  async function sent(at = new Date()) {
    const ana = await member()
    await work(ana.email, at)
    const [mail] = await mails(ana)
    return { ana, token: tokenIn(mail?.params['resetUrl']) }
  }

  it('works by itself and once, with all that follows from a new password', async () => {
    const { ana, token } = await sent()
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(await follow(token)).toAnswer(200)
    expect(await isLive(ana)).toBe(false)
    expect(await signIn(ana.email, NEXT)).toBe(200)
    expect(await eventsOf(ana)).toMatchObject([{ kind: 'password_reset' }])
    expect((await follow(token, 'third-password')).json()).toMatchObject({
      status: 422,
      code: 'reset_link_invalid',
    })
    expect(await signIn(ana.email, NEXT)).toBe(200)
  })

  it('survives wrong codes and later requests', async () => {
    const { ana, token } = await sent()
    const otp = await code(ana)
    for (let index = 0; index < 20; index += 1)
      await post('/api/auth/reset-password/', {
        email: ana.email,
        otp: wrongFor(otp, index),
        password: NEXT,
        password2: NEXT,
      })
    for (let index = 1; index < 20; index += 1) await work(ana.email, new Date(Date.now() + index))
    expect(await follow(token)).toAnswer(200)
  })

  it('ends with its ten minutes, with a change of the address, and with a new password', async () => {
    const late = await sent(new Date(Date.now() - 600_000))
    expect(await follow(late.token)).toAnswer(422)
    const moved = await sent()
    await accounts.changed(moved.ana, { email: 'elsewhere@example.com' })
    expect(await follow(moved.token)).toAnswer(422)
    const done = await sent()
    await work(done.ana.email, new Date(Date.now() + 1))
    expect(await follow(done.token)).toAnswer(200)
    const [, second] = await mails(done.ana)
    expect(await follow(tokenIn(second?.params['resetUrl']), 'third-password')).toAnswer(422)
  })

  it.each([
    ['', 'reset_link_invalid'],
    ['x'.repeat(43), 'reset_link_invalid'],
    ['x'.repeat(201), 'reset_link_invalid'],
  ])('that reads %j is refused', async (token, code) => {
    expect((await follow(token)).json()).toMatchObject({ code })
  })

  it('is not used up by the present password, nor by the own name', async () => {
    const { ana, token } = await sent()
    await accounts.send(ana, { first_name: 'Wayta', last_name: 'Quispe' })
    expect(await follow(token, TEST_PASSWORD)).toRefuse(422, 'password_same')
    expect(await follow(token, 'wayta.quispe.90')).toRefuse(400, 'password_personal')
    expect(await isLive(ana)).toBe(true)
    expect(await follow(token)).toAnswer(200)
  })

  it('takes a password that is typed twice the same', async () => {
    const { ana, token } = await sent()
    expect((await follow(token, NEXT, 'different-one')).json()).toMatchObject({ code: 'passwords_differ' })
    expect(await follow(token)).toAnswer(200)
    expect(await signIn(ana.email, NEXT)).toBe(200)
  })
})
