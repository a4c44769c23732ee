import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { features } from '../../../features.ts'
import { createTestServer, type TestServer } from '../../../testing/server.ts'
import {
  emailCodeFor,
  type MemberFixture,
  mailsTo,
  memberFixture,
  patch,
  userOf,
  walletOf,
} from '../testing/member-fixture.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer(inject('ownerUrl'), features)
})
afterAll(() => server?.close())

const send = (who: MemberFixture, body: object | FormData, headers?: Record<string, string>) =>
  patch(server, who, body, headers)
const user = (who: MemberFixture) => userOf(server, who)

/** Changes with the code that this sends for. */
async function changed(who: MemberFixture, change: object) {
  expect((await send(who, change)).statusCode).toBe(200)
  return send(who, { ...change, secret_code: await emailCodeFor(server, who.id) })
}

async function eventsOf(
  who: MemberFixture,
): Promise<{ kind: string; details: unknown; user_agent: string }[]> {
  const { rows } = await sql<{ kind: string; details: unknown; user_agent: string }>`
    SELECT kind, details, user_agent FROM security_event WHERE member_id = ${who.id} ORDER BY id`.execute(
    server.context.db,
  )
  return rows
}

describe('a profile', () => {
  const names = { first_name: 'Ana María', last_name: 'Núñez', phone_number: '+525512345678', locale: 'es' }

  it('takes names, phone and language as JSON', async () => {
    const ana = await memberFixture(server)
    const answer = await send(ana, names)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toBe('Your changes are saved.')
    expect(await user(ana)).toMatchObject(names)
    expect(await eventsOf(ana)).toEqual([])
  })

  it('takes the same as a form, and what is absent stays', async () => {
    const ana = await memberFixture(server)
    const form = new FormData()
    for (const [name, value] of Object.entries(names)) form.set(name, value)
    expect((await send(ana, form)).json()).toBe('Your changes are saved.')
    expect(await user(ana)).toMatchObject(names)
    const more = new FormData()
    more.set('last_name', '')
    expect((await send(ana, more, { 'accept-language': 'es' })).json()).toBe('Guardamos tus cambios.')
    expect(await user(ana)).toMatchObject({ ...names, last_name: '' })
  })

  it('can be sent back whole, as it came, without a code', async () => {
    const ana = await memberFixture(server)
    const wallet = walletOf(1)
    await changed(ana, { usdt_wallet: wallet })
    const whole = await user(ana)
    expect((await send(ana, { ...whole, first_name: 'Ana', secret_code: null })).json()).toBe(
      'Your changes are saved.',
    )
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...whole, secret_code: '' })) form.set(name, String(value))
    expect((await send(ana, form)).json()).toBe('Your changes are saved.')
    expect(await user(ana)).toMatchObject({ email: ana.email, usdt_wallet: wallet })
  })

  it("changes nothing that is not a member's to change", async () => {
    const ana = await memberFixture(server)
    await send(ana, {
      is_operator: true,
      is_fundator: true,
      balance: 1e6,
      id: 1,
      username: 'root',
      avatar: 'x',
    })
    expect(await user(ana)).toMatchObject({
      is_operator: false,
      is_fundator: false,
      balance: 0,
      id: Number(ana.id),
      username: ana.username,
    })
  })

  it.each([
    [{ email: 'no e-mail' }, 'email'],
    [{ email: 'ana@example.com\r\nBcc: eve@example.com' }, 'email'],
    [{ email: '' }, 'email'],
    [{ email: ['a@example.com'] }, 'email'],
    [{ first_name: 'x'.repeat(61) }, 'first_name'],
    [{ first_name: 'Ana\r\nBcc: eve@example.com' }, 'first_name'],
    [{ last_name: { $ne: '' } }, 'last_name'],
    [{ phone_number: 'call me' }, 'phone_number'],
    [{ phone_number: 5512345678 }, 'phone_number'],
    [{ locale: 'fr' }, 'locale'],
    [{ secret_code: '12345678' }, 'secret_code'],
    [{ secret_code: 'abcdefg' }, 'secret_code'],
    [{ usdt_wallet: 7 }, 'usdt_wallet'],
  ])('refuses %j, at the field', async (body, path) => {
    const answer = await send(await memberFixture(server), body, { accept: 'application/problem+json' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().errors).toMatchObject([{ path }])
  })

  it('takes a NUL character for what it is', async () => {
    expect((await send(await memberFixture(server), { first_name: 'a\u0000b' })).statusCode).toBe(400)
  })
})

describe('codes', () => {
  it('expire, and are not made without end', async () => {
    const tight = await createTestServer(inject('ownerUrl'), features, {
      limits: { ...server.context.config.limits, codes: { points: 2, seconds: 900 } },
    })
    const ana = await memberFixture(tight)
    const change = { usdt_wallet: walletOf(12) }
    await patch(tight, ana, change)
    await sql`UPDATE email_code SET made_at = made_at - interval '11 minutes',
      expires_at = expires_at - interval '11 minutes'`.execute(tight.context.db)
    const late = await patch(tight, ana, { ...change, secret_code: await emailCodeFor(tight, ana.id) })
    expect(late.json()).toContain('no longer good')
    expect((await patch(tight, ana, change)).statusCode).toBe(200)
    const flood = await patch(tight, ana, change)
    expect(flood.statusCode).toBe(429)
    expect(flood.headers['retry-after']).toBeDefined()
    expect(await mailsTo(tight, ana.id)).toHaveLength(2)
    await tight.close()
  })
})
