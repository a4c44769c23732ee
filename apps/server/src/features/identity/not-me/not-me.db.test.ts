import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { features } from '../../../features.ts'
import { accessOf, createTestServer, TEST_PASSWORD } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { sendReset } from '../passwords/passwords.commands.ts'
import { notMeUrl } from '../security-log/not-me-link.ts'
import { findCoolingEnd, findMoneyLock, requireUnlocked } from '../security-log/security-log.queries.ts'
import { requireLiveSession } from '../sessions/sessions.commands.ts'
import {
  accountCalls,
  emailCodeFor,
  type MemberFixture,
  mailsTo,
  memberFixture,
  patch,
  userOf,
  walletOf,
} from '../testing/member-fixture.ts'

const server = await suiteFixture(createTestServer, features)
const { changed, eventsOf, isLive, post, signIn } = accountCalls(server)

const NEXT = 'another-password'
const WALLET = walletOf(20)

describe('"this was not me"', () => {
  const press = (token: string) => post('/api/auth/not-me/', { token })
  const tokenOf = (url: string | undefined) => url?.split('/').at(-1) ?? ''
  const linkIn = async (who: MemberFixture, template: string) =>
    tokenOf(
      (await mailsTo(server, who.id)).findLast((letter) => letter.template === template)?.params['notMeUrl'],
    )

  it('ends all sessions, kills codes, takes changes back, and keeps money in until the password is reset', async () => {
    const ana = await memberFixture(server)
    const own = walletOf(21)
    expect((await changed(ana, { usdt_wallet: own })).statusCode).toBe(200)
    // Somebody else gets in: changes the wallet, then the e-mail.
    const thief = { ...ana, access: await accessOf(server, ana.id) }
    expect((await changed(thief, { usdt_wallet: WALLET })).statusCode).toBe(200)
    const change = { email: `thief.${ana.username}@example.com` }
    await patch(server, thief, change)
    await patch(server, thief, { ...change, secret_code: await emailCodeFor(server, ana.id) })
    await patch(server, thief, { usdt_wallet: own })

    const answer = await press(await linkIn(ana, 'wallet_changed'))
    expect(answer.statusCode).toBe(200)
    expect(answer.json().message).toContain('reset your password')
    for (const access of [ana.access, thief.access]) expect(await isLive(access)).toBe(false)
    const back = { ...ana, access: await accessOf(server, ana.id) }
    expect(await userOf(server, back)).toMatchObject({ email: ana.email, usdt_wallet: own })
    const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM email_code
      WHERE member_id = ${ana.id} AND used_at IS NULL`.execute(server.context.db)
    expect(rows[0]?.n).toBe(0)
    const { db, config } = server.context
    expect(await findMoneyLock(db, ana.id, config)).toMatchObject({ because: 'not_me' })
    await expect(requireUnlocked(db, ana.id, { coolingHours: 0 })).rejects.toMatchObject({
      code: 'account_locked',
    })
    // What was taken back is told where it was, without a link that would begin it all again.
    const last = (await mailsTo(server, ana.id)).at(-1)
    expect(last).toMatchObject({ template: 'email_changed', to: change.email, params: { email: ana.email } })
    expect(last?.params['notMeUrl']).toBeUndefined()
  })

  it('is lifted by a reset, which cools', async () => {
    const ana = await memberFixture(server)
    expect((await changed(ana, { usdt_wallet: WALLET })).statusCode).toBe(200)
    await press(await linkIn(ana, 'wallet_changed'))
    const now = new Date()
    await sendReset(server.context, { email: ana.email, device: { userAgent: '', ip: '' } }, now, now)
    const otp = await emailCodeFor(server, ana.id)
    await post('/api/auth/reset-password/', { email: ana.email, otp, password: NEXT, password2: NEXT })
    const { db, config } = server.context
    expect(await findMoneyLock(db, ana.id, config)).toMatchObject({ because: 'cooling' })
    await expect(requireUnlocked(db, ana.id, config)).rejects.toMatchObject({ code: 'cooling' })
    await requireUnlocked(db, ana.id, { coolingHours: 0 })
    expect(await findCoolingEnd(db, ana.id, config, new Date(Date.now() + 86_400_000))).toBeNull()
  })

  it('does its work once a link, though it be pressed many times, at once and later', async () => {
    const ana = await memberFixture(server)
    expect((await changed(ana, { usdt_wallet: WALLET })).statusCode).toBe(200)
    const link = await linkIn(ana, 'wallet_changed')
    const answers = await Promise.all(Array.from({ length: 8 }, () => press(link)))
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    const again = { ...ana, access: await accessOf(server, ana.id) }
    expect((await press(link)).statusCode).toBe(200)
    expect(await isLive(again.access)).toBe(true)
    expect((await eventsOf(ana)).filter(({ kind }) => kind === 'not_me')).toHaveLength(1)
  })

  it('from a letter with a code stops whoever asked for it', async () => {
    const ana = await memberFixture(server)
    await patch(server, ana, { usdt_wallet: WALLET })
    const code = await emailCodeFor(server, ana.id)
    await press(await linkIn(ana, 'profile_code'))
    expect(await isLive(ana.access)).toBe(false)
    const thief = { ...ana, access: await accessOf(server, ana.id) }
    expect((await patch(server, thief, { usdt_wallet: WALLET, secret_code: code })).statusCode).toBe(422)
  })

  it('leaves an e-mail that somebody else has by now', async () => {
    const [ana, bob] = [await memberFixture(server), await memberFixture(server)]
    const change = { email: `moved.${ana.username}@example.com` }
    await patch(server, ana, change)
    await patch(server, ana, { ...change, secret_code: await emailCodeFor(server, ana.id) })
    await patch(server, bob, { email: ana.email })
    await patch(server, bob, { email: ana.email, secret_code: await emailCodeFor(server, bob.id) })
    expect((await press(await linkIn(ana, 'email_changed'))).statusCode).toBe(200)
    expect(await signIn(ana.email, TEST_PASSWORD)).toBe(200)
    expect(await isLive(bob.access)).toBe(true)
    expect((await eventsOf(ana)).at(-1)).toMatchObject({ kind: 'not_me' })
  })

  it('is refused when the link is forged, cut, over, or for another installation', async () => {
    const ana = await memberFixture(server)
    const { config } = server.context
    const eightDaysAgo = new Date(Date.now() - 8 * 86_400_000)
    const good = tokenOf(notMeUrl(config, ana.id, 'withdrawal:1:requested'))
    const bytes = Buffer.from(good, 'base64url')
    bytes.writeUInt8(bytes.readUInt8(34) ^ 1, 34)
    const tokens = [
      'x',
      '..%2f',
      good.slice(0, -3),
      bytes.toString('base64url'),
      tokenOf(notMeUrl(config, ana.id, 'withdrawal:1:requested', eightDaysAgo)),
      tokenOf(notMeUrl({ ...config, jwtKey: new Uint8Array(32) }, ana.id, 'withdrawal:1:requested')),
    ]
    for (const token of tokens) expect((await press(token)).statusCode).toBe(422)
    expect((await post('/api/auth/not-me/', { token: 5 })).statusCode).toBe(422)
    expect(await isLive(ana.access)).toBe(true)
    expect((await press(good)).statusCode).toBe(200)
  })

  it('is not said by looking at the page', async () => {
    const ana = await memberFixture(server)
    const url = `/api/auth/not-me/?token=${tokenOf(notMeUrl(server.context.config, ana.id, 'e'))}`
    expect((await server.call({ url })).statusCode).toBe(404)
    expect(await isLive(ana.access)).toBe(true)
  })
})

it('a session that ended since the call arrived moves no money', async () => {
  const ana = await memberFixture(server)
  const { sid } = JSON.parse(Buffer.from(ana.access.split('.')[1] ?? '', 'base64url').toString())
  const caller = { memberId: ana.id, sessionId: sid }
  const { db } = server.context
  await db.transaction().execute((tx) => requireLiveSession(tx, caller))
  await sql`UPDATE session SET ended_at = now() WHERE member_id = ${ana.id}`.execute(db)
  const late = db.transaction().execute((tx) => requireLiveSession(tx, caller))
  await expect(late).rejects.toMatchObject({ code: 'not_signed_in' })
})
