import { inTransaction } from '@aval/db'
import { describe, expect, it } from 'vitest'
import { codeOf, createTestServer, join, TEST_PASSWORD } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { rememberDevice } from '../known-devices/known-devices.commands.ts'
import { purgeExpired } from '../purge.commands.ts'
import { signIn, signInWithCode } from '../sign-in/sign-in.commands.ts'
import { at, outcome, secondFactorFixture, visitorOf } from '../testing/second-factor-fixture.ts'
import { confirmDecision } from './second-factor.commands.ts'

const server = await suiteFixture(createTestServer)
const { db } = server.context

const { answer, challenge, decisionOf, moneyOut, protectedMember, secondFactors } =
  secondFactorFixture(server)

describe('signing in with two-factor on', () => {
  it('gives no tokens for the password, and tokens for the code', async () => {
    const { memberId, username, secret } = await protectedMember()
    const post = (url: string, payload: object) => server.call({ method: 'POST', url, payload })
    const first = await post('/api/auth/token/', { email: username, password: TEST_PASSWORD })
    expect(first).toAnswer(200)
    const { otp_token } = first.json()
    expect(first.json()).toEqual({ otp_required: true, otp_token: expect.stringMatching(/^[\w-]{43}$/) })
    expect(await post('/api/auth/otp/', { otp_token, code: 'abcdef' })).toAnswer(
      401,
      'El código no es correcto o ya se usó. Cada código sirve una sola vez.',
    )
    const right = await post('/api/auth/otp/', { otp_token, code: codeOf(secret, new Date()) })
    expect([right.statusCode, Object.keys(right.json())]).toEqual([200, ['access', 'refresh']])
    const headers = { authorization: `Bearer ${right.json().access}` }
    expect((await server.call({ url: '/api/auth/user/', headers })).json()).toMatchObject({
      two_factor: true,
    })
    expect(await secondFactors(memberId)).toEqual([expect.any(Date)])
  })

  it('still refuses a wrong password as before', async () => {
    const { username } = await protectedMember()
    const wrong = visitorOf(username, 'not-it-at-all')
    expect(await outcome(signIn(server.context, wrong, at(0)))).toBe('credentials_wrong')
  })

  it('takes a code once, in its half minute and its neighbours', async () => {
    const { username, secret } = await protectedMember()
    const code = codeOf(secret, at(0))
    expect(await answer(await challenge(username), code, at(60))).toBe('otp_wrong')
    expect(await answer(await challenge(username), code, at(59))).toBe('done')
    expect(await answer(await challenge(username), code, at(59))).toBe('otp_wrong')
    // An earlier one neither, which was never used.
    expect(await answer(await challenge(username), codeOf(secret, at(-30)), at(0))).toBe('otp_wrong')
    expect(await answer(await challenge(username), codeOf(secret, at(30)), at(59))).toBe('done')
  })

  it('gives a session to one of two sign-ins that send the same code at once', async () => {
    const { memberId, username, secret } = await protectedMember()
    const tokens = [await challenge(username), await challenge(username)]
    const outcomes = await Promise.all(tokens.map((token) => answer(token, codeOf(secret, at(0)))))
    expect(outcomes.toSorted()).toEqual(['done', 'otp_wrong'])
    expect(await secondFactors(memberId)).toHaveLength(1)
  })

  it('does not take another member’s code, nor a token that was answered, expired or never was', async () => {
    const [ana, bea] = [await protectedMember(), await protectedMember()]
    const token = await challenge(ana.username)
    expect(await answer(token, codeOf(bea.secret, at(0)))).toBe('otp_wrong')
    expect(await answer(token, codeOf(ana.secret, at(0)))).toBe('done')
    expect(await answer(token, codeOf(ana.secret, at(30)), at(30))).toBe('otp_token_invalid')
    const late = await challenge(ana.username)
    expect(await answer(late, codeOf(ana.secret, at(300)), at(300))).toBe('otp_token_invalid')
    expect(await answer('x'.repeat(43), codeOf(ana.secret, at(60)), at(60))).toBe('otp_token_invalid')
    expect(await answer('', codeOf(ana.secret, at(60)), at(60))).toBe('otp_token_invalid')
  })

  it('allows five wrong codes on one token, however many come at once', async () => {
    const { username, secret } = await protectedMember()
    const token = await challenge(username)
    const guesses = await Promise.all(Array.from({ length: 20 }, () => answer(token, '000000', at(-600))))
    expect(guesses.filter((guess) => guess === 'otp_wrong')).toHaveLength(5)
    expect(await answer(token, codeOf(secret, at(0)))).toBe('otp_token_invalid')
  })

  it('allows ten wrong codes of one account in a quarter of an hour, and right ones of a session all the while', async () => {
    const { memberId, username, secret } = await protectedMember()
    const outcomes: string[] = []
    for (let sign = 0; sign < 3; sign += 1) {
      const token = await challenge(username)
      for (let guess = 0; guess < 5; guess += 1) outcomes.push(await answer(token, '000000'))
    }
    expect(outcomes).toEqual([...Array(10).fill('otp_wrong'), ...Array(5).fill('too_many_requests')])
    expect(await answer(await challenge(username, at(60)), codeOf(secret, at(60)), at(60))).toBe(
      'too_many_requests',
    )
    const money = { ...(await decisionOf(memberId)), otp: codeOf(secret, at(90)) }
    expect(await moneyOut(money, at(90))).toBe('done')
    const later = at(901)
    expect(await answer(await challenge(username, later), codeOf(secret, later), later)).toBe('done')
  })

  it('allows them on a known device, whoever used up the ten of the others', async () => {
    const { memberId, username, secret } = await protectedMember()
    const known = await inTransaction(db, (tx) => rememberDevice(tx, memberId, null, at(-60)))
    for (let sign = 0; sign < 3; sign += 1) {
      const token = await challenge(username)
      for (let guess = 0; guess < 5; guess += 1) await answer(token, '000000')
    }
    const onDevice = async (code: string) => {
      const token = await challenge(username)
      const sent = { token, code, device: { userAgent: 'test', ip: '203.0.113.9' }, deviceToken: known }
      return outcome(signInWithCode(server.context, sent, at(60)))
    }
    for (let guess = 0; guess < 10; guess += 1) expect(await onDevice('000000')).toBe('otp_wrong')
    expect(await onDevice('000000')).toBe('too_many_requests')
    const fresh = await inTransaction(db, (tx) => rememberDevice(tx, memberId, null, at(60)))
    const token = await challenge(username)
    const sent = {
      token,
      code: codeOf(secret, at(60)),
      device: { userAgent: 'test', ip: '' },
      deviceToken: fresh,
    }
    expect(await outcome(signInWithCode(server.context, sent, at(60)))).toBe('done')
  })

  it('purges what is over, and nothing else', async () => {
    const { memberId, username } = await protectedMember()
    await answer(await challenge(username), '000000')
    const left = async (table: 'otp_challenge' | 'otp_tries') =>
      (await db.selectFrom(table).selectAll().where('member_id', '=', memberId).execute()).length
    await purgeExpired(db, at(299))
    expect([await left('otp_challenge'), await left('otp_tries')]).toEqual([1, 1])
    await purgeExpired(db, at(901))
    expect([await left('otp_challenge'), await left('otp_tries')]).toEqual([0, 0])
  })
})

describe('a decision', () => {
  type Asked = Awaited<ReturnType<typeof decisionOf>>
  const verifyOnce = (decision: Asked, otp: string | null, now: Date) =>
    outcome(confirmDecision(server.context, { ...decision, otp }, now))

  it('is confirmed by a fresh code, and by each once, also when it is refused afterwards', async () => {
    const { memberId, secret } = await protectedMember(true)
    const decision = await decisionOf(memberId)
    expect(await verifyOnce(decision, null, at(0))).toBe('otp_required')
    expect(await verifyOnce(decision, ' ', at(0))).toBe('otp_required')
    expect(await verifyOnce(decision, '000000', at(0))).toBe('otp_invalid')
    const code = codeOf(secret, at(0))
    expect(await verifyOnce(decision, `${code.slice(0, 3)} ${code.slice(3)}`, at(0))).toBe('done')
    expect(await verifyOnce(decision, code, at(1))).toBe('otp_invalid')
    const audit = db.selectFrom('audit_event').select(['action', 'outcome', 'subject', 'details'])
    const refused = { action: 'pool.fund', outcome: 'refused', subject: 'pool:profit' }
    expect(
      await audit
        .where('actor_id', '=', memberId)
        .where('action', '<>', 'member.join')
        .orderBy('id')
        .execute(),
    ).toEqual(
      ['otp_required', 'otp_required', 'otp_invalid', 'otp_invalid'].map((code) => ({
        ...refused,
        details: { code },
      })),
    )
  })

  it('sent again as it was, under its key, passes with its code; anything else does not', async () => {
    const { memberId, secret } = await protectedMember(true)
    const keyed = await decisionOf(memberId, 'a'.repeat(64))
    const code = codeOf(secret, at(0))
    const both = await Promise.all([verifyOnce(keyed, code, at(0)), verifyOnce(keyed, code, at(0))])
    expect(both).toEqual(['done', 'done'])
    expect(await verifyOnce({ ...keyed, attempt: 'b'.repeat(64) }, code, at(1))).toBe('otp_invalid')
    expect(await verifyOnce({ ...keyed, attempt: null }, code, at(1))).toBe('otp_invalid')
    expect(await verifyOnce(keyed, code, at(70))).toBe('otp_invalid')
  })

  it('allows ten wrong codes of a session in a quarter of an hour, and of other sessions as many', async () => {
    const { memberId, secret } = await protectedMember(true)
    const decision = await decisionOf(memberId)
    const guesses = await Promise.all(
      Array.from({ length: 100 }, (_, guess) => verifyOnce(decision, String(100_000 + guess), at(-6000))),
    )
    expect(guesses.filter((guess) => guess === 'otp_invalid')).toHaveLength(10)
    expect(guesses.filter((guess) => guess === 'too_many_requests')).toHaveLength(90)
    expect(await verifyOnce(decision, codeOf(secret, at(-5900)), at(-5900))).toBe('too_many_requests')
    expect(await verifyOnce(await decisionOf(memberId), codeOf(secret, at(-5900)), at(-5900))).toBe('done')
    expect(await verifyOnce(decision, codeOf(secret, at(0)), at(0))).toBe('done')
  })

  it('about money that leaves asks members with two-factor on for a code, and no others', async () => {
    const plain = await decisionOf(await join(server))
    expect(await moneyOut({ ...plain, otp: null }, at(0))).toBe('done')
    const { memberId, secret } = await protectedMember()
    const asked = await decisionOf(memberId)
    expect(await moneyOut({ ...asked, otp: null }, at(0))).toBe('otp_required')
    const withCode = { ...asked, otp: codeOf(secret, at(0)) }
    expect(await moneyOut(withCode, at(0))).toBe('done')
    expect(await moneyOut(withCode, at(0))).toBe('otp_invalid')
  })

  it('is not an operator’s without two-factor', async () => {
    const decision = await decisionOf(await join(server))
    expect(await verifyOnce(decision, '123456', at(0))).toBe('two_factor_required')
  })
})
