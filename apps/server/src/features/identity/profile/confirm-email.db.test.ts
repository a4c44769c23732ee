import { inTransaction } from '@aval/db'
import { describe, expect, it } from 'vitest'
import { countOf, query } from '../../../core/query.sql.ts'
import { createTestServer, PROBLEM } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { createEmailCode } from '../email-codes/email-codes.commands.ts'
import { sendReset } from '../passwords/resets.commands.ts'
import {
  accountFixture,
  type MemberFixture,
  startedWith,
  tokenOf,
  walletOf,
  wrongFor,
} from '../testing/member-fixture.ts'

const server = await suiteFixture(createTestServer)
const { db } = server.context
const accounts = accountFixture(server)
const { changed, code, mails, member, post, user } = accounts

const press = (who: MemberFixture, body: object = {}) =>
  post('/api/auth/user/confirm-email/', body, { ...accounts.headersOf(who), ...PROBLEM })
const isProven = async (who: MemberFixture) => (await user(who)).email_proven as boolean
const NEXT = { password: 'another-password', password2: 'another-password' }
const proofs = (who: MemberFixture) =>
  countOf(db)`audit_event WHERE actor_id = ${who.id} AND action = 'email.prove'`

/** Asks for a reset; what its mail says. */
async function resetOf(who: MemberFixture) {
  const now = new Date()
  await sendReset(server.context, { email: who.email, device: { userAgent: '', ip: '' } }, now, now)
  return (await mails(who)).at(-1)?.params ?? {}
}

describe('an e-mail is proven', () => {
  const ways: readonly [string, (who: MemberFixture) => Promise<unknown>][] = [
    [
      'the code for it',
      async (who) => {
        await press(who)
        return press(who, { secret_code: await code(who) })
      },
    ],
    ['a code for the profile', (who) => changed(who, { usdt_wallet: walletOf(31) })],
    [
      'the code of a reset',
      async (who) => {
        const { code: otp } = await resetOf(who)
        return post('/api/auth/reset-password/', { email: who.email, otp, ...NEXT })
      },
    ],
    [
      'the link of a reset',
      async (who) => {
        const token = (await resetOf(who))['resetUrl']?.split('#')[1]
        return post('/api/auth/reset-password/link/', { token, ...NEXT })
      },
    ],
  ]
  it.each(ways)('by %s', async (_name, use) => {
    const ana = await member()
    expect(await isProven(ana)).toBe(false)
    expect(await use(ana)).toAnswer(200)
    expect(await isProven(await accounts.elsewhere(ana))).toBe(true)
    expect(await proofs(ana)).toBe(1)
  })

  it('once: another code is neither made nor asked for', async () => {
    const ana = await member()
    await changed(ana, { usdt_wallet: walletOf(32) })
    const before = await mails(ana)
    expect((await press(ana)).json()).toBe('Your e-mail is confirmed.')
    expect(await mails(ana)).toEqual(before)
    await changed(ana, { usdt_wallet: walletOf(33) })
    expect(await proofs(ana)).toBe(1)
  })

  it('again, by a code that was sent to it, once it is another one', async () => {
    const ana = await member()
    const email = `next.${ana.username}@example.com`
    await changed(ana, { email })
    expect(await isProven(ana)).toBe(false)
    // The code that came with the change.
    expect(await press(ana, { secret_code: await code(ana) })).toAnswer(200)
    expect(await isProven(ana)).toBe(true)
    expect((await mails(ana)).at(-1)).toMatchObject({ template: 'email_code', to: email })
  })

  it('still, where only its case changes', async () => {
    const ana = await member()
    await changed(ana, { email: ana.email.toUpperCase() })
    expect(await user(ana)).toMatchObject({ email: ana.email.toUpperCase(), email_proven: true })
    expect((await mails(ana)).at(-1)).toMatchObject({ template: 'email_changed' })
  })
})

describe('an e-mail is not proven', () => {
  it('by a wrong code, another member’s, or one for something else', async () => {
    const [ana, bob] = [await member(), await member()]
    expect((await press(ana)).json()).toContain('We sent a code to p…@example.com')
    const right = await code(ana)
    expect((await mails(ana)).at(-1)?.params).toMatchObject({ unprovenFor: ana.username })
    expect(await press(ana, { secret_code: wrongFor(right) })).toRefuse(422, 'code_wrong')
    expect(await press(bob, { secret_code: right })).toRefuse(422, 'code_expired')
    await accounts.send(bob, { usdt_wallet: walletOf(34) })
    expect(await press(bob, { secret_code: await code(bob) })).toRefuse(422, 'code_expired')
    expect([await isProven(ana), await isProven(bob)]).toEqual([false, false])
  })

  it('by a code that was mailed to the former address, however it came to be live', async () => {
    const ana = await member()
    await changed(ana, { email: `later.${ana.username}@example.com` })
    // Read before the change, and mailed after it.
    for (const purpose of ['email', 'profile', 'withdrawal'] as const) {
      const late = { memberId: ana.id, purpose, binding: '', to: ana.email, now: new Date() }
      const secret_code = await inTransaction(db, (tx) => createEmailCode(server.context, tx, late))
      if (purpose === 'email') expect(await press(ana, { secret_code })).toRefuse(422, 'code_expired')
      if (purpose !== 'profile') continue
      const change = { usdt_wallet: walletOf(35), secret_code }
      expect(await accounts.send(ana, change, PROBLEM)).toRefuse(422, 'code_expired')
    }
    expect(await isProven(ana)).toBe(false)
  })

  it('by a session that ended, or without one', async () => {
    const ana = await member()
    await press(ana)
    const secret_code = await code(ana)
    await query(db)`UPDATE session SET ended_at = now() WHERE member_id = ${ana.id}`
    expect(await press(ana, { secret_code })).toAnswer(401)
    expect(await post('/api/auth/user/confirm-email/', { secret_code })).toAnswer(401)
  })
})

it('codes to confirm with are not made without end, and say nothing of links', async () => {
  const limits = { ...server.context.config.limits, codes: { points: 2, seconds: 900 } }
  const tight = await startedWith(server, { limits })
  const ana = await member()
  const headers = accounts.headersOf(ana)
  const ask = () => tight.call({ method: 'POST', url: '/api/auth/user/confirm-email/', headers })
  for (const status of [200, 200, 429]) expect((await ask()).statusCode).toBe(status)
  const all = await mails(ana)
  expect(all.map(({ params }) => tokenOf(params['notMeUrl']))).toEqual(['', ''])
  await tight.close()
})
