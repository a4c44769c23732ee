import { describe, expect, it } from 'vitest'
import { query } from '../../../core/query.sql.ts'
import { createTestServer, PROBLEM, TEST_PASSWORD } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import {
  accountFixture,
  FIREFOX,
  formOf,
  type MemberFixture,
  processorRatio,
  startedWith,
  walletOf,
  wrongFor,
} from '../testing/member-fixture.ts'
import { sendReset } from './passwords.commands.ts'

const server = await suiteFixture(createTestServer)
const accounts = accountFixture(server)
const { code, elsewhere, eventsOf, isLive, mails, member, post, signIn } = accounts

const NEXT = 'another-password'
const WALLET = walletOf(20)

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
    [{ ...body, password: 'x'.repeat(21), password2: 'x'.repeat(21) }, 400, 'password'],
    [{ ...body, password2: 'another-passwort' }, 400, 'password2'],
    [{ ...body, password: ['another-password'] }, 400, 'password'],
    [{}, 400, 'current_password'],
  ])('is not changed by %j', async (wrong, status, path) => {
    const ana = await member()
    const answer = await change(ana, wrong, PROBLEM)
    expect(answer).toAnswer(status)
    expect(answer.json().errors[0]).toMatchObject({ path })
    expect(await signIn(ana.email, TEST_PASSWORD)).toBe(200)
    expect(await eventsOf(ana)).toEqual([])
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
    const tries = server.context.db.selectFrom('email_code').select('wrong_tries')
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
    [{ password2: 'different-one' }, 'password2'],
    [{ email: 'a@b\r\nBcc: c@d.co' }, 'email'],
  ])('refuses %j, at the field', async (wrong, path) => {
    const whole = { email: 'ana@example.com', otp: '1234567', password: NEXT, password2: NEXT, ...wrong }
    const answer = await post('/api/auth/reset-password/', whole, PROBLEM)
    expect(answer).toAnswer(400)
    expect(answer.json().errors[0]).toMatchObject({ path })
  })

  it('is not asked for without end', async () => {
    const { limits } = server.context.config
    const tight = { limits: { ...limits, resetsByEmail: { points: 2, seconds: 900 } } }
    const other = await startedWith(server, tight)
    const { post } = accountFixture(other)
    const send = async (email: string) => (await post('/api/auth/reset-password/send/', { email })).statusCode
    for (const status of [200, 200, 429]) expect(await send('nobody@example.com')).toBe(status)
    expect(await send('else@example.com')).toBe(200)
    await other.close()
  })
})
