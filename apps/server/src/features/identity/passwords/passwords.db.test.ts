import { sql } from 'kysely'
import { describe, expect, inject, it } from 'vitest'
import { features } from '../../../features.ts'
import { accessOf, createTestServer, TEST_PASSWORD } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import {
  accountCalls,
  emailCodeFor,
  encodeForm,
  FIREFOX,
  headersOf,
  type MemberFixture,
  mailsTo,
  memberFixture,
  patch,
  walletOf,
} from '../testing/member-fixture.ts'
import { sendReset } from './passwords.commands.ts'

const server = await suiteFixture(createTestServer, features)
const { eventsOf, isLive, post, signIn } = accountCalls(server)

const NEXT = 'another-password'
const WALLET = walletOf(20)

describe('a password', () => {
  const change = (who: MemberFixture, body: object, headers: Record<string, string> = {}) =>
    post('/api/auth/user/change-password/', body, headersOf(who, headers))
  const body = { current_password: TEST_PASSWORD, password: NEXT, password2: NEXT }

  it('is changed by whoever knows the present one; all other sessions end, and codes die', async () => {
    const ana = await memberFixture(server)
    const elsewhere = await accessOf(server, ana.id)
    await patch(server, ana, { usdt_wallet: WALLET })
    const answer = await change(ana, body)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ message: 'Your password has changed. All other sessions have ended.' })
    expect(await isLive(ana.access)).toBe(true)
    expect(await isLive(elsewhere)).toBe(false)
    expect(await signIn(ana.email, TEST_PASSWORD)).toBe(401)
    expect(await signIn(ana.email, NEXT)).toBe(200)
    const secret_code = await emailCodeFor(server, ana.id)
    expect((await patch(server, ana, { usdt_wallet: WALLET, secret_code })).json()).toContain(
      'no longer good',
    )
    expect(await eventsOf(ana)).toMatchObject(['password_changed'].map((kind) => ({ kind })))
    expect((await mailsTo(server, ana.id)).at(-1)).toMatchObject({
      template: 'password_changed',
      to: ana.email,
      params: { device: FIREFOX, notMeUrl: expect.any(String), coolsUntil: expect.any(String) },
    })
  })

  it('is changed by a form as well', async () => {
    const ana = await memberFixture(server)
    const form = new FormData()
    for (const [name, value] of Object.entries(body)) form.set(name, value)
    const { payload, headers } = await encodeForm(form)
    expect((await change(ana, payload, headers)).statusCode).toBe(200)
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
    const ana = await memberFixture(server)
    const answer = await change(ana, wrong, { accept: 'application/problem+json' })
    expect(answer.statusCode).toBe(status)
    expect(answer.json().errors[0]).toMatchObject({ path })
    expect(await signIn(ana.email, TEST_PASSWORD)).toBe(200)
    expect(await eventsOf(ana)).toMatchObject([].map((kind) => ({ kind })))
  })
})

describe('a forgotten password', () => {
  const device = { userAgent: FIREFOX, ip: '203.0.113.9' }
  const ask = (email: string) => post('/api/auth/reset-password/send/', { email })
  const reset = (email: string, otp: string, password = NEXT, headers = {}) =>
    post('/api/auth/reset-password/', { email, otp, password, password2: password }, headers)

  /** What the worker does with a request. */
  async function asked(who: MemberFixture): Promise<string> {
    const now = new Date()
    await sendReset(server.context, { email: who.email, device }, now, now)
    return emailCodeFor(server, who.id)
  }

  it('is asked about in the same words and with the same work, known or not', async () => {
    const ana = await memberFixture(server)
    const known = await ask(ana.email.toUpperCase())
    const unknown = await ask('nobody@example.com')
    expect(known.statusCode).toBe(200)
    expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body])
    expect(await mailsTo(server, ana.id)).toEqual([])
    const { rows } = await sql<{ payload: { email: string } }>`
      SELECT payload FROM graphile_worker._private_jobs AS jobs
      JOIN graphile_worker._private_tasks AS tasks ON tasks.id = jobs.task_id
      WHERE tasks.identifier = 'identity.send_password_reset' ORDER BY jobs.id`.execute(server.context.db)
    expect(rows.map(({ payload }) => payload.email)).toEqual([ana.email, 'nobody@example.com'])
  })

  it('gets one e-mail a request, however often its job runs, and strangers none', async () => {
    const ana = await memberFixture(server)
    const at = new Date()
    const later = new Date(at.getTime() + 5)
    for (let run = 0; run < 3; run += 1)
      await sendReset(server.context, { email: ana.email, device }, at, later)
    await sendReset(server.context, { email: 'nobody@example.com', device }, at, later)
    const letters = await mailsTo(server, ana.id)
    expect(letters).toMatchObject([
      { template: 'password_reset_code', to: ana.email, params: { ip: device.ip } },
    ])
    expect((await reset(ana.email, letters[0]?.params['code'] ?? '')).statusCode).toBe(200)
  })

  it('is replaced with the code; all sessions end, and the code is used', async () => {
    const ana = await memberFixture(server)
    const otp = await asked(ana)
    const answer = await reset(ana.email.toUpperCase(), ` ${otp} `)
    expect(answer.json()).toBe('Your password has changed. Sign in with the new one.')
    expect(await isLive(ana.access)).toBe(false)
    expect(await signIn(ana.email, TEST_PASSWORD)).toBe(401)
    expect(await signIn(ana.email, NEXT)).toBe(200)
    expect(await eventsOf(ana)).toMatchObject(['password_reset'].map((kind) => ({ kind })))
    expect((await mailsTo(server, ana.id)).at(-1)).toMatchObject({
      template: 'password_changed',
      to: ana.email,
    })
    expect((await reset(ana.email, otp, 'third-password')).statusCode).toBe(422)
    expect(await signIn(ana.email, NEXT)).toBe(200)
  })

  it('is refused in the same words whatever is wrong', async () => {
    const [ana, bob, eve] = [
      await memberFixture(server),
      await memberFixture(server),
      await memberFixture(server),
    ]
    const [of, others] = [await asked(ana), await asked(eve)]
    const wrong = String((Number(of) + 1) % 10_000_000).padStart(7, '0')
    const answers = [
      await reset(ana.email, wrong),
      await reset(ana.email, others === of ? wrong : others),
      await reset(bob.email, of),
      await reset('nobody@example.com', of),
      await reset(ana.username, of),
    ]
    expect(new Set(answers.slice(0, 4).map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    expect(answers[0]?.statusCode).toBe(422)
    // What is no e-mail is not looked up.
    expect(answers[4]?.statusCode).toBe(400)
    for (const who of [ana, bob, eve]) expect(await signIn(who.email, TEST_PASSWORD)).toBe(200)
  })

  it('is not to be guessed: after five wrong tries, many at a time, the right code is dead', async () => {
    const ana = await memberFixture(server)
    const otp = await asked(ana)
    const guesses = Array.from({ length: 12 }, (_, index) => String((Number(otp) + 1 + index) % 10_000_000))
    await Promise.all(guesses.map((guess) => reset(ana.email, guess)))
    expect((await reset(ana.email, otp)).statusCode).toBe(422)
    const { rows } = await sql<{ n: number }>`
      SELECT wrong_tries::int AS n FROM email_code WHERE member_id = ${ana.id}`.execute(server.context.db)
    expect(rows[0]?.n).toBe(5)
  })

  it('costs the processor about the same for strangers as for members', async () => {
    const ana = await memberFixture(server)
    await asked(ana)
    const timed = async (email: string) => {
      // Processor time: what else the machine does is not in it.
      const started = process.cpuUsage()
      await reset(email, '0000001')
      const { user, system } = process.cpuUsage(started)
      return user + system
    }
    const [known, unknown]: [number[], number[]] = [[], []]
    for (let round = 0; round < 7; round += 1) {
      known.push(await timed(ana.email))
      unknown.push(await timed(`nobody${round}@example.com`))
    }
    const median = (times: number[]) => times.toSorted((a, b) => a - b)[3] ?? 0
    expect(median(unknown) / median(known)).toBeGreaterThan(0.5)
    expect(median(unknown) / median(known)).toBeLessThan(2)
  })

  it.each([
    [{ otp: '123456789' }, 'otp'],
    [{ otp: undefined }, 'otp'],
    [{ password: 'short', password2: 'short' }, 'password'],
    [{ password2: 'different-one' }, 'password2'],
    [{ email: 'a@b\r\nBcc: c@d.co' }, 'email'],
  ])('refuses %j, at the field', async (wrong, path) => {
    const whole = { email: 'ana@example.com', otp: '1234567', password: NEXT, password2: NEXT, ...wrong }
    const answer = await post('/api/auth/reset-password/', whole, { accept: 'application/problem+json' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().errors[0]).toMatchObject({ path })
  })

  it('is not asked for without end', async () => {
    const { limits } = server.context.config
    const tight = await createTestServer(inject('ownerUrl'), features, {
      limits: { ...limits, resetsByEmail: { points: 2, seconds: 900 } },
    })
    const send = (email: string) =>
      tight.call({ method: 'POST', url: '/api/auth/reset-password/send/', payload: { email } })
    for (const status of [200, 200, 429]) expect((await send('nobody@example.com')).statusCode).toBe(status)
    expect((await send('else@example.com')).statusCode).toBe(200)
    await tight.close()
  })
})
