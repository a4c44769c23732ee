/** An operator corrects e-mail or phone of a member, who proves the new mailbox; and sends a mail again. */
import { describe, expect, it } from 'vitest'
import { query } from '../../../core/query.sql.ts'
import { createTestServer, operatorClient, PROBLEM } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { findMoneyLock } from '../security-log/security-log.queries.ts'
import {
  accountFixture,
  emailCodeFor,
  type MemberFixture,
  mailsTo,
  tokenOf,
  wrongFor,
} from '../testing/member-fixture.ts'

const server = await suiteFixture(createTestServer)
const { db, config } = server.context
const { elsewhere, eventsOf, isLive, liveCodes, member, post } = accountFixture(server)
const olga = await operatorClient(server, { username: 'olga', operatorRole: 'support' })
const reason = 'The mailbox is gone; passport seen.'
let people = 0
const newEmail = () => {
  people += 1
  return `corrected${people}@example.com`
}

const ask = (who: MemberFixture, email: string) =>
  olga.decide(`operator/members/${who.id}/email/`, { email, reason }, PROBLEM)
const confirm = (who: MemberFixture, email: string, code: string) =>
  olga.decide(`operator/members/${who.id}/email/confirm/`, { email, code }, PROBLEM)
const emailOf = async ({ id }: MemberFixture) =>
  (
    await query<{ email: string; proven: boolean }>(
      db,
    )`SELECT email, email_proven_at IS NOT NULL AS proven FROM member WHERE id = ${id}`
  )[0]

describe('a new e-mail', () => {
  it('takes the code that came to it; the former mailbox hears of both steps, and money cools', async () => {
    const ana = await member()
    const email = newEmail()
    expect(await ask(ana, email)).toAnswer(200)
    expect(await emailOf(ana)).toMatchObject({ email: ana.email })
    const [code, heard] = (await mailsTo(server, ana.id)).slice(-2)
    expect([code?.to, heard?.to]).toEqual([email, ana.email])
    expect(heard?.params).not.toHaveProperty('code')
    const typed = await emailCodeFor(server, ana.id)
    expect(await confirm(ana, email, wrongFor(typed))).toRefuse(422, 'code_wrong')
    expect(await confirm(ana, newEmail(), typed)).toRefuse(422, 'code_expired')
    expect(await confirm(ana, email, typed)).toAnswer(200)
    expect(await emailOf(ana)).toEqual({ email, proven: true })
    expect((await eventsOf(ana)).at(-1)).toMatchObject({
      kind: 'email_changed',
      details: { previous: ana.email, email, by: 'operator' },
    })
    expect((await mailsTo(server, ana.id)).at(-1)).toMatchObject({ template: 'email_changed', to: ana.email })
    expect(await findMoneyLock(db, ana.id, config)).toMatchObject({ because: 'cooling' })
    const trail = await query<object>(
      db,
    )`SELECT e.action FROM audit_event e JOIN member m ON m.id = e.actor_id
      WHERE e.subject = ${`member:${ana.id}`} AND e.outcome = 'done' AND m.username = 'olga' ORDER BY e.id`
    expect(trail).toEqual([
      { action: 'member.ask_email' },
      { action: 'profile.email' },
      { action: 'member.correct_email' },
    ])
  })

  it('is stopped by the link that went to the former mailbox', async () => {
    const ana = await member()
    const email = newEmail()
    await ask(ana, email)
    const code = await emailCodeFor(server, ana.id)
    const heard = (await mailsTo(server, ana.id)).findLast(({ template }) => template === 'correction_asked')
    expect(await post('/api/auth/not-me/', { token: tokenOf(heard?.params['notMeUrl']) })).toAnswer(200)
    expect(await liveCodes(ana)).toBe(0)
    expect(await confirm(ana, email, code)).toRefuse(422, 'code_expired')
    expect(await emailOf(ana)).toMatchObject({ email: ana.email })
  })

  it('is nobody else’s, and not the present one', async () => {
    const [ana, bob] = [await member(), await member()]
    expect(await ask(ana, bob.email)).toRefuse(409, 'email_taken')
    expect(await ask(ana, ana.email.toUpperCase())).toRefuse(409, 'email_unchanged')
  })

  it('waits until a frozen account is free', async () => {
    const ana = await member()
    const omar = await operatorClient(server)
    await omar.decide(`operator/members/${ana.id}/freeze/`, { reason }, PROBLEM)
    expect(await ask(ana, newEmail())).toRefuse(409, 'member_frozen')
  })
})

it('a phone number is set with a reason, where nobody set another one meanwhile; sessions stay', async () => {
  const ana = await member()
  const phone = await elsewhere(ana)
  const set = (body: object) => olga.decide(`operator/members/${ana.id}/phone/`, { reason, ...body }, PROBLEM)
  expect(await set({ phone: '+584140000009', was: '' })).toAnswer(200)
  expect(await set({ phone: '+584140000008', was: '' })).toRefuse(409, 'phone_moved')
  expect((await olga.get(`operator/members/${ana.id}/acts/`)).json()).toMatchObject({
    phone: '+584140000009',
  })
  expect((await mailsTo(server, ana.id)).at(-1)).toMatchObject({
    template: 'phone_corrected',
    params: { phone: '+584140000009' },
  })
  expect(await isLive(phone)).toBe(true)
})

it('a mail is sent once more to the present address, unless it is still on its way or held a code', async () => {
  const ana = await member()
  await olga.decide('operator/elevation/')
  await olga.decide(`operator/members/${ana.id}/end-sessions/`, { reason }, PROBLEM)
  await ask(ana, newEmail())
  const rows = await query<{ id: bigint; template: string }>(
    db,
  )`SELECT id, template FROM mail_message WHERE member_id = ${ana.id}`
  const [first] = rows
  const resend = (id: bigint | undefined) =>
    olga.post(`operator/members/${ana.id}/mails/${id}/resend/`, {}, PROBLEM)
  expect(await resend(first?.id)).toRefuse(409, 'mail_waits')
  await query(
    db,
  )`UPDATE mail_message SET state = 'sent', sent_at = now(), params = params - ARRAY['code', 'notMeUrl', 'resetUrl']
    WHERE member_id = ${ana.id}`
  expect(await resend(first?.id)).toAnswer(200)
  const [last] = (await mailsTo(server, ana.id)).slice(-1)
  expect(last).toMatchObject({ template: first?.template, to: ana.email })
  expect(await resend(rows.find(({ template }) => template === 'correction_code')?.id)).toRefuse(
    422,
    'mail_not_again',
  )
  expect(await resend(999_999n)).toRefuse(404, 'mail_not_found')
})
