/** Who becomes an operator, what no operator goes without, and what all operators hear of it. */
import { describe, expect, it } from 'vitest'
import { query } from '../../../core/query.sql.ts'
import { clientOf, codeOf, createTestServer, PROBLEM, TEST_PASSWORD } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { addPasskey, removePasskey } from '../passkeys/passkeys.commands.ts'
import {
  beginTotpSetup,
  confirmTotpSetup,
  disableSecondFactor,
} from '../second-factor/totp-setup.commands.ts'
import { passkeyFixture } from '../testing/passkey-fixture.ts'
import { at, outcome, secondFactorFixture } from '../testing/second-factor-fixture.ts'
import { appoint, dismiss } from './operators.commands.ts'

const server = await suiteFixture(createTestServer)
const { context } = server
const { db } = context
const { actorOf, newMember, protectedMember } = secondFactorFixture(server)
const passkeys = passkeyFixture(server)
const commandLine = { db: server.owner.db, config: context.config }

const named = (username: string, renew = false) => ({ username, by: 'root', renew, role: 'admin' as const })
const makeOperator = (username: string, now = at(0)) => appoint(commandLine, named(username), now)
/** The subjects and texts of the alerts that a member got, oldest first. */
async function alertsTo(memberId: bigint): Promise<string[]> {
  const rows = await query<{ text: string }>(db)`SELECT params->>'text' AS text FROM mail_message
    WHERE member_id = ${memberId} AND template = 'operator_alert' ORDER BY id`
  return rows.map(({ text }) => text.split('\n')[0] ?? '')
}
/** What comes while `work` goes on. */
async function alertsDuring(memberId: bigint, work: () => Promise<unknown>): Promise<string[]> {
  const before = (await alertsTo(memberId)).length
  await work()
  return (await alertsTo(memberId)).slice(before)
}
const trail = async (memberId: bigint) =>
  query<{ action: string; details: object }>(db)`SELECT action, details FROM audit_event
    WHERE action LIKE 'operator.%' AND subject = ${`member:${memberId}`} ORDER BY id`

/** An operator who reads what others do, in English. */
const watcher = await newMember()
await query(server.owner.db)`UPDATE member SET locale = 'en' WHERE id = ${watcher.memberId}`
await makeOperator(watcher.username)

/** A member with a passkey, and an operator without an app: no command makes one, but rows may be changed. */
async function withoutApp() {
  const owner = await passkeys.owner()
  await query(
    server.owner.db,
  )`UPDATE member SET is_operator = true, operator_role = 'admin' WHERE id = ${owner.memberId}`
  return owner
}

describe('a member who becomes an operator', () => {
  it('has no rights in the session that the password opened, and asks for a code to sign in anew', async () => {
    const { username, memberId } = await newMember()
    const stranger = clientOf(server, PROBLEM)
    const password = { email: username, password: TEST_PASSWORD }
    const { access, refresh } = (await stranger.post('auth/token/', password)).json()
    const before = clientOf(server, { ...PROBLEM, authorization: `Bearer ${access}` })
    const appointed = await makeOperator(username, new Date())
    expect(await before.get('operator/today/')).toRefuse(401, 'not_signed_in')
    expect(await stranger.post('auth/token/refresh/', { refresh })).toRefuse(401, 'refresh_invalid')
    const { otp_token } = (await stranger.post('auth/token/', password)).json()
    const code = codeOf(appointed?.setUp?.secret ?? '', new Date())
    const after = (await stranger.post('auth/otp/', { otp_token, code })).json()
    const client = clientOf(server, { ...PROBLEM, authorization: `Bearer ${after.access}` })
    expect(await client.get('operator/today/')).toAnswer(200)
    expect(await trail(memberId)).toEqual([
      { action: 'operator.made', details: { by: 'root', role: 'admin' } },
    ])
  })

  it('leaves the sessions of a month that began with a code, too', async () => {
    const { username, memberId } = await protectedMember()
    const { sessionId } = await actorOf(memberId)
    await makeOperator(username)
    const [row] = await query(db)`SELECT ended_because FROM session WHERE id = ${sessionId}::uuid`
    expect(row).toEqual({ ended_because: 'two_factor' })
  })

  it('is no operator any more in any session that is open, once dismissed', async () => {
    const { username, memberId } = await protectedMember(true)
    const { sessionId } = await actorOf(memberId)
    expect(await dismiss(server.owner.db, named(username), at(5))).toBe(true)
    const [row] = await query(db)`SELECT ended_because FROM session WHERE id = ${sessionId}::uuid`
    expect(row).toEqual({ ended_because: 'ended' })
    expect(await trail(memberId)).toEqual([{ action: 'operator.dismissed', details: { by: 'root' } }])
    // Said again, it changes nothing.
    expect(await dismiss(server.owner.db, named(username), at(6))).toBe(true)
    expect(await trail(memberId)).toHaveLength(1)
  })
})

describe('the second factor of an operator', () => {
  it('cannot be turned off', async () => {
    const { memberId, secret } = await protectedMember(true)
    const off = disableSecondFactor(context, await actorOf(memberId), codeOf(secret, at(0)), at(0))
    expect(await outcome(off)).toBe('two_factor_obligatory')
  })

  it('is not the last passkey to be removed while there is no app', async () => {
    const { actor, id } = await withoutApp()
    const removed = removePasskey(context, actor, { id, current: TEST_PASSWORD, otp: null }, at(60))
    expect(await outcome(removed)).toBe('two_factor_required')
  })

  it('is not made by the password alone: neither a passkey nor an app', async () => {
    const { memberId } = await newMember(true)
    const byPassword = {
      ...(await actorOf(memberId)),
      sessionId: await sessionByPassword(memberId),
    }
    await query(db)`DELETE FROM member_totp WHERE member_id = ${memberId}`
    expect(await outcome(passkeys.begin(byPassword))).toBe('two_factor_required')
    const { secret } = await beginTotpSetup(context, memberId, TEST_PASSWORD, at(0))
    const confirm = (actor: typeof byPassword, now: Date) =>
      outcome(confirmTotpSetup(context, actor, codeOf(secret, now), now))
    expect(await confirm(byPassword, at(0))).toBe('two_factor_required')
    expect(await sessionsVerified(memberId)).toBe(0)
    // In a session that a passkey opened it is.
    await query(db)`UPDATE session SET second_factor_at = now() WHERE id = ${byPassword.sessionId}::uuid`
    expect(await confirm(byPassword, at(60))).toBe('done')
  })
})

async function sessionByPassword(memberId: bigint): Promise<string> {
  const [row] = await query<{ id: string }>(db)`
    INSERT INTO session (member_id, started_at) VALUES (${memberId}, now()) RETURNING id`
  return row?.id ?? ''
}
async function sessionsVerified(memberId: bigint): Promise<number> {
  const rows = await query(db)`SELECT FROM session
    WHERE member_id = ${memberId} AND second_factor_at IS NOT NULL AND ended_at IS NULL AND user_agent = ''`
  return rows.length
}

describe('every operator hears', () => {
  it('of one who is made, dismissed or given another secret, once', async () => {
    const { username, memberId } = await newMember()
    const of = `${username} (member ${memberId})`
    const heard = await alertsDuring(watcher.memberId, async () => {
      await makeOperator(username, at(0))
      await makeOperator(username, at(1))
      await appoint(commandLine, named(username, true), at(2))
      await dismiss(server.owner.db, named(username), at(3))
    })
    expect(heard).toEqual([
      `${of} is an operator now, with the role admin. root did it on the server.`,
      `Operator ${of} has another authenticator app.`,
      `${of} is no longer an operator. root did it on the server.`,
    ])
    // So does the one whom it is about, in the own language.
    expect(await alertsTo(memberId)).toHaveLength(3)
    expect((await alertsTo(memberId))[0]).toContain('ahora es operador')
  })

  it('of a passkey that is added or removed, and of a theft that one reports', async () => {
    const { memberId, secret, username } = await protectedMember(true)
    const actor = await actorOf(memberId)
    const authenticator = passkeys.newAuthenticator()
    const heard = await alertsDuring(watcher.memberId, async () => {
      const options = await passkeys.begin(actor, at(0), codeOf(secret, at(0)))
      const credential = passkeys.register(authenticator, options)
      await addPasskey(context, actor, { credential, name: '' }, at(0))
      const { credentialId: id } = authenticator.passkey
      const proof = { current: TEST_PASSWORD, otp: codeOf(secret, at(60)) }
      await removePasskey(context, actor, { id, ...proof }, at(60))
    })
    const of = `${username} (member ${memberId})`
    expect(heard).toEqual([`Operator ${of} has another passkey.`, `A passkey of operator ${of} was removed.`])
  })

  it('nothing of what members do to their own accounts', async () => {
    expect(await alertsDuring(watcher.memberId, () => passkeys.owner())).toEqual([])
  })
})
