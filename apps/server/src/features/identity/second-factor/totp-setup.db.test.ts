import { inTransaction } from '@aval/db'
import { describe, expect, it } from 'vitest'
import { features } from '../../../features.ts'
import { accessOf, codeOf, createTestServer, join } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { reportNotMe } from '../not-me/not-me.commands.ts'
import { notMeUrl } from '../security-log/not-me-link.ts'
import { recordSecurityEvent } from '../security-log/security-log.commands.ts'
import { at, device, outcome, secondFactorFixture } from '../testing/second-factor-fixture.ts'
import {
  beginTotpSetup,
  confirmTotpSetup,
  disableSecondFactor,
  renewRecoveryCodes,
} from './totp-setup.commands.ts'

const server = await suiteFixture(createTestServer, features)
const { db } = server.context

const fixture = secondFactorFixture(() => server)
const {
  answer,
  challenge,
  decisionOf,
  moneyOut,
  password,
  protectedMember,
  recoverable,
  secondFactors,
  sessionOf,
} = fixture

describe('setting up', () => {
  it('changes nothing until a code was seen, then ends the other sessions and tells by mail', async () => {
    const memberId = await join(server, { username: 'setter' })
    const [here, elsewhere] = [await sessionOf(memberId), await sessionOf(memberId)]
    const actor = { memberId, sessionId: here, device }
    expect(await outcome(confirmTotpSetup(server.context, actor, '123456', at(0)))).toBe('two_factor_off')
    const first = await beginTotpSetup(server.context, memberId, at(0))
    const { secret, uri } = await beginTotpSetup(server.context, memberId, at(0))
    expect(secret).not.toBe(first.secret)
    expect(uri).toContain(`secret=${secret}`)
    expect('access' in (await password('setter'))).toBe(true)
    expect(await outcome(confirmTotpSetup(server.context, actor, codeOf(first.secret, at(0)), at(0)))).toBe(
      'otp_invalid',
    )
    expect('access' in (await password('setter'))).toBe(true)

    const codes = await confirmTotpSetup(server.context, actor, codeOf(secret, at(0)), at(0))
    expect(new Set(codes).size).toBe(10)
    expect('otp_token' in (await password('setter'))).toBe(true)
    const sessions = await db
      .selectFrom('session')
      .select(['id', 'ended_because', 'second_factor_at'])
      .where('member_id', '=', memberId)
      .execute()
    expect(sessions.find(({ id }) => id === here)).toMatchObject({
      ended_because: null,
      second_factor_at: at(0),
    })
    expect(sessions.find(({ id }) => id === elsewhere)).toMatchObject({ ended_because: 'two_factor' })
    expect(await outcome(beginTotpSetup(server.context, memberId, at(0)))).toBe('two_factor_on')
    expect(await outcome(confirmTotpSetup(server.context, actor, codeOf(secret, at(30)), at(30)))).toBe(
      'two_factor_on',
    )
    expect(await answer(await challenge('setter'), codeOf(secret, at(0)))).toBe('otp_wrong')

    const events = db.selectFrom('security_event').select(['kind', 'ip']).where('member_id', '=', memberId)
    expect(await events.execute()).toEqual([{ kind: 'two_factor_on', ip: device.ip }])
    const mail = db
      .selectFrom('mail_message')
      .select(['template', 'params'])
      .where('member_id', '=', memberId)
    expect(await mail.execute()).toMatchObject([{ template: 'two_factor_changed', params: { on: true } }])
  })

  it('keeps no secret that can be read in the database, nor a recovery code', async () => {
    const memberId = await join(server)
    const { secret } = await beginTotpSetup(server.context, memberId, at(0))
    const actor = { memberId, sessionId: await sessionOf(memberId), device }
    const codes = await confirmTotpSetup(server.context, actor, codeOf(secret, at(0)), at(0))
    const rows = JSON.stringify([
      await db.selectFrom('member_totp').select('secret').where('member_id', '=', memberId).execute(),
      await db.selectFrom('recovery_code').select('hash').where('member_id', '=', memberId).execute(),
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
  it('take a code of the app, end the ones before, and are told by mail', async () => {
    const { memberId, username, secret, codes, sessionId } = await recoverable()
    const actor = { memberId, sessionId, device }
    const renew = (typed: string, seconds: number) =>
      renewRecoveryCodes(server.context, actor, typed, at(seconds))
    expect(await outcome(renew(codes[0] ?? '', 0))).toBe('otp_invalid')
    expect(await outcome(renew(' ', 0))).toBe('otp_required')
    const fresh = await renew(codeOf(secret, at(0)), 0)
    expect(new Set([...fresh, ...codes]).size).toBe(20)
    // The same code again is a replay.
    expect(await outcome(renew(codeOf(secret, at(0)), 1))).toBe('otp_invalid')
    expect(await answer(await challenge(username), codes[1] ?? '')).toBe('otp_wrong')
    expect(await answer(await challenge(username), fresh[0] ?? '')).toBe('done')
    const letters = db.selectFrom('mail_message').select('template').where('member_id', '=', memberId)
    expect((await letters.execute()).map(({ template }) => template)).toContain('recovery_codes_renewed')
    const events = db.selectFrom('security_event').select('kind').where('member_id', '=', memberId)
    expect((await events.execute()).map(({ kind }) => kind)).toContain('recovery_codes_renewed')
  })

  it('are made once with one code, however often it is sent at once', async () => {
    const { memberId, secret, sessionId } = await recoverable()
    const actor = { memberId, sessionId, device }
    const code = codeOf(secret, at(0))
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map(() => outcome(renewRecoveryCodes(server.context, actor, code, at(0)))),
    )
    expect(outcomes.sort()).toEqual(['done', 'otp_invalid', 'otp_invalid', 'otp_invalid'])
  })

  it('are none where two-factor is off, or only being set up', async () => {
    const memberId = await join(server)
    const actor = { memberId, sessionId: await sessionOf(memberId), device }
    expect(await outcome(renewRecoveryCodes(server.context, actor, '123456', at(0)))).toBe('two_factor_off')
    const { secret } = await beginTotpSetup(server.context, memberId, at(0))
    const code = codeOf(secret, at(0))
    expect(await outcome(renewRecoveryCodes(server.context, actor, code, at(0)))).toBe('two_factor_off')
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
    const used = db.selectFrom('security_event').select('kind').where('member_id', '=', memberId)
    expect((await used.execute()).map(({ kind }) => kind)).toEqual([
      'two_factor_on',
      'recovery_code_used',
      'recovery_code_used',
    ])
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
    expect(await answer(await challenge(bea.username), ana.codes[0] ?? '')).toBe('otp_wrong')
    const money = { ...(await decisionOf(ana.memberId)), otp: ana.codes[0] ?? '' }
    expect(await moneyOut(money, at(0))).toBe('otp_invalid')
    expect(await answer(await challenge(ana.username), ana.codes[0] ?? '')).toBe('done')
  })
})

describe('turning it off', () => {
  it('needs a code; afterwards the password is enough, and no session counts as more', async () => {
    const { memberId, username, secret, sessionId } = await recoverable()
    const actor = { memberId, sessionId, device }
    expect(await outcome(disableSecondFactor(server.context, actor, '000000', at(0)))).toBe('otp_invalid')
    expect(await outcome(disableSecondFactor(server.context, actor, codeOf(secret, at(0)), at(0)))).toBe(
      'done',
    )
    expect('access' in (await password(username))).toBe(true)
    expect(await secondFactors(memberId)).toEqual([null, null])
    expect(await outcome(disableSecondFactor(server.context, actor, codeOf(secret, at(30)), at(30)))).toBe(
      'two_factor_off',
    )
    const mail = db
      .selectFrom('mail_message')
      .select('params')
      .where('member_id', '=', memberId)
      .orderBy('id')
    expect((await mail.execute()).map(({ params }) => params)).toMatchObject([{ on: true }, { on: false }])
  })

  it('works with a recovery code, for members who lost their phone', async () => {
    const { memberId, codes, sessionId } = await recoverable()
    const actor = { memberId, sessionId, device }
    expect(await outcome(disableSecondFactor(server.context, actor, codes[3] ?? '', at(0)))).toBe('done')
    const left = db.selectFrom('recovery_code').select('hash').where('member_id', '=', memberId)
    expect(await left.execute()).toEqual([])
  })

  it('is not for operators', async () => {
    const { memberId, secret } = await protectedMember(true)
    const actor = { memberId, sessionId: await sessionOf(memberId), device }
    expect(await outcome(disableSecondFactor(server.context, actor, codeOf(secret, at(0)), at(0)))).toBe(
      'two_factor_obligatory',
    )
  })

  it('needs a session: none of these calls is for strangers', async () => {
    for (const path of ['setup', 'confirm', 'disable']) {
      const url = `/api/auth/two-factor/${path}/`
      const answered = await server.call({ method: 'POST', url, payload: { code: '123456' } })
      expect(answered.statusCode).toBe(401)
    }
  })
})

describe('"this wasn’t me"', () => {
  const pressNotMe = async (memberId: bigint, kind: string) => {
    const events = db.selectFrom('security_event').select('id').where('member_id', '=', memberId)
    const { id } = await events.where('kind', '=', kind).executeTakeFirstOrThrow()
    const link = notMeUrl(server.context.config, memberId, `${kind}:${id}`, at(0))
    await reportNotMe(server.context, [], link.split('/').at(-1) ?? '', device, at(0))
  }

  it('to a mail about two-factor turns it off again, and nobody is kept out by a stranger’s phone', async () => {
    const { memberId, username } = await recoverable()
    await pressNotMe(memberId, 'two_factor_on')
    expect('access' in (await password(username))).toBe(true)
  })

  it('to what came after leaves the member’s own two-factor on', async () => {
    const { memberId, username } = await recoverable()
    await inTransaction(db, (tx) =>
      recordSecurityEvent(tx, { memberId, kind: 'password_changed', at: at(-60), device }),
    )
    await pressNotMe(memberId, 'password_changed')
    expect('otp_token' in (await password(username))).toBe(true)
  })

  it('leaves an operator’s on: it was handed over, not set up', async () => {
    const { memberId, username } = await protectedMember(true)
    await pressNotMe(memberId, 'two_factor_on')
    expect('otp_token' in (await password(username))).toBe(true)
  })
})
