import { describe, expect, it } from 'vitest'
import { query, queryValue } from '../../../core/query.sql.ts'
import { createMoneyFixture } from '../../../testing/money-fixture.ts'
import {
  accessOf,
  type Client,
  clientOf,
  freshCode,
  join,
  PROBLEM,
  signedIn,
  TEST_PASSWORD,
} from '../../../testing/server.ts'
import { soundSuiteFixture } from '../../../testing/suite.ts'
import { jobHandlers } from '../../../worker.ts'
import { skeletonOf } from '../names/skeleton.rules.ts'
import { beginTotpSetup } from '../second-factor/totp-setup.commands.ts'
import { mailsTo } from '../testing/member-fixture.ts'

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const { server, db } = money
const visitor = clientOf(server)

let people = 0

/** Somebody with everything that a person has, and no money. */
async function person(sponsorId = server.rootId) {
  people += 1
  const username = `Petra.${people}`
  const email = `Petra.${people}@example.com`
  const own = {
    username,
    email,
    firstName: 'Petra',
    lastName: 'Paz',
    phoneNumber: '+584140000001',
    locale: 'en' as const,
  }
  const id = await join(server, own, sponsorId, money.now)
  const client = await signedIn(server, id)
  return { id, username, email, client, refCode: (await client.get('auth/user/')).json().ref_code as string }
}

const close = (who: { client: Client; username: string }, more: object = {}, headers = {}) =>
  who.client.post(
    'privacy/closing/',
    { username: who.username, current_password: TEST_PASSWORD, ...more },
    headers,
  )
const signIn = (name: string) => visitor.post('auth/token/', { email: name, password: TEST_PASSWORD })
const left = async ({ client }: { client: Client }) =>
  (await client.get('privacy/closing/')).json().left.map(({ what }: { what: string }) => what)
const kept = (id: bigint) =>
  query<Record<string, unknown>>(money.owner)`SELECT * FROM closed_account WHERE member_id = ${id}`

describe('an account in which nothing is left', () => {
  it('is closed at once with the password and the typed username, and signing in is as if it did not exist', async () => {
    const petra = await person()
    const elsewhere = await signedIn(server, petra.id)
    expect(await close(petra)).toAnswer(200, { message: 'Your account is closed.' })
    expect(await petra.client.get('auth/user/')).toAnswer(401)
    expect(await elsewhere.get('auth/user/')).toAnswer(401)
    const unknown = await signIn('nobody-ever')
    for (const name of [petra.username, petra.email]) {
      const answer = await signIn(name)
      expect([answer.statusCode, answer.body]).toEqual([unknown.statusCode, unknown.body])
    }
    expect(await visitor.post('auth/reset-password/send/', { email: petra.email })).toAnswer(200)
  })

  it('leaves no session to one whose password was compared just before', async () => {
    const petra = await person()
    expect(await close(petra)).toAnswer(200)
    const late = clientOf(server, { authorization: `Bearer ${await accessOf(server, petra.id)}` })
    expect(await late.get('auth/user/')).toAnswer(401)
  })

  it('ends its registration link and keeps its username, while the e-mail is free for a new account', async () => {
    const petra = await person()
    expect(await close(petra)).toAnswer(200)
    const register = (refCode: string, username: string, email: string) =>
      visitor.post(
        `auth/register/${refCode}/`,
        {
          username,
          email,
          password: 'correct horse battery',
          password2: 'correct horse battery',
          captcha: 'solved',
        },
        PROBLEM,
      )
    expect(await register(petra.refCode, `late${people}`, `late${people}@example.com`)).toRefuse(
      422,
      'ref_code_unknown',
    )
    expect(await visitor.get(`auth/inviter/${petra.refCode}/`)).toAnswer(404)
    expect(await register('0', petra.username.toUpperCase(), `x${people}@example.com`)).toRefuse(
      409,
      'username_taken',
    )
    const alike = petra.username.replace('e', 'é')
    expect(await register('0', alike, `z${people}@example.com`)).toRefuse(409, 'username_taken')
    expect(await register('0', 'closed-17', `y${people}@example.com`)).toRefuse(422, 'username_reserved')
    expect(await register('0', `again${people}`, petra.email)).toAnswer(201)
  })

  it('is shown to others without anything of the person, in their language', async () => {
    const sponsor = await person()
    const petra = await person(sponsor.id)
    expect(await close(petra)).toAnswer(200)
    const referrals = (await sponsor.client.get('tree/get-referrals/')).json().results
    expect(referrals).toMatchObject([
      { referred_username: `closed-${petra.id}`, referred_email: '', referred_phone_number: '' },
    ])
    const sheet = (language: string) =>
      sponsor.client.get(`tree/members/O-${petra.id}/`, { 'accept-language': language })
    expect((await sheet('en')).json()).toMatchObject({
      name: 'Closed account',
      username: `closed-${petra.id}`,
    })
    expect((await sheet('es')).json()).toMatchObject({ name: 'Cuenta cerrada' })
    expect((await sponsor.client.get('tree/search/?q=petra')).body).not.toContain(`O-${petra.id}`)
    // New members go on being placed below it.
    expect(await join(server, {}, sponsor.id, money.now)).toBeGreaterThan(petra.id)
  })

  it('keeps to whom money was paid where no call of the server reads it, and says so by e-mail', async () => {
    const petra = await person()
    await query(db)`UPDATE member SET time_zone = 'Europe/Madrid', region = 'es-ES' WHERE id = ${petra.id}`
    expect(await close(petra)).toAnswer(200)
    expect(await kept(petra.id)).toMatchObject([
      {
        username: petra.username,
        email: petra.email,
        first_name: 'Petra',
        last_name: 'Paz',
        phone_number: '+584140000001',
      },
    ])
    const where = await query(db)`SELECT time_zone, region FROM member WHERE id = ${petra.id}`
    expect(where).toEqual([{ time_zone: null, region: null }])
    await expect(query(db)`SELECT * FROM closed_account`).rejects.toMatchObject({ code: '42501' })
    expect((await mailsTo(server, petra.id)).at(-1)).toMatchObject({
      template: 'account_closed',
      to: petra.email,
      params: { username: petra.username, years: 10 },
    })
    const events = await query(db)`SELECT kind FROM security_event WHERE member_id = ${petra.id} ORDER BY id`
    expect(events.at(-1)).toEqual({ kind: 'account_closed' })
  })

  it('takes a code where two-factor is on, and nothing changes without', async () => {
    const petra = await person()
    await beginTotpSetup(server.context, petra.id, TEST_PASSWORD, new Date())
    await query(db)`UPDATE member_totp SET confirmed_at = now() WHERE member_id = ${petra.id}`
    expect(await close(petra, {}, PROBLEM)).toRefuse(403, 'otp_required')
    expect(await close(petra, { otp: '000000' }, PROBLEM)).toRefuse(403, 'otp_invalid')
    expect(await kept(petra.id)).toEqual([])
    expect(await close(petra, { otp: await freshCode(server, petra.client.headers) })).toAnswer(200)
  })

  it.each([
    [{ current_password: 'not-the-password' }, 'current_password_wrong'],
    [{ username: 'somebody-else' }, 'account_name_wrong'],
  ])('is not closed with %j', async (wrong, code) => {
    const petra = await person()
    expect(await close(petra, wrong, PROBLEM)).toRefuse(422, code)
    expect(await petra.client.get('auth/user/')).toAnswer(200)
  })
})

describe('an account stays open', () => {
  it('while there is money in it, and says what and until when', async () => {
    const petra = await person()
    await money.invest(petra.id, '1000')
    await money.receive(petra.id, '7.5')
    await money.invoiceOver(petra.id, '500')
    expect(await left(petra)).toEqual(['principal', 'balance', 'invoices'])
    const refused = await close(petra)
    expect(refused).toAnswer(422)
    expect(refused.json()).toMatch(/\$1,000\.00 is invested and locked until .*\$7\.50 is in your balance/)
    expect(await petra.client.get('auth/user/')).toAnswer(200)
    expect(await kept(petra.id)).toEqual([])
  })

  it('while a deposit or a payment is on its way', async () => {
    const petra = await person()
    await money.arrive(petra.id, '20')
    expect(await left(petra)).toEqual(['arriving'])
    const sponsor = await money.investor('1000')
    const sponsored = { id: sponsor, client: await signedIn(server, sponsor) }
    await money.invest(await money.member(sponsor), '1000')
    expect(await left(sponsored)).toEqual(['principal', 'payouts'])
  })

  it('where it is an operator’s or the company’s own', async () => {
    const operator = await join(server, { username: 'op', isOperator: true }, server.rootId, money.now)
    const client = await signedIn(server, operator)
    expect(await close({ client, username: 'op' }, {}, PROBLEM)).toRefuse(403, 'account_of_operator')
    const first = await signedIn(server, server.rootId)
    expect(await close({ client: first, username: 'root' }, {}, PROBLEM)).toRefuse(403, 'account_of_company')
  })

  it('whatever the server says, as long as PostgreSQL finds something in it', async () => {
    const petra = await person()
    await money.receive(petra.id, '1')
    const folded = petra.username.toLowerCase()
    const until = new Date(Date.now() + 4000 * 86_400_000)
    await expect(
      query(
        db,
      )`SELECT close_account(${petra.id}, ${folded}, ${skeletonOf(folded)}, ${petra.email.toLowerCase()}, ${new Date()}, ${until})`,
    ).rejects.toMatchObject({ constraint: 'account_closes_empty' })
  })
})

describe('what comes for a closed account', () => {
  it('is recorded and credited, and stays there', async () => {
    const petra = await person()
    expect(await close(petra)).toAnswer(200)
    await money.receive(petra.id, '25')
    expect(await money.balanceOf(petra.id)).toBe(25_000_000n)
    expect(await money.faults()).toEqual([])
  })

  it('is no change of it', async () => {
    const petra = await person()
    expect(await close(petra)).toAnswer(200)
    await expect(query(db)`UPDATE member SET first_name = 'P' WHERE id = ${petra.id}`).rejects.toThrow()
  })
})

describe('what is kept of a closed account', () => {
  const purge = (at: Date) => {
    const handlers = jobHandlers(server.worker, () => at)
    return handlers['closed_accounts.purge']?.({}, {} as never)
  }
  /** As if it had been closed then: the server cannot make the time of its own. */
  const closedAgo = (id: bigint, days: number) => query(money.owner)`UPDATE closed_account
    SET closed_at = closed_at - make_interval(days => ${days}), keep_until = keep_until - make_interval(days => ${days}) WHERE member_id = ${id}`
  const traces = (id: bigint) => queryValue<number>(
    money.owner,
  )`SELECT (SELECT count(*) FROM session WHERE member_id = ${id})
    + (SELECT count(*) FROM mail_message WHERE member_id = ${id}) + (SELECT count(*) FROM support_message WHERE member_id = ${id})
    + (SELECT count(*) FROM member_note WHERE member_id = ${id})
    + (SELECT count(*) FROM security_event WHERE member_id = ${id} AND (ip <> '' OR user_agent <> ''))::bigint AS n`

  it('are its traces for 90 days, whatever time the server says it is', async () => {
    const petra = await person()
    expect(await petra.client.post('support/messages/', { text: 'Hello' })).toAnswer(201)
    await query(
      db,
    )`INSERT INTO member_note (member_id, author_id, text, at) VALUES (${petra.id}, ${server.rootId}, 'Wrote.', now())`
    expect(await close(petra)).toAnswer(200)
    await query(
      money.owner,
    )`UPDATE mail_message SET state = 'sent', sent_at = now(), params = params - 'code' WHERE member_id = ${petra.id}`
    const before = await traces(petra.id)
    expect(Number(before)).toBeGreaterThan(3)
    await purge(new Date('2090-01-01T00:00:00Z'))
    expect(await traces(petra.id)).toEqual(before)
    await closedAgo(petra.id, 91)
    await purge(new Date())
    expect(Number(await traces(petra.id))).toBe(0)
    expect(await kept(petra.id)).toHaveLength(1)
  })

  it('is that operators acted on it, and no longer why', async () => {
    const petra = await person()
    const omar = await money.operator()
    for (const frozen of [true, false])
      await query(db)`SELECT freeze_member(${petra.id}, ${frozen}, 'Two people use it.', ${omar}, now())`
    await query(
      db,
    )`SELECT ask_release(${petra.id}, 'Lost the phone.', 'Passport 4711 on a call.', ${omar}, now())`
    const words = () => query<{ reason: string; how: string | null }>(money.owner)`
      SELECT reason, NULL AS how FROM member_freeze WHERE member_id = ${petra.id}
      UNION ALL SELECT reason, identified FROM factor_release WHERE member_id = ${petra.id}`
    const alter = (reason: string) =>
      query(money.owner)`UPDATE member_freeze SET reason = ${reason} WHERE member_id = ${petra.id}`
    for (const reason of ['–', 'Another.']) await expect(alter(reason)).rejects.toThrow('stays as it was')
    expect(await close(petra)).toAnswer(200)
    await closedAgo(petra.id, 89)
    await purge(new Date())
    expect((await words()).map(({ reason }) => reason)).not.toContain('–')
    await closedAgo(petra.id, 2)
    await purge(new Date())
    const gone = { reason: '–', how: null }
    expect(await words()).toEqual([gone, gone, { reason: '–', how: '–' }])
    await expect(alter('Another.')).rejects.toThrow('stays as it was')
  })

  it('is the person’s row for the years that were promised, and then nothing', async () => {
    const petra = await person()
    expect(await close(petra)).toAnswer(200)
    await closedAgo(petra.id, 3640)
    await purge(new Date())
    expect(await kept(petra.id)).toHaveLength(1)
    await closedAgo(petra.id, 20)
    await purge(new Date())
    expect(await kept(petra.id)).toEqual([])
  })

  it('does not touch the messages of an open account', async () => {
    const petra = await person()
    await petra.client.post('support/messages/', { text: 'Hello' })
    await expect(
      query(money.owner)`DELETE FROM support_message WHERE member_id = ${petra.id}`,
    ).rejects.toThrow(/kept/)
  })
})

describe('an operator who closes an account', () => {
  const reason = 'Asked for in a letter.'
  const by = async (who: { id: bigint; username: string }, username = who.username) => {
    const omar = await signedIn(server, await money.operator())
    return omar.decide(`operator/members/${who.id}/close/`, { reason, username }, PROBLEM)
  }

  it('does so under the same conditions, which are shown before; the trail and a mail say so', async () => {
    const petra = await person()
    const omar = await signedIn(server, await money.operator())
    const acts = async () => (await omar.get(`operator/members/${petra.id}/acts/`)).json()
    await money.receive(petra.id, '5')
    expect((await acts()).closing).toMatchObject({
      refused: null,
      left: [{ what: 'balance', amount: '5.00' }],
    })
    expect(await by(petra)).toRefuse(422, 'account_not_empty')
    const empty = await person()
    expect(await by(empty, 'somebody-else')).toRefuse(422, 'account_name_wrong')
    expect(await by(empty)).toAnswer(200)
    expect(await kept(empty.id)).toMatchObject([{ username: empty.username }])
    expect((await mailsTo(server, empty.id)).at(-1)).toMatchObject({
      template: 'account_closed',
      to: empty.email,
    })
    expect(await by(empty)).toRefuse(409, 'member_closed')
    const entries = await query<object>(db)`SELECT details FROM audit_event
      WHERE action = 'account.close' AND outcome = 'done' AND subject = ${`member:${empty.id}`}`
    expect(entries).toEqual([{ details: { reason, username: empty.username } }])
  })

  it('closes neither the first account nor an operator’s', async () => {
    expect(await by({ id: server.rootId, username: 'root' })).toRefuse(403, 'account_of_company')
    const id = await money.operator()
    const [row] = await query<{ username: string }>(db)`SELECT username FROM member WHERE id = ${id}`
    expect(await by({ id, username: row?.username ?? '' })).toRefuse(403, 'account_of_operator')
  })
})
