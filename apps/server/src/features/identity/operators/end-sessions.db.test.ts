/** An operator, or the person at the console, ends every session of a member. */
import { expect, it } from 'vitest'
import { query } from '../../../core/query.sql.ts'
import { createTestServer, join, operatorClient, PROBLEM } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { accountFixture, mailsTo } from '../testing/member-fixture.ts'
import { endSessionsAtConsole } from './end-sessions.commands.ts'

const server = await suiteFixture(createTestServer)
const { db } = server.context
const { elsewhere, eventsOf, isLive, member } = accountFixture(server)
const olga = await operatorClient(server, { username: 'olga' })
const end = (id: bigint | string, body: object = { reason: 'A stolen phone.' }) =>
  olga.decide(`operator/members/${id}/end-sessions/`, body, PROBLEM)

const trail = async (memberId: bigint) =>
  query<{ actor_id: bigint | null; details: object }>(db)`SELECT actor_id, details FROM audit_event
    WHERE action = 'member.end_sessions' AND outcome = 'done' AND subject = ${`member:${memberId}`} ORDER BY id`

it('an operator ends every session of a member, and of nobody else; log, trail and an e-mail say so', async () => {
  const [ana, bob] = [await member(), await member()]
  const phone = await elsewhere(ana)
  const answer = await end(ana.id)
  expect(answer).toAnswer(200)
  expect(answer.json().message).toMatch(/ended: 2/)
  expect([await isLive(ana), await isLive(phone), await isLive(bob)]).toEqual([false, false, true])
  expect((await eventsOf(ana)).at(-1)).toMatchObject({
    kind: 'sessions_ended',
    details: { by: 'operator', count: 2 },
  })
  expect(await trail(ana.id)).toEqual([
    { actor_id: expect.any(BigInt), details: { reason: 'A stolen phone.' } },
  ])
  const letter = (await mailsTo(server, ana.id)).at(-1)
  expect(letter).toMatchObject({ template: 'sessions_ended' })
  // It was us: there is nothing to answer "this was not me" to.
  expect(letter?.params).not.toHaveProperty('notMeUrl')
})

it('support ends those of members and of who stands no higher, never those of an operator above', async () => {
  const pablo = await operatorClient(server, { username: 'pablo', operatorRole: 'support' })
  const by = (id: bigint) =>
    pablo.decide(`operator/members/${id}/end-sessions/`, { reason: 'None.' }, PROBLEM)
  for (const operatorRole of ['admin', 'compliance', 'treasurer'] as const)
    expect(await by(await join(server, { operatorRole }))).toRefuse(403, 'member_is_above')
  expect(await by(await join(server, { operatorRole: 'support' }))).toAnswer(200)
  expect(await by((await member()).id)).toAnswer(200)
})

it('who has no session is told nothing', async () => {
  const ana = await member()
  await end(ana.id)
  const mails = (await mailsTo(server, ana.id)).length
  expect((await end(ana.id)).json().message).toBe('The member had no open session.')
  expect((await mailsTo(server, ana.id)).length).toBe(mails)
})

it('says that there is no such member, and asks why', async () => {
  for (const id of [999_999, 'none', '0', '9'.repeat(30)])
    expect(await end(String(id))).toRefuse(404, 'member_not_found')
  const ana = await member()
  expect(await end(ana.id, { reason: ' ' })).toRefuse(400, 'field_required')
  expect(await isLive(ana)).toBe(true)
})

it('the person at the console does the same, and is named in the trail', async () => {
  const ana = await member()
  const by = { username: ana.username.toUpperCase(), by: 'root', reason: 'Asked on the phone.' }
  expect(await endSessionsAtConsole(server.context, by, new Date())).toBe(1)
  expect(await isLive(ana)).toBe(false)
  expect(await trail(ana.id)).toEqual([{ actor_id: null, details: { by: 'root', reason: by.reason } }])
  expect(await endSessionsAtConsole(server.context, { ...by, username: 'nobody' }, new Date())).toBeNull()
})
