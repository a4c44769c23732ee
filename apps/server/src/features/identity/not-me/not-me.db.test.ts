import { describe, expect, it } from 'vitest'
import { query } from '../../../core/query.sql.ts'
import { createTestServer, PROBLEM } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { sendReset } from '../passwords/resets.commands.ts'
import { purgeExpired } from '../purge.commands.ts'
import { registerMember } from '../registration/registration.commands.ts'
import { notMeUrl } from '../security-log/not-me-link.ts'
import { findCoolingEnd, findMoneyLock, requireUnlocked } from '../security-log/security-log.queries.ts'
import { accountFixture, type MemberFixture, tokenOf, walletOf } from '../testing/member-fixture.ts'
import { reportNotMe } from './not-me.commands.ts'

const server = await suiteFixture(createTestServer)
const { db, config } = server.context
const accounts = accountFixture(server)
const { changed, code, confirm, elsewhere, eventsOf, isLive, mails, member, post, send, signIn } = accounts

const WALLET = walletOf(20)
const NOWHERE = { userAgent: '', ip: '' }
const stranger = (email: string) =>
  ({ username: 'stranger', email, passwordHash: 'none', locale: 'es' }) as const
const press = (token: string) => post('/api/auth/not-me/', { token })
const linkIn = async (who: MemberFixture, template: string) =>
  tokenOf((await mails(who)).findLast((mail) => mail.template === template)?.params['notMeUrl'])

/** A member whose wallet was changed. */
async function changedMember(): Promise<MemberFixture> {
  const ana = await member()
  expect(await changed(ana, { usdt_wallet: WALLET })).toAnswer(200)
  return ana
}

/** Somebody who knew the old mailbox once; changes need no more. */
const thief = (who: MemberFixture, name: string) => `${name}.${who.username}@example.com`
const DAY = 86_400_000
const linksOf = async (who: MemberFixture, template: string) =>
  (await mails(who))
    .filter((mail) => mail.template === template)
    .map(({ params }) => tokenOf(params['notMeUrl']))

describe('an e-mail that a member left', () => {
  it('signs nobody in, and is nobody else’s for a week; then it is free and its link is refused', async () => {
    const [ana, bob] = [await member(), await member()]
    await changed(ana, { email: thief(ana, 'moved') })
    const link = await linkIn(ana, 'email_changed')
    expect(await signIn(ana.email)).toBe(401)
    const join = () => registerMember(db, { ...stranger(ana.email), sponsorId: server.rootId }, new Date())
    const now = Date.now()
    await purgeExpired(db, new Date(now + 6.9 * DAY))
    await expect(join()).rejects.toMatchObject({ code: 'email_taken' })
    expect(await send(bob, { email: ana.email }, PROBLEM)).toRefuse(409, 'email_taken')
    const over = new Date(now + 7.1 * DAY)
    await purgeExpired(db, over)
    const late = reportNotMe(server.context, [], link, NOWHERE, over)
    await expect(late).rejects.toMatchObject({ code: 'link_invalid' })
    expect(await changed(bob, { email: ana.email })).toAnswer(200)
    expect(await signIn(ana.email)).toBe(200)
  })

  it('gets no new password, though its reset was on its way', async () => {
    const ana = await member()
    const now = new Date()
    await sendReset(server.context, { email: ana.email, device: NOWHERE }, now, now)
    const link = (await mails(ana)).at(-1)?.params['resetUrl']?.split('#')[1] ?? ''
    const otp = await code(ana)
    // The change came between the reading of the address and the mail.
    await query(db)`UPDATE member SET email = ${thief(ana, 'race')} WHERE id = ${ana.id}`
    const passwords = { password: 'another-password', password2: 'another-password' }
    const byLink = await post('/api/auth/reset-password/link/', { token: link, ...passwords }, PROBLEM)
    expect(byLink).toRefuse(422, 'reset_link_invalid')
    const byCode = await post('/api/auth/reset-password/', { email: ana.email, otp, ...passwords }, PROBLEM)
    expect(byCode).toRefuse(422, 'reset_refused')
    expect(await accounts.user(ana)).toMatchObject({ email_proven: false })
  })

  it('is back by its link, proven, with the wallet of then; sessions end', async () => {
    const ana = await member()
    const own = walletOf(22)
    await changed(ana, { usdt_wallet: own })
    const email = thief(ana, 'stolen')
    await changed(ana, { email })
    // The code for the wallet goes to the thief, and proves the thief's address.
    await changed(ana, { usdt_wallet: WALLET })
    expect(await accounts.user(ana)).toMatchObject({ email, email_proven: true, usdt_wallet: WALLET })
    expect(await press(await linkIn(ana, 'email_changed'))).toAnswer(200)
    expect(await isLive(ana)).toBe(false)
    const back = await elsewhere(ana)
    expect(await accounts.user(back)).toMatchObject({
      email: ana.email,
      email_proven: true,
      usdt_wallet: own,
    })
    expect(await signIn(email)).toBe(401)
    // Nothing asks the thief's address to confirm anything, and no code of it is live.
    expect((await mails(ana)).filter(({ template }) => template === 'email_code')).toHaveLength(1)
    expect(await accounts.liveCodes(ana)).toBe(0)
  })

  it('is the one of the link that is followed: an older one undoes later changes, and ends their links', async () => {
    const ana = await member()
    await changed(ana, { email: thief(ana, 'first') })
    await changed(ana, { email: thief(ana, 'second') })
    await send(ana, { usdt_wallet: WALLET })
    const [toOwner, toThief] = await linksOf(ana, 'email_changed')
    const another = await linkIn(ana, 'profile_code')
    expect(await press(toOwner ?? '')).toAnswer(200)
    const back = await elsewhere(ana)
    expect((await accounts.user(back)).email).toBe(ana.email)
    for (const link of [toThief ?? '', another]) expect(await press(link)).toAnswer(422)
    expect((await accounts.user(back)).email).toBe(ana.email)
    // What is written from now on goes to the owner.
    await send(back, { usdt_wallet: WALLET })
    expect(await press(await linkIn(ana, 'profile_code'))).toAnswer(200)
    expect(await isLive(back)).toBe(false)
  })

  it('is the owner’s, though the thief’s link was followed before', async () => {
    const ana = await member()
    await changed(ana, { email: thief(ana, 'first') })
    await changed(ana, { email: thief(ana, 'second') })
    const [toOwner, toThief] = await linksOf(ana, 'email_changed')
    expect(await press(toThief ?? '')).toAnswer(200)
    expect((await accounts.user(await elsewhere(ana))).email).toBe(thief(ana, 'first'))
    expect(await press(toOwner ?? '')).toAnswer(200)
    expect((await accounts.user(await elsewhere(ana))).email).toBe(ana.email)
  })

  it('can be returned to by the member alone, too', async () => {
    const ana = await member()
    await changed(ana, { email: thief(ana, 'away') })
    await changed(ana, { email: ana.email.toUpperCase() })
    expect(await signIn(ana.email)).toBe(200)
    expect(await signIn(thief(ana, 'away'))).toBe(401)
    expect(await accounts.user(ana)).toMatchObject({ email_proven: false })
  })
})

describe('"this was not me"', () => {
  it('ends all sessions and codes, takes changes back, and keeps money in until the password is reset', async () => {
    const ana = await member()
    const own = walletOf(21)
    expect(await changed(ana, { usdt_wallet: own })).toAnswer(200)
    // A thief gets in, changes the wallet, then the e-mail.
    const thief = await elsewhere(ana)
    expect(await changed(thief, { usdt_wallet: WALLET })).toAnswer(200)
    const change = { email: `thief.${ana.username}@example.com` }
    expect(await changed(thief, change)).toAnswer(200)
    await send(thief, { usdt_wallet: own })

    const answer = await press(await linkIn(ana, 'wallet_changed'))
    expect(answer).toAnswer(200)
    expect(answer.json().message).toContain('reset your password')
    for (const who of [ana, thief]) expect(await isLive(who)).toBe(false)
    const back = await elsewhere(ana)
    expect(await accounts.user(back)).toMatchObject({ email: ana.email, usdt_wallet: own })
    expect(await accounts.liveCodes(ana)).toBe(0)
    expect(await findMoneyLock(db, ana.id, config)).toMatchObject({ because: 'not_me' })
    const payout = requireUnlocked(db, ana.id, { coolingHours: 0 })
    await expect(payout).rejects.toMatchObject({ code: 'account_locked' })
    // The thief's address gets the mail about the return, without a link that would begin it all again.
    const last = (await mails(ana)).at(-1)
    expect(last).toMatchObject({ template: 'email_changed', to: change.email, params: { email: ana.email } })
    expect(last?.params['notMeUrl']).toBeUndefined()
  })

  it('is lifted by a reset, which cools', async () => {
    const ana = await changedMember()
    await press(await linkIn(ana, 'wallet_changed'))
    const now = new Date()
    await sendReset(server.context, { email: ana.email, device: { userAgent: '', ip: '' } }, now, now)
    const passwords = { password: 'another-password', password2: 'another-password' }
    await post('/api/auth/reset-password/', { email: ana.email, otp: await code(ana), ...passwords })
    expect(await findMoneyLock(db, ana.id, config)).toMatchObject({ because: 'cooling' })
    await expect(requireUnlocked(db, ana.id, config)).rejects.toMatchObject({ code: 'cooling' })
    await requireUnlocked(db, ana.id, { coolingHours: 0 })
    expect(await findCoolingEnd(db, ana.id, config, new Date(Date.now() + 86_400_000))).toBeNull()
  })

  it('does its work once a link, though it be pressed many times, at once and later', async () => {
    const ana = await changedMember()
    const link = await linkIn(ana, 'wallet_changed')
    const answers = await Promise.all(Array.from({ length: 8 }, () => press(link)))
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    const again = await elsewhere(ana)
    expect(await press(link)).toAnswer(200)
    expect(await isLive(again)).toBe(true)
    expect((await eventsOf(ana)).filter(({ kind }) => kind === 'not_me')).toHaveLength(1)
  })

  it('from a mail with a code ends the session that asked for it, and the code', async () => {
    const ana = await member()
    await send(ana, { usdt_wallet: WALLET })
    await press(await linkIn(ana, 'profile_code'))
    expect(await isLive(ana)).toBe(false)
    expect(await confirm(await elsewhere(ana), { usdt_wallet: WALLET })).toAnswer(422)
  })

  it('is refused when the link is forged, cut, over, or for another installation', async () => {
    const ana = await member()
    const link = (at = new Date(), jwtKey = config.jwtKey) =>
      tokenOf(notMeUrl({ ...config, jwtKey }, ana.id, 'withdrawal:1:requested', at))
    const good = link()
    const bytes = Buffer.from(good, 'base64url')
    bytes.writeUInt8(bytes.readUInt8(34) ^ 1, 34)
    const tokens = [
      'x',
      '..%2f',
      good.slice(0, -3),
      bytes.toString('base64url'),
      link(new Date(Date.now() - 8 * 86_400_000)),
      link(undefined, new Uint8Array(32)),
    ]
    for (const token of tokens) expect(await press(token)).toAnswer(422)
    expect(await post('/api/auth/not-me/', { token: 5 })).toAnswer(422)
    expect(await isLive(ana)).toBe(true)
    expect(await press(good)).toAnswer(200)
  })

  it('is not said by opening the page', async () => {
    const ana = await member()
    const url = `/api/auth/not-me/?token=${tokenOf(notMeUrl(config, ana.id, 'e'))}`
    expect(await server.call({ url })).toAnswer(404)
    expect(await isLive(ana)).toBe(true)
  })
})
