import { inTransaction } from '@aval/db'
import { describe, expect, it } from 'vitest'
import { accessOf, codeOf, createTestServer, PROBLEM, TEST_PASSWORD } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { reportNotMe } from '../not-me/not-me.commands.ts'
import { notMeUrl } from '../security-log/not-me-link.ts'
import { recordSecurityEvent } from '../security-log/security-log.commands.ts'
import { findCoolingEnd } from '../security-log/security-log.queries.ts'
import { accountFixture, mailsTo, tokenOf } from '../testing/member-fixture.ts'
import { at, device, outcome, secondFactorFixture } from '../testing/second-factor-fixture.ts'
import * as store from './second-factor.sql.ts'
import {
  beginTotpSetup,
  confirmTotpSetup,
  disableSecondFactor,
  releaseSecondFactor,
  renewRecoveryCodes,
} from './totp-setup.commands.ts'

const server = await suiteFixture(createTestServer)
const { db, config } = server.context
const fixture = secondFactorFixture(server)
const accounts = accountFixture(server)
const { actorOf, answer, challenge, decisionOf, eventsOf, moneyOut, newMember } = fixture
const { passwordIsEnough, protectedMember, recoverable, secondFactors } = fixture

type Actor = Awaited<ReturnType<typeof actorOf>>
const begin = (memberId: bigint) => beginTotpSetup(server.context, memberId, TEST_PASSWORD, at(0))
const confirm = (actor: Actor, typed: string, seconds = 0) =>
  confirmTotpSetup(server.context, actor, typed, at(seconds))
const renew = (actor: Actor, typed: string, seconds = 0) =>
  renewRecoveryCodes(server.context, actor, typed, at(seconds))
const disable = (actor: Actor, typed: string, seconds = 0) =>
  outcome(disableSecondFactor(server.context, actor, typed, at(seconds)))

describe('setting up', () => {
  it('changes nothing until a code was seen, then ends the other sessions and sends an e-mail', async () => {
    const { memberId, username } = await newMember()
    const [here, elsewhere] = [await actorOf(memberId), await actorOf(memberId)]
    expect(await outcome(confirm(here, '123456'))).toBe('two_factor_off')
    const first = await begin(memberId)
    const { secret, uri } = await begin(memberId)
    expect(secret).not.toBe(first.secret)
    expect(uri).toContain(`secret=${secret}`)
    expect(await passwordIsEnough(username)).toBe(true)
    expect(await outcome(confirm(here, codeOf(first.secret, at(0))))).toBe('otp_invalid')
    expect(await passwordIsEnough(username)).toBe(true)

    const codes = await confirm(here, codeOf(secret, at(0)))
    expect(new Set(codes).size).toBe(10)
    expect(await passwordIsEnough(username)).toBe(false)
    const sessions = db.selectFrom('session').select(['id', 'ended_because', 'second_factor_at'])
    const rows = await sessions.where('member_id', '=', memberId).execute()
    const sessionOf = ({ sessionId }: Actor) => rows.find(({ id }) => id === sessionId)
    expect(sessionOf(here)).toMatchObject({ ended_because: null, second_factor_at: at(0) })
    expect(sessionOf(elsewhere)).toMatchObject({ ended_because: 'two_factor' })
    expect(await outcome(begin(memberId))).toBe('two_factor_on')
    expect(await outcome(confirm(here, codeOf(secret, at(30)), 30))).toBe('two_factor_on')
    expect(await answer(await challenge(username), codeOf(secret, at(0)))).toBe('otp_wrong')

    const events = db.selectFrom('security_event').select(['kind', 'ip']).where('member_id', '=', memberId)
    expect(await events.execute()).toEqual([{ kind: 'two_factor_on', ip: device.ip }])
    expect(await mailsTo(server, memberId)).toMatchObject([
      { template: 'two_factor_changed', params: { on: true } },
    ])
  })

  it('takes the password: a session alone turns nothing on, and a wrong one ends no session', async () => {
    const ana = await accounts.member()
    const other = await accounts.elsewhere(ana)
    const send = (body?: object) =>
      accounts.post('/api/auth/two-factor/setup/', body ?? {}, { ...accounts.headersOf(ana), ...PROBLEM })
    expect(await send()).toRefuse(400, 'field_required')
    expect(await send({ current_password: 'not-the-password' })).toRefuse(422, 'current_password_wrong')
    expect((await send({ current_password: 'not-the-password' })).json().errors[0].path).toBe(
      'current_password',
    )
    expect(await store.selectTotp(db, ana.id)).toBeUndefined()
    expect([await accounts.isLive(ana), await accounts.isLive(other)]).toEqual([true, true])
    expect((await send({ current_password: TEST_PASSWORD })).json().secret).toMatch(/^[A-Z2-7]+$/)
  })

  it('keeps no secret that can be read in the database, nor a recovery code', async () => {
    const { memberId, secret, codes } = await recoverable()
    const rows = JSON.stringify([
      await db.selectFrom('member_totp').select('secret').where('member_id', '=', memberId).execute(),
      await db
        .selectFrom('recovery_code')
        .select(['hash', 'salt'])
        .where('member_id', '=', memberId)
        .execute(),
    ])
    expect(rows).not.toContain(secret)
    for (const code of codes) expect(rows).not.toContain(code.replace('-', ''))
  })

  it('never uses a code twice, whatever the server asks of the database', async () => {
    const { memberId } = await protectedMember()
    const set = (step: bigint) =>
      db.updateTable('member_totp').set({ last_step: step }).where('member_id', '=', memberId).execute()
    await set(5n)
    await expect(set(4n)).rejects.toThrow('each once')
  })
})

describe('new recovery codes', () => {
  it('take a code of the app, end the ones before, and are in an e-mail', async () => {
    const { memberId, username, secret, codes, actor } = await recoverable()
    const code = codeOf(secret, at(0))
    expect(await outcome(renew(actor, codes[0] ?? ''))).toBe('otp_invalid')
    expect(await outcome(renew(actor, ' '))).toBe('otp_required')
    const fresh = await renew(actor, code)
    expect(new Set([...fresh, ...codes]).size).toBe(20)
    // The same code again is a replay.
    expect(await outcome(renew(actor, code, 1))).toBe('otp_invalid')
    expect(await answer(await challenge(username), codes[1] ?? '')).toBe('otp_wrong')
    expect(await answer(await challenge(username), fresh[0] ?? '')).toBe('done')
    const templates = (await mailsTo(server, memberId)).map(({ template }) => template)
    expect(templates).toContain('recovery_codes_renewed')
    expect(await eventsOf(memberId)).toContain('recovery_codes_renewed')
  })

  it('are made once with one code, however often it is sent at once', async () => {
    const { secret, actor } = await recoverable()
    const outcomes = [1, 2, 3, 4].map(() => outcome(renew(actor, codeOf(secret, at(0)))))
    const sorted = (await Promise.all(outcomes)).sort()
    expect(sorted).toEqual(['done', 'otp_invalid', 'otp_invalid', 'otp_invalid'])
  })

  it('are none where two-factor is off, or only being set up', async () => {
    const { memberId } = await newMember()
    const actor = await actorOf(memberId)
    expect(await outcome(renew(actor, '123456'))).toBe('two_factor_off')
    const { secret } = await begin(memberId)
    expect(await outcome(renew(actor, codeOf(secret, at(0))))).toBe('two_factor_off')
  })
})

describe('a recovery code', () => {
  it('signs in once, and that is written down', async () => {
    const { memberId, username, codes } = await recoverable()
    const [first = '', second = ''] = codes
    expect(await answer(await challenge(username), first.toUpperCase())).toBe('done')
    expect(await answer(await challenge(username), first)).toBe('otp_wrong')
    const both = [await challenge(username), await challenge(username)]
    const outcomes = await Promise.all(both.map((token) => answer(token, second)))
    expect(outcomes.toSorted()).toEqual(['done', 'otp_wrong'])
    expect(await eventsOf(memberId)).toEqual(['two_factor_on', 'recovery_code_used', 'recovery_code_used'])
    const headers = { authorization: `Bearer ${await accessOf(server, memberId)}` }
    expect((await server.call({ url: '/api/auth/two-factor/', headers })).json()).toEqual({
      on: true,
      since: at(-600).toISOString(),
      recovery_codes_left: 8,
      obligatory: false,
    })
  })

  it('is its member’s alone, and moves no money', async () => {
    const [ana, bea] = [await recoverable(), await recoverable()]
    const [code = ''] = ana.codes
    expect(await answer(await challenge(bea.username), code)).toBe('otp_wrong')
    const money = { ...(await decisionOf(ana.memberId)), otp: code }
    expect(await moneyOut(money, at(0))).toBe('otp_invalid')
    expect(await answer(await challenge(ana.username), code)).toBe('done')
  })
})

describe('turning it off', () => {
  it('needs a code; afterwards the password is enough, and no session counts as more', async () => {
    const { memberId, username, secret, actor } = await recoverable()
    expect(await disable(actor, '000000')).toBe('otp_invalid')
    expect(await disable(actor, codeOf(secret, at(0)))).toBe('done')
    expect(await passwordIsEnough(username)).toBe(true)
    expect(await secondFactors(memberId)).toEqual([null, null])
    expect(await disable(actor, codeOf(secret, at(30)), 30)).toBe('two_factor_off')
    const mails = await mailsTo(server, memberId)
    expect(mails.map(({ params }) => params)).toMatchObject([{ on: true }, { on: false }])
  })

  it('works with a recovery code, for members who lost their phone', async () => {
    const { memberId, codes, actor } = await recoverable()
    expect(await disable(actor, codes[3] ?? '')).toBe('done')
    const left = db.selectFrom('recovery_code').select('hash').where('member_id', '=', memberId)
    expect(await left.execute()).toEqual([])
  })

  it('is not for operators', async () => {
    const { memberId, secret } = await protectedMember(true)
    expect(await disable(await actorOf(memberId), codeOf(secret, at(0)))).toBe('two_factor_obligatory')
  })
})

describe('a second factor that was lost', () => {
  const how = 'Passport and face on a video call, ticket 12.'
  const release = (username: string) =>
    releaseSecondFactor(server.context, { username, by: 'root', how }, at(60))

  it('is taken off a member who was identified: sessions end, money cools, both logs and an e-mail say so', async () => {
    const { memberId, username, codes } = await recoverable()
    const waiting = await challenge(username)
    expect(await release(username.toUpperCase())).toBe('released')
    expect(await passwordIsEnough(username, at(61))).toBe(true)
    expect(await answer(waiting, codes[0] ?? '', at(61))).toBe('otp_token_invalid')
    const live = db.selectFrom('session').select('id').where('member_id', '=', memberId)
    expect(await live.where('ended_at', 'is', null).execute()).toHaveLength(1)
    expect(await findCoolingEnd(db, memberId, config, at(62))).toEqual(at(60 + 24 * 3600))
    expect((await mailsTo(server, memberId)).at(-1)).toMatchObject({
      template: 'two_factor_changed',
      params: { on: false, byOperator: true, notMeUrl: expect.any(String), coolsUntil: expect.any(String) },
    })
    const audit = db.selectFrom('audit_event').selectAll().where('action', '=', 'two_factor.release')
    expect(await audit.where('subject', '=', `member:${memberId}`).execute()).toMatchObject([
      { actor_id: null, outcome: 'done', details: { by: 'root', how } },
    ])
    const event = db.selectFrom('security_event').selectAll().where('member_id', '=', memberId)
    expect((await event.where('kind', '=', 'two_factor_off').execute())[0]).toMatchObject({
      details: { by: 'operator' },
    })
  })

  it('is taken off once', async () => {
    const { username } = await recoverable()
    const outcomes = await Promise.all([1, 2, 3].map(() => release(username)))
    expect(outcomes.sort()).toEqual(['not_on', 'not_on', 'released'])
  })

  it('stays on an operator, and is nothing where there is none', async () => {
    const operator = await protectedMember(true)
    expect(await release(operator.username)).toBe('operator')
    expect(await passwordIsEnough(operator.username)).toBe(false)
    expect(await secondFactors(operator.memberId)).toEqual([])
    expect(await release((await newMember()).username)).toBe('not_on')
    expect(await release('nobody-at-all')).toBe('nobody')
    expect(await release("x' OR '1'='1")).toBe('nobody')
  })
})

describe('"this wasn’t me"', () => {
  const pressNotMe = async (memberId: bigint, kind: string) => {
    const events = db.selectFrom('security_event').select('id').where('member_id', '=', memberId)
    const { id } = await events.where('kind', '=', kind).executeTakeFirstOrThrow()
    const token = tokenOf(notMeUrl(config, memberId, `${kind}:${id}`, at(0)))
    await reportNotMe(server.context, [], token, device, at(0))
  }

  it('to a mail about two-factor turns it off again, and nobody is kept out by a stranger’s phone', async () => {
    const { memberId, username } = await recoverable()
    await pressNotMe(memberId, 'two_factor_on')
    expect(await passwordIsEnough(username)).toBe(true)
  })

  it('to what came after leaves the member’s own two-factor on', async () => {
    const { memberId, username } = await recoverable()
    const event = { memberId, kind: 'password_changed', at: at(-60), device } as const
    await inTransaction(db, (tx) => recordSecurityEvent(tx, event))
    await pressNotMe(memberId, 'password_changed')
    expect(await passwordIsEnough(username)).toBe(false)
  })

  it('leaves an operator’s on: it was given, not set up', async () => {
    const { memberId, username } = await protectedMember(true)
    await pressNotMe(memberId, 'two_factor_on')
    expect(await passwordIsEnough(username)).toBe(false)
  })
})
