import { describe, expect, it } from 'vitest'
import { query } from '../../../core/query.sql.ts'
import { codeOf, createTestServer, TEST_PASSWORD } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { addPasskey } from '../passkeys/passkeys.commands.ts'
import { REFUSALS_LOGGED } from '../passkeys/passkeys.rules.ts'
import { purgeExpired } from '../purge.commands.ts'
import { answerOf, passkeyFixture } from '../testing/passkey-fixture.ts'
import { at, device, outcome, secondFactorFixture } from '../testing/second-factor-fixture.ts'
import { beginPasskeyStep, signInWithPasskeyStep } from './sign-in.commands.ts'

const server = await suiteFixture(createTestServer)
const { db } = server.context
const { begin, newAuthenticator, owner, register, request, send, signIn } = passkeyFixture(server)
const { actorOf, answer, challenge, eventsOf, passwordIsEnough, protectedMember, secondFactors } =
  secondFactorFixture(server)

type Authenticator = ReturnType<typeof newAuthenticator>
const post = (url: string, payload: object) => server.call({ method: 'POST', url, payload })

/** A member with two-factor and a passkey. */
async function both(isOperator = false) {
  const member = await protectedMember(isOperator)
  const actor = await actorOf(member.memberId)
  const authenticator = newAuthenticator()
  const options = await begin(actor, at(-600), codeOf(member.secret, at(-600)))
  const credential = register(authenticator, options)
  await addPasskey(server.context, actor, { credential, name: 'Phone' }, at(-600))
  return { ...member, actor, authenticator }
}

describe('signing in with a passkey', () => {
  it('opens a session that has both factors', async () => {
    const { memberId, authenticator } = await owner()
    const options = await post('/api/auth/passkey/begin/', {})
    expect(options.json()).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: 'localhost',
      timeout: 300_000,
      allowCredentials: [],
      userVerification: 'required',
    })
    const credential = answerOf(authenticator, options.json(), { memberId })
    const signed = await post('/api/auth/passkey/', { credential })
    expect([signed.statusCode, Object.keys(signed.json())]).toEqual([200, ['access', 'refresh']])
    expect((await secondFactors(memberId)).filter((verified) => verified !== null)).toHaveLength(1)
    const used = db.selectFrom('passkey').select(['used_at', 'counter']).where('member_id', '=', memberId)
    expect(await used.execute()).toEqual([{ used_at: expect.any(Date), counter: 1n }])
  })

  it('lets an operator in as a code does', async () => {
    const { authenticator, memberId } = await both(true)
    const options = (await post('/api/auth/passkey/begin/', {})).json()
    const pair = await post('/api/auth/passkey/', {
      credential: answerOf(authenticator, options, { memberId }),
    })
    const headers = { authorization: `Bearer ${pair.json().access}` }
    expect((await server.call({ url: '/api/operator/today/', headers })).statusCode).not.toBe(403)
  })

  it('stands in the audit trail as what it was, by itself or in the second step', async () => {
    const { authenticator, memberId, username, secret } = await both()
    expect(await signIn(authenticator, { memberId })).toBe('done')
    expect(await answer(await challenge(username), codeOf(secret, at(0)))).toBe('done')
    const token = await challenge(username)
    const credential = answerOf(authenticator, await beginPasskeyStep(server.context, token, at(0)))
    const step = { token, credential, device, deviceToken: null }
    expect(await outcome(signInWithPasskeyStep(server.context, step, at(0)))).toBe('done')
    const entries = await query<{ proved: string }>(db)`SELECT details->>'proved' AS proved FROM audit_event
      WHERE action = 'session.begin' AND actor_id = ${memberId} ORDER BY id`
    expect(entries.map(({ proved }) => proved)).toEqual([
      'passkey',
      'password and code',
      'password and passkey',
    ])
  })

  it('leaves signing in with the password as it was', async () => {
    const { username } = await owner()
    expect(await passwordIsEnough(username)).toBe(true)
  })

  it('takes each challenge once, also of two answers at once, and for five minutes', async () => {
    const { authenticator } = await owner()
    const asked = await request()
    const answers = [answerOf(authenticator, asked), answerOf(authenticator, asked)]
    expect((await Promise.all(answers.map((each) => send(each)))).toSorted()).toEqual([
      'done',
      'passkey_wrong',
    ])
    const replayed = answerOf(authenticator, await request())
    expect(await send(replayed)).toBe('done')
    expect(await send(replayed)).toBe('passkey_wrong')
    const late = await request(at(0))
    expect(await send(answerOf(authenticator, late), at(299))).toBe('done')
    const later = await request(at(0))
    expect(await send(answerOf(authenticator, later), at(300))).toBe('passkey_wrong')
  })

  it('takes a challenge away with a wrong answer, too', async () => {
    const { authenticator } = await owner()
    const asked = await request()
    expect(await send(answerOf(authenticator, asked, { flags: 1 }))).toBe('passkey_wrong')
    expect(await send(answerOf(authenticator, asked))).toBe('passkey_wrong')
  })

  it.each([
    ['given on another origin', { origin: 'http://localhost:3001' }],
    ['given for another relying party', { rpId: 'aval.example' }],
    ['given inside another site’s page', { crossOrigin: true }],
    [
      'given inside another site’s page, which it names',
      { crossOrigin: true, client: { topOrigin: 'https://x.example' } },
    ],
    ['that made a passkey instead', { type: 'webauthn.create' }],
    ['to a challenge that is none of ours', { challenge: Buffer.alloc(32) }],
    ['of a device that did not recognise its owner', { flags: 1 }],
    ['of a device that asked nobody', { flags: 4 }],
    ['that names another member', { memberId: 1n }],
    ['with bytes that were not signed', { extra: Buffer.of(1) }],
  ])('refuses an answer %s, in the log of its member', async (_what, changes) => {
    const { memberId, authenticator } = await owner()
    expect(await signIn(authenticator, changes)).toBe('passkey_wrong')
    expect(await eventsOf(memberId)).toEqual(['passkey_added', 'passkey_refused'])
    expect(await signIn(authenticator, { memberId })).toBe('done')
  })

  it('refuses a counter that does not rise: there is a copy', async () => {
    const { authenticator } = await owner()
    expect(await signIn(authenticator, { counter: 7 })).toBe('done')
    expect(await signIn(authenticator, { counter: 7 })).toBe('passkey_wrong')
    expect(await signIn(authenticator, { counter: 6 })).toBe('passkey_wrong')
    expect(await signIn(authenticator, { counter: 8 })).toBe('done')
  })

  it('takes passkeys that do not count: they are kept on several devices', async () => {
    const { authenticator } = await owner()
    expect(await signIn(authenticator, { counter: 0 })).toBe('done')
    expect(await signIn(authenticator, { counter: 0 })).toBe('done')
  })

  it('refuses another key under the name of a known one', async () => {
    const { authenticator, memberId } = await owner()
    const thief = newAuthenticator()
    const asked = answerOf(thief, await request())
    const { credentialId: id } = authenticator.passkey
    expect(await send({ ...asked, id, rawId: id })).toBe('passkey_wrong')
    expect(await eventsOf(memberId)).toContain('passkey_refused')
  })

  it('says the same of an unknown passkey as of a wrong one', async () => {
    const { authenticator } = await owner()
    const sent = async (one: Authenticator, flags?: number) => {
      const options = (await post('/api/auth/passkey/begin/', {})).json()
      const credential = answerOf(one, options, flags === undefined ? {} : { flags })
      const { statusCode, body } = await post('/api/auth/passkey/', { credential })
      return [statusCode, body]
    }
    const unknown = await sent(newAuthenticator())
    expect(unknown).toEqual([
      401,
      '"No pudimos comprobar esa llave de acceso. Vuelve a intentarlo o entra con tu contraseña."',
    ])
    expect(await sent(authenticator, 1)).toEqual(unknown)
  })

  it('writes few refusals into a log, however often a stranger tries', async () => {
    const { memberId, authenticator } = await owner()
    for (let round = 0; round < REFUSALS_LOGGED + 5; round += 1) await signIn(authenticator, { flags: 1 })
    const refused = (await eventsOf(memberId)).filter((kind) => kind === 'passkey_refused')
    expect(refused).toHaveLength(REFUSALS_LOGGED)
  })
})

describe('a passkey instead of a code', () => {
  const step = (token: string, credential: ReturnType<typeof answerOf>, now = at(0)) =>
    outcome(signInWithPasskeyStep(server.context, { token, credential, device, deviceToken: null }, now))

  it('is offered to members who have one, and to no others', async () => {
    const signInOf = async (username: string) =>
      (await post('/api/auth/token/', { email: username, password: TEST_PASSWORD })).json()
    expect(await signInOf((await both()).username)).toMatchObject({ otp_required: true, passkey: true })
    expect(await signInOf((await protectedMember()).username)).toEqual({
      otp_required: true,
      otp_token: expect.any(String),
    })
  })

  it('finishes a sign-in, of operators too, and ends its token', async () => {
    for (const isOperator of [false, true]) {
      const { username, authenticator, memberId, secret } = await both(isOperator)
      const token = await challenge(username)
      const asked = await beginPasskeyStep(server.context, token, at(0))
      expect(asked.allowCredentials).toMatchObject([{ id: authenticator.passkey.credentialId }])
      expect(await step(token, answerOf(authenticator, asked, { memberId }))).toBe('done')
      expect((await secondFactors(memberId)).at(-1)).toEqual(at(0))
      expect(await answer(token, codeOf(secret, at(0)))).toBe('otp_token_invalid')
    }
  })

  it('has to be the member’s whose password was right', async () => {
    const [ana, bea] = [await both(), await both()]
    const token = await challenge(ana.username)
    const asked = await beginPasskeyStep(server.context, token, at(0))
    expect(await step(token, answerOf(bea.authenticator, asked))).toBe('passkey_wrong')
    expect(await eventsOf(ana.memberId)).toContain('passkey_refused')
    // Nor does a challenge of a sign-in without a password stand for it.
    expect(await step(token, answerOf(ana.authenticator, await request()))).toBe('passkey_wrong')
    const again = await beginPasskeyStep(server.context, token, at(0))
    expect(await step(token, answerOf(ana.authenticator, again))).toBe('done')
  })

  it('does not sign in without the password', async () => {
    const { username, authenticator } = await both()
    const asked = await beginPasskeyStep(server.context, await challenge(username), at(0))
    expect(await send(answerOf(authenticator, asked))).toBe('passkey_wrong')
  })

  it('has five tries a token, and nothing without one', async () => {
    const { username, authenticator } = await both()
    const token = await challenge(username)
    const asked = await beginPasskeyStep(server.context, token, at(0))
    for (let round = 0; round < 5; round += 1)
      expect(await step(token, answerOf(authenticator, asked, { flags: 1 }))).toBe('passkey_wrong')
    expect(await step(token, answerOf(authenticator, asked))).toBe('otp_token_invalid')
    expect(await outcome(beginPasskeyStep(server.context, token, at(0)))).toBe('otp_token_invalid')
    expect(await outcome(beginPasskeyStep(server.context, 'x'.repeat(43), at(0)))).toBe('otp_token_invalid')
    const late = await challenge(username)
    expect(await outcome(beginPasskeyStep(server.context, late, at(300)))).toBe('otp_token_invalid')
  })
})

it('purges challenges that are over, and no others', async () => {
  await query(db)`DELETE FROM passkey_challenge`
  await request(at(0))
  const left = async () => (await db.selectFrom('passkey_challenge').select('hash').execute()).length
  await purgeExpired(db, at(299))
  expect(await left()).toBe(1)
  await purgeExpired(db, at(301))
  expect(await left()).toBe(0)
})
