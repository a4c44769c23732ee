/** Every call that takes a new password asks the service of leaked ones, where the installation names one. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestServer, PROBLEM, TEST_PASSWORD } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { accountFixture, startedWith } from '../testing/member-fixture.ts'
import { sendReset } from './resets.commands.ts'

const LEAKED = 'nube-verde-9-tren'
const GOOD = 'nube-azul-8-barco'
const SUFFIX = createHash('sha1').update(LEAKED).digest('hex').toUpperCase().slice(5)
const asked: string[] = []
const service = createServer((request, response) => {
  asked.push(request.url ?? '')
  response.end(`${SUFFIX}:7`)
})
await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))

const base = await suiteFixture(createTestServer)
const breachedPasswordsUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/range`
const server = await startedWith(base, { breachedPasswordsUrl })
const accounts = accountFixture(server)
afterAll(async () => {
  await server.close()
  service.closeAllConnections()
  service.close()
})
beforeEach(() => {
  asked.length = 0
})

const device = { userAgent: 'test', ip: '203.0.113.9' }
let visitors = 0

/** The calls that take a new password; each with somebody of its own. */
const CALLS: Readonly<Record<string, () => Promise<(password: string) => ReturnType<typeof accounts.post>>>> =
  {
    'a registration': async () => {
      visitors += 1
      const body = { username: `leak${visitors}`, email: `leak${visitors}@example.com`, captcha: 'off' }
      return (password) =>
        accounts.post('/api/auth/register/0/', { ...body, password, password2: password }, PROBLEM)
    },
    'a change': async () => {
      const who = await accounts.member()
      const headers = { ...accounts.headersOf(who), ...PROBLEM }
      return (password) =>
        accounts.post(
          '/api/auth/user/change-password/',
          { current_password: TEST_PASSWORD, password, password2: password },
          headers,
        )
    },
    'a reset by code': async () => {
      const { email, ...who } = await accounts.member()
      const at = new Date()
      await sendReset(server.context, { email, device }, at, at)
      const otp = await accounts.code({ ...who, email })
      return (password) =>
        accounts.post('/api/auth/reset-password/', { email, otp, password, password2: password }, PROBLEM)
    },
    'a reset by link': async () => {
      const who = await accounts.member()
      const at = new Date()
      await sendReset(server.context, { email: who.email, device }, at, at)
      const token = (await accounts.mails(who)).at(-1)?.params['resetUrl']?.split('#')[1]
      return (password) =>
        accounts.post('/api/auth/reset-password/link/', { token, password, password2: password }, PROBLEM)
    },
  }

describe('a password that was in a leak', () => {
  it.each(Object.keys(CALLS))('is refused by %s, and another one taken', async (name) => {
    const send = (await CALLS[name]?.()) ?? expect.fail()
    const refused = await send(LEAKED)
    expect(refused).toRefuse(400, 'password_breached')
    expect(refused.json().errors).toMatchObject([{ path: 'password', code: 'password_breached' }])
    expect((await send(GOOD)).statusCode).toBeLessThan(300)
    expect(asked).toHaveLength(2)
  })

  it('is asked about nowhere unless the installation says where', async () => {
    const quiet = accountFixture(base)
    const who = await quiet.member()
    const body = { current_password: TEST_PASSWORD, password: LEAKED, password2: LEAKED }
    expect(await quiet.post('/api/auth/user/change-password/', body, quiet.headersOf(who))).toAnswer(200)
    expect(asked).toEqual([])
  })
})
