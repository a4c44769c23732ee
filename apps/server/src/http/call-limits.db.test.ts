/** How often each call may be made: every limited call is made, with the body that its description shows, until it is refused. */
import { expect, it } from 'vitest'
import type { Limits } from '../core/limits.ts'
import { features, parts } from '../features.ts'
import { callsIn, describeApi } from '../testing/described-api.ts'
import { accessOf, createTestServer, freshCode, join, PROBLEM } from '../testing/server.ts'
import { suiteFixture } from '../testing/suite.ts'
import { buildServer } from './server.ts'

/** Written down here and not read from the calls: a call that lost its limit is missed. */
const CALLS_OF_LIMITS: Partial<Record<keyof Limits, readonly string[]>> = {
  availability: ['POST /auth/availability/'],
  avatars: ['PATCH /auth/user/ a picture'],
  captcha: ['GET /auth/captcha/'],
  codes: [
    'PATCH /auth/user/ {"email":"new@example.com"}',
    'POST /auth/user/confirm-email/ {}',
    'POST /operator/members/{member}/email/',
    'POST /operator/members/{member}/mails/{mail}/resend/',
    'POST /operator/members/{member}/view/',
    'POST /withdrawals/withdrawals/create-code/',
  ],
  codeTries: [
    'PATCH /auth/user/ {"email":"new@example.com","secret_code":"1234567"}',
    'POST /auth/operator-invitation/',
    'POST /auth/user/confirm-email/ {"secret_code":"1234567"}',
    'POST /auth/user/wallet/',
    'POST /operator/members/{member}/email/confirm/',
    'POST /withdrawals/withdrawals/ {"amount":"50","wallet_address":"TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf","used_code":"1234567"}',
  ],
  downloads: [
    'POST /privacy/data/csv/ {"current_password":"secret-password"}',
    'POST /privacy/data/json/ {"current_password":"secret-password"}',
  ],
  lookup: ['GET /auth/inviter/{ref_code}/'],
  notMe: ['POST /auth/not-me/'],
  passkeyChallenges: [
    'POST /auth/member-key/challenge/',
    'POST /auth/otp/passkey/begin/',
    'POST /auth/passkey/begin/',
  ],
  passwordTries: [
    'POST /auth/member-key/',
    'POST /auth/operator-invitation/accept/',
    'POST /auth/passkeys/begin/',
    'POST /auth/passkeys/remove/',
    'POST /auth/two-factor/setup/',
    'POST /auth/user/change-password/',
    'POST /privacy/closing/',
    'POST /privacy/data/csv/ {"current_password":"wrong"}',
    'POST /privacy/data/json/ {"current_password":"wrong"}',
  ],
  refresh: ['POST /auth/token/refresh/'],
  registration: ['POST /auth/register/{ref_code}/'],
  resetsByAddress: ['POST /auth/reset-password/send/'],
  resetTries: ['POST /auth/reset-password/', 'POST /auth/reset-password/link/'],
  signInByAccount: ['POST /auth/token/'],
  signInByAddress: ['POST /auth/otp/', 'POST /auth/otp/passkey/', 'POST /auth/passkey/', 'POST /auth/token/'],
  statements: ['GET /payments/statement/pdf/'],
  supportMessages: ['POST /support/messages/'],
}

const described = callsIn(await describeApi())
const server = await suiteFixture(createTestServer)
const operator = await accessOf(server, await join(server, { isOperator: true }))
await server.call({
  method: 'POST',
  url: '/api/operator/elevation/',
  headers: { authorization: `Bearer ${operator}` },
  payload: { otp: await freshCode(server, { authorization: `Bearer ${operator}` }) },
})

const PICTURE = 'a picture'
function picture(): FormData {
  const form = new FormData()
  form.append('avatar', new Blob(['none']), 'me.png')
  return form
}

/** A call as the description shows it; a body of one's own may follow its path. */
function requestOf(line: string, access: string) {
  const [, method, path, body] = /^(\w+) (\S+)(?: (.+))?$/.exec(line) ?? []
  const call = described.find((each) => each.method === method && each.path === `/api${path}`)
  if (call === undefined) throw new Error(`${line} is not described`)
  const { parameters = [], requestBody, security } = call.operation
  const example = (name: string) => String(parameters.find((each) => each.name === name)?.example)
  const json = body ?? JSON.stringify(requestBody?.content['application/json']?.example)
  return {
    method: call.method,
    url: call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => example(name)),
    headers: {
      ...PROBLEM,
      ...(security.length === 0 ? {} : { authorization: `Bearer ${access}` }),
      ...(json === undefined || body === PICTURE ? {} : { 'content-type': 'application/json' }),
    },
    ...(json === undefined ? {} : { payload: body === PICTURE ? picture() : json }),
  }
}

it.each(Object.entries(CALLS_OF_LIMITS))(
  '%s: refused above it, each call by itself',
  async (limit, calls) => {
    const { context, database } = server
    const limits = { ...context.config.limits, [limit]: { points: 2, seconds: 3_600 } }
    const config = { ...context.config, databaseUrl: database.apiUrl, limits }
    const api = await buildServer({ ...context, config }, features, parts)
    // An address of its own: what an earlier limit counted does not count here.
    const remoteAddress = `198.51.100.${Object.keys(CALLS_OF_LIMITS).indexOf(limit)}`
    for (const line of calls) {
      const member = await accessOf(server, await join(server))
      const request = { ...requestOf(line, line.includes('/operator/') ? operator : member), remoteAddress }
      const statuses: number[] = []
      for (let call = 1; call <= 3; call += 1) statuses.push((await api.inject(request)).statusCode)
      const refused = statuses.map((status) => status === 429)
      expect.soft(refused, `${line}: ${statuses}`).toEqual([false, false, true])
    }
    await api.close()
  },
)
