/** A second factor that was lost: two operators release it, its member may stop it. */
import { constraintOf } from '@aval/db'
import { expect, it } from 'vitest'
import { query } from '../../../core/query.sql.ts'
import { createTestServer, join, operatorClient, PROBLEM } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { hasSecondFactor } from '../second-factor/second-factor.queries.ts'
import { findMoneyLock } from '../security-log/security-log.queries.ts'
import { mailsTo, tokenOf } from '../testing/member-fixture.ts'
import { secondFactorFixture } from '../testing/second-factor-fixture.ts'

const server = await suiteFixture(createTestServer)
const { context } = server
const { db, config } = context
const { actorOf, protectedMember } = secondFactorFixture(server)
const olga = await operatorClient(server, { username: 'olga', operatorRole: 'support' })
const omar = await operatorClient(server, { username: 'omar', operatorRole: 'compliance' })
const words = { reason: 'Lost the phone.', identified: 'Passport and face on a video call.' }

const ask = (id: bigint, by = olga) => by.decide(`operator/members/${id}/release/`, words, PROBLEM)
const end = (id: bigint, verb: 'agree' | 'refuse', by = omar) =>
  by.decide(`operator/members/${id}/release/${verb}/`, {}, PROBLEM)
const waiting = async (id: bigint, by = omar) => (await by.get(`operator/members/${id}/acts/`)).json().release
const isOn = (id: bigint) => hasSecondFactor(db, id)

it('one asks, another one agrees: it is off, sessions end, money cools, and both are named', async () => {
  const { memberId: ana } = await protectedMember()
  const { sessionId } = await actorOf(ana)
  expect(await ask(ana)).toAnswer(200)
  expect(await isOn(ana)).toBe(true)
  expect(await waiting(ana)).toMatchObject({ by: 'olga', ...words, own: false })
  expect(await waiting(ana, olga)).toMatchObject({ own: true })
  expect((await mailsTo(server, ana)).at(-1)).toMatchObject({ template: 'release_asked' })
  expect(await end(ana, 'agree')).toAnswer(200)
  expect(await isOn(ana)).toBe(false)
  expect(await waiting(ana)).toBeNull()
  const [session] = await query(db)`SELECT ended_because FROM session WHERE id = ${sessionId}::uuid`
  expect(session).toEqual({ ended_because: 'two_factor' })
  expect(await findMoneyLock(db, ana, config)).toMatchObject({ because: 'cooling' })
  expect((await mailsTo(server, ana)).at(-1)).toMatchObject({ template: 'two_factor_changed' })
  const trail = await query<object>(
    db,
  )`SELECT m.username, e.action FROM audit_event e JOIN member m ON m.id = e.actor_id
    WHERE e.subject = ${`member:${ana}`} AND e.action LIKE 'two_factor.%' AND e.outcome = 'done' ORDER BY e.id`
  expect(trail).toEqual([
    { username: 'olga', action: 'two_factor.ask_release' },
    { username: 'omar', action: 'two_factor.release' },
  ])
})

it('who asked does not agree, and a second request waits for the first', async () => {
  const { memberId: ana } = await protectedMember()
  await ask(ana)
  expect(await end(ana, 'agree', olga)).toRefuse(403, 'release_needs_another')
  expect(await ask(ana, omar)).toRefuse(409, 'release_waits')
  expect(await isOn(ana)).toBe(true)
  expect(await end(ana, 'refuse', olga)).toAnswer(200)
  expect(await end(ana, 'agree')).toRefuse(409, 'release_ended')
})

it('the member stops it by the link in the mail, and it is over after 48 hours', async () => {
  const { memberId: ana } = await protectedMember()
  await ask(ana)
  const token = tokenOf((await mailsTo(server, ana)).at(-1)?.params['notMeUrl'])
  const stop = await server.call({ method: 'POST', url: '/api/auth/not-me/', payload: { token } })
  expect(stop).toAnswer(200)
  expect(await end(ana, 'agree')).toRefuse(409, 'release_ended')
  const { memberId: luis } = await protectedMember()
  await ask(luis)
  await query(
    server.owner.db,
  )`UPDATE factor_release SET asked_at = asked_at - interval '49 hours', ends_at = ends_at - interval '49 hours'
    WHERE member_id = ${luis}`
  expect(await end(luis, 'agree')).toRefuse(409, 'release_ended')
  expect(await ask(luis)).toAnswer(200)
})

it('is for members with a second factor, and for no operator', async () => {
  expect(await ask(await join(server))).toRefuse(409, 'two_factor_off')
  const { memberId } = await protectedMember(true)
  expect(await ask(memberId)).toRefuse(403, 'member_is_above')
  expect(await ask(await join(server, { operatorRole: 'support' }))).toRefuse(409, 'member_is_operator')
})

it('PostgreSQL takes no agreement of who asked, of the member, or of a role that may not', async () => {
  const { memberId: ana } = await protectedMember()
  await ask(ana)
  const [{ id: asker }] = (await query<{ id: bigint }>(
    db,
  )`SELECT id FROM member WHERE username = 'olga'`) as [{ id: bigint }]
  const treasurer = await join(server, { operatorRole: 'treasurer' })
  const refusalOf = (by: bigint) =>
    query(db)`SELECT end_release(${ana}, 'released', ${by}, now())`.then(() => null, constraintOf)
  expect(await refusalOf(asker)).toBe('release_by_two')
  for (const by of [treasurer, ana]) expect(await refusalOf(by)).toBe('release_by_an_operator')
})
