import { describe, expect, it } from 'vitest'
import { features } from '../../../features.ts'
import { createTestServer, join } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { findCoolingEnd } from '../security-log/security-log.queries.ts'
import { mailsTo } from '../testing/member-fixture.ts'
import { at, secondFactorFixture } from '../testing/second-factor-fixture.ts'
import { type Release, releaseSecondFactor } from './second-factor-loss.commands.ts'

const server = await suiteFixture(createTestServer, features)

const { answer, challenge, password, protectedMember, recoverable, secondFactors } = secondFactorFixture(
  () => server,
)
const HOW = 'Passport and face on a video call, ticket 12.'

const release = (username: string): Promise<Release> =>
  releaseSecondFactor(server.context, { username, by: 'root', how: HOW }, at(60))

describe('a second factor that was lost', () => {
  it('is taken off whoever was identified: sessions end, money cools, both trails and an e-mail tell', async () => {
    const { memberId, username, codes } = await recoverable()
    const waiting = await challenge(username)
    expect(await release(username.toUpperCase())).toBe('released')
    expect('access' in (await password(username, at(61)))).toBe(true)
    expect(await answer(waiting, codes[0] ?? '', at(61))).toBe('otp_token_invalid')
    const { db, config } = server.context
    const live = db.selectFrom('session').select('id').where('member_id', '=', memberId)
    expect(await live.where('ended_at', 'is', null).execute()).toHaveLength(1)
    expect(await findCoolingEnd(db, memberId, config, at(62))).toEqual(at(60 + 24 * 3600))
    const letter = (await mailsTo(server, memberId)).at(-1)
    expect(letter).toMatchObject({
      template: 'two_factor_changed',
      params: { on: false, byOperator: true, notMeUrl: expect.any(String), coolsUntil: expect.any(String) },
    })
    const audit = db.selectFrom('audit_event').selectAll().where('action', '=', 'two_factor.release')
    expect(await audit.where('subject', '=', `member:${memberId}`).execute()).toMatchObject([
      { actor_id: null, outcome: 'done', details: { by: 'root', how: HOW } },
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
    expect('otp_token' in (await password(operator.username))).toBe(true)
    expect(await secondFactors(operator.memberId)).toEqual([])
    await join(server, { username: 'without' })
    expect(await release('without')).toBe('not_on')
    expect(await release('nobody-at-all')).toBe('nobody')
    expect(await release("x' OR '1'='1")).toBe('nobody')
  })
})
