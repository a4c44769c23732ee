/** Who works for the company, as admins decide it in the console (decision 075): what was asked for, what the worker applied, and what operators heard. */
import type { OperatorRole } from '@aval/contract'
import { connect } from '@aval/db'
import { describe, expect, it } from 'vitest'
import { query, queryOne } from '../../../core/query.sql.ts'
import {
  type Client,
  clientOf,
  createTestServer,
  join,
  PROBLEM,
  signedIn,
  TEST_PASSWORD,
} from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { newTotpSecret } from '../second-factor/totp.ts'
import { assignTotpSecret } from '../second-factor/totp-setup.commands.ts'
import { applyChanges, hashOfLink } from './changes.commands.ts'
import { appoint, dismiss } from './operators.commands.ts'

const server = await suiteFixture(createTestServer)
const { db } = server.context
const commandLine = { db: server.owner.db, config: server.context.config }
const reason = 'She starts on Monday'

/** A member with the name of an operator, or of nobody. */
async function person(username: string, operatorRole?: OperatorRole) {
  const id = await join(server, {
    username,
    email: `${username}@example.com`,
    locale: 'en',
    ...(operatorRole === undefined ? {} : { operatorRole }),
  })
  const client = clientOf(server, { ...PROBLEM, ...(await signedIn(server, id)).headers })
  return { id, username, client }
}
const olga = await person('olga', 'admin')
const adam = await person('adam', 'admin')
const sara = await person('sara', 'support')

const roleOf = async (id: bigint) =>
  (await queryOne<{ role: string | null }>(db)`SELECT operator_role AS role FROM member WHERE id = ${id}`)
    .role
const work = (now = new Date()) => applyChanges(server.worker, now)
const invite = (id: bigint, role: OperatorRole, by = olga.client) =>
  by.decide(`operator/operators/${id}/invite/`, { role, reason })
const alerts = async (to: bigint) =>
  (
    await query<{ text: string }>(db)`SELECT params->>'text' AS text FROM mail_message
      WHERE member_id = ${to} AND template = 'operator_alert' ORDER BY id`
  ).map(({ text }) => text.split('\n')[0])
const lastAlert = async (to: bigint) => (await alerts(to)).at(-1)
/** What the link in the newest invitation of a member has. */
const tokenOf = async (id: bigint) => {
  const [mail] = await query<{ link: string }>(db)`SELECT params->>'invitationUrl' AS link FROM mail_message
    WHERE member_id = ${id} AND template = 'operator_invited' ORDER BY id DESC LIMIT 1`
  return mail?.link.split('#')[1] ?? ''
}
const protect = (id: bigint) => assignTotpSecret(server.context, id, newTotpSecret(), new Date())
const accept = (client: Client, token: string) =>
  client.decide('auth/operator-invitation/accept/', { token, current_password: TEST_PASSWORD })
const page = async (who = olga.client) => (await who.get('operator/operators/')).json()

/** Invited, with the link; the second factor is on. */
async function invited(username: string, role: OperatorRole) {
  const { id } = await person(username)
  await protect(id)
  expect(await invite(id, role)).toAnswer(200)
  await work()
  const client = clientOf(server, { ...PROBLEM, ...(await signedIn(server, id)).headers })
  return { id, client, token: await tokenOf(id) }
}

describe('an invitation', () => {
  it('gives nothing until its member accepts with a second factor and the worker has told all operators', async () => {
    const nora = await person('nora')
    const found = (await olga.client.get('operator/operators/candidate/?name=NORA@example.com')).json()
    expect(found).toMatchObject({ id: Number(nora.id), username: 'nora', two_factor: false, against: null })
    expect(await invite(nora.id, 'treasurer')).toAnswer(200)
    await work()
    expect((await page()).invitations).toMatchObject([{ member: { username: 'nora' }, role: 'treasurer' }])
    expect(await lastAlert(sara.id)).toBe(
      `olga invited nora (member ${nora.id}) to work here, with the role treasurer.`,
    )
    const token = await tokenOf(nora.id)
    const offered = (await nora.client.post('auth/operator-invitation/', { token })).json()
    expect(offered).toMatchObject({ role: 'treasurer', invited_by: 'olga', two_factor: false })
    expect(offered.abilities).toContain('treasury.fund')
    expect(await accept(nora.client, token)).toRefuse(409, 'two_factor_off')
    await protect(nora.id)
    const client = clientOf(server, { ...PROBLEM, ...(await signedIn(server, nora.id)).headers })
    const wrong = { token, current_password: TEST_PASSWORD, otp: '000000' }
    expect(await client.post('auth/operator-invitation/accept/', wrong)).toRefuse(403, 'otp_invalid')
    expect(await accept(client, token)).toAnswer(200)
    // The API has done its part, and nobody is an operator by it.
    expect(await roleOf(nora.id)).toBeNull()
    await work()
    expect(await roleOf(nora.id)).toBe('treasurer')
    expect(await client.get('operator/me/')).toRefuse(401, 'not_signed_in')
    expect(await lastAlert(adam.id)).toBe(
      `nora (member ${nora.id}) accepted and is an operator now, with the role treasurer. olga had sent the invitation.`,
    )
    const trail = await query<{ action: string; actor_id: bigint }>(
      db,
    )`SELECT action, actor_id FROM audit_event
      WHERE subject = ${`member:${nora.id}`} AND action LIKE 'operator.%' AND outcome = 'done' ORDER BY id`
    expect(trail).toEqual([
      { action: 'operator.invite', actor_id: olga.id },
      { action: 'operator.made', actor_id: olga.id },
    ])
    const shown = (await page()).operators.find(({ username }: { username: string }) => username === 'nora')
    expect(shown).toMatchObject({ role: 'treasurer', approver: 'unknown', last_admin: false })
    expect(shown.since).not.toBeNull()
  })

  it('is good for its member alone, once, for a week, and while who sent it is an admin', async () => {
    const one = await invited('uma', 'support')
    const other = await person('ugo')
    await protect(other.id)
    const stranger = clientOf(server, { ...PROBLEM, ...(await signedIn(server, other.id)).headers })
    expect(await accept(stranger, one.token)).toRefuse(422, 'invitation_ended')
    await query(server.owner.db)`UPDATE member SET operator_role = 'support' WHERE id = ${olga.id}`
    expect(await accept(one.client, one.token)).toRefuse(422, 'invitation_ended')
    await query(server.owner.db)`UPDATE member SET operator_role = 'admin' WHERE id = ${olga.id}`
    await query(server.owner.db)`UPDATE operator_change SET asked_at = asked_at - interval '8 days',
      expires_at = expires_at - interval '8 days' WHERE member_id = ${one.id}`
    expect(await one.client.post('auth/operator-invitation/', { token: one.token })).toRefuse(
      422,
      'invitation_ended',
    )
    expect(await accept(one.client, one.token)).toRefuse(422, 'invitation_ended')
    // The old one is in nobody's way.
    expect(await invite(one.id, 'support')).toAnswer(200)
    await work()
    expect(await accept(one.client, await tokenOf(one.id))).toAnswer(200)
    const again = clientOf(server, { ...PROBLEM, ...(await signedIn(server, one.id)).headers })
    expect(await accept(again, await tokenOf(one.id))).toRefuse(422, 'invitation_ended')
  })

  it('that is taken back is over', async () => {
    const { client, token, id } = await invited('vera', 'admin')
    const [{ id: number }] = (await page()).invitations.filter(
      ({ member }: { member: { username: string } }) => member.username === 'vera',
    )
    expect(await olga.client.decide(`operator/invitations/${number}/withdraw/`, { reason })).toAnswer(200)
    expect(await accept(client, token)).toRefuse(422, 'invitation_ended')
    expect(await lastAlert(adam.id)).toBe(`olga took back the invitation of vera (member ${id}).`)
    expect(await olga.client.decide(`operator/invitations/${number}/withdraw/`, { reason })).toRefuse(
      422,
      'invitation_ended',
    )
  })

  it.each([
    ['nobody', () => 999_999n, 404, 'member_not_found'],
    ['oneself', () => olga.id, 403, 'operator_own'],
    ['an operator', () => sara.id, 409, 'operator_already'],
  ])('of %s is refused', async (_who, id, status, code) => {
    expect(await invite(id(), 'support')).toRefuse(status, code)
  })

  it('of a member who is invited already is refused, and the second admin hears why', async () => {
    const { id } = await invited('wanda', 'support')
    expect(await invite(id, 'admin', adam.client)).toRefuse(409, 'operator_change_waits')
  })
})

describe('another role', () => {
  const change = (id: bigint, from: OperatorRole, role: OperatorRole, by = olga.client) =>
    by.decide(`operator/operators/${id}/role/`, { from, role, reason })

  it('is in force once the worker has told all operators', async () => {
    await protect(sara.id)
    expect(await change(sara.id, 'support', 'compliance')).toAnswer(200)
    expect(await roleOf(sara.id)).toBe('support')
    expect(await change(sara.id, 'support', 'treasurer', adam.client)).toRefuse(409, 'operator_change_waits')
    await work()
    expect(await roleOf(sara.id)).toBe('compliance')
    expect(await lastAlert(adam.id)).toBe(
      `Operator sara (member ${sara.id}) has the role compliance now. olga did it in the console.`,
    )
    // The other admin still sees the former one.
    expect(await change(sara.id, 'support', 'treasurer', adam.client)).toRefuse(409, 'operator_changed')
  })

  it('is nobody’s own to give', async () => {
    expect(await change(olga.id, 'admin', 'support')).toRefuse(403, 'operator_own')
  })
})

describe('an operator who is dismissed', () => {
  const remove = (id: bigint, by = olga.client) => by.decide(`operator/operators/${id}/dismiss/`, { reason })

  it('has no right and no session at once, and comes back by the command on the server alone', async () => {
    const { id, client } = await person('ximena', 'treasurer')
    expect(await remove(id)).toAnswer(200)
    expect(await roleOf(id)).toBeNull()
    expect(await client.get('operator/me/')).toRefuse(401, 'not_signed_in')
    expect(await lastAlert(adam.id)).toBe(
      `ximena (member ${id}) is no longer an operator. olga did it in the console.`,
    )
    expect(await remove(id, adam.client)).toRefuse(409, 'operator_not_found')
    expect(await invite(id, 'support')).toRefuse(422, 'operator_former')
    const found = (await olga.client.get('operator/operators/candidate/?name=ximena')).json()
    expect(found.against).toBe('former')
    const named = { username: 'ximena', by: 'root', renew: false, role: 'support' } as const
    expect(await appoint(commandLine, named, new Date())).toMatchObject({ role: 'support' })
    expect(await roleOf(id)).toBe('support')
    await dismiss(server.owner.db, named, new Date())
    expect(await invite(id, 'support')).toRefuse(422, 'operator_former')
  })

  it('is never oneself, nor the last admin, who keeps the role, too', async () => {
    expect(await remove(olga.id)).toRefuse(403, 'operator_own')
    // As two admins who dismiss each other at once: one of them stays.
    const answers = await Promise.all([remove(adam.id), remove(olga.id, adam.client)])
    expect(answers.map(({ statusCode }) => statusCode).filter((status) => status === 200)).toHaveLength(1)
    const [last] = await query<{ id: bigint }>(db)`SELECT id FROM member WHERE operator_role = 'admin'`
    const said = query<{ answer: string }>(server.owner.db)`SELECT is_last_admin(${last?.id}) AS answer`
    expect(await said).toEqual([{ answer: true }])
  })
})

it('whose key is pinned is what the signer wrote down last', async () => {
  await person('zoe', 'compliance')
  const details = JSON.stringify({ version: '4', policy: 'aa', approvers: '1', members: String(sara.id) })
  await query(
    server.worker.db,
  )`SELECT record_audit(now(), NULL, 'key_file.use', 'done', 'key_file:4', ${details}::jsonb)`
  const { operators, key_file: file } = await page(await signedIn(server, sara.id))
  expect(file).toMatchObject({ version: '4' })
  expect(
    Object.fromEntries(
      operators.map((each: { username: string; approver: string }) => [each.username, each.approver]),
    ),
  ).toMatchObject({ sara: 'pinned', zoe: 'not_pinned' })
})

describe('with the rights of the API alone', () => {
  it('nothing that was accepted is applied, and no link is written', async () => {
    const stolen = connect(server.database.apiUrl, 1)
    try {
      await expect(query(stolen.db)`SELECT apply_operator_change(1, now())`).rejects.toMatchObject({
        code: '42501',
      })
      const hash = hashOfLink('mine')
      await expect(query(stolen.db)`UPDATE operator_change SET link_hash = ${hash}`).rejects.toMatchObject({
        code: '42501',
      })
      await expect(query(stolen.db)`INSERT INTO operator_change DEFAULT VALUES`).rejects.toMatchObject({
        code: '42501',
      })
      await expect(query(stolen.db)`DELETE FROM former_operator`).rejects.toMatchObject({ code: '42501' })
    } finally {
      await stolen.close()
    }
  })
})
