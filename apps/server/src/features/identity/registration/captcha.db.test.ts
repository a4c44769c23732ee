import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { features } from '../../../features.ts'
import { createTestServer } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { checkCaptcha } from './captcha.commands.ts'

const server = await suiteFixture(createTestServer, features, { captcha: true })

const challenge = async (): Promise<Challenge> => (await server.call({ url: '/api/auth/captcha/' })).json()
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64')
async function solve(given: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge: given, deriveKey })
  return encode({ challenge: given, solution })
}

let visitors = 0
const join = (captcha: string, overrides: object = {}) => {
  visitors += 1
  const payload = {
    username: `solver${visitors}`,
    email: `solver${visitors}@example.com`,
    password: 'long enough',
    password2: 'long enough',
    captcha,
    ...overrides,
  }
  return server.call({ method: 'POST', url: '/api/auth/register/0/', payload })
}

describe('a solved captcha', () => {
  it('lets one visitor in, once', async () => {
    const solved = await solve(await challenge())
    expect((await join(solved)).statusCode).toBe(201)
    const again = await join(solved)
    expect(again.statusCode).toBe(422)
    expect(again.json()).toMatch(/verificación/)
  })

  it('sent by two at once lets one in', async () => {
    const solved = await solve(await challenge())
    const answers = await Promise.all([join(solved), join(solved), join(solved)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 422, 422])
  })

  it('is still good after a registration that was refused for another reason', async () => {
    const solved = await solve(await challenge())
    expect((await join(solved, { username: 'root' })).statusCode).toBe(409)
    expect((await join(solved)).statusCode).toBe(201)
  })

  it('of a challenge that has expired is refused', async () => {
    const solved = await solve(await challenge())
    const later = new Date(Date.now() + 21 * 60_000)
    await expect(checkCaptcha(server.context, solved, later)).rejects.toMatchObject({
      code: 'captcha_invalid',
    })
  })
})

describe('what is no solution', () => {
  const forged = async (change: (given: Challenge) => object) => encode(change(await challenge()))

  it.each([
    ['rubbish', async () => 'rubbish'],
    ['base64 of no JSON', async () => Buffer.from('{').toString('base64')],
    ['base64 of null', async () => encode([])],
    ['no solution', async () => forged((given) => ({ challenge: given }))],
    [
      'a guess',
      async () =>
        forged((given) => ({ challenge: given, solution: { counter: 1, derivedKey: '00'.repeat(32) } })),
    ],
    [
      'an easier challenge than ours',
      async () => {
        const given = await challenge()
        return solve({ ...given, parameters: { ...given.parameters, keyPrefix: '00', cost: 1 } })
      },
    ],
    [
      'a challenge that never expires',
      async () => {
        const given = await challenge()
        const { expiresAt: _dropped, ...parameters } = given.parameters
        return solve({ ...given, parameters })
      },
    ],
    [
      'a challenge without a signature',
      async () => {
        const given = await challenge()
        return solve({ parameters: given.parameters })
      },
    ],
  ])('such as %s is refused, and stores nothing', async (_name, make) => {
    const { rows: before } = await sql`SELECT count(*) FROM member`.execute(server.context.db)
    const answer = await join(await make())
    expect(answer.statusCode).toBe(422)
    const { rows: after } = await sql`SELECT count(*) FROM member`.execute(server.context.db)
    expect(after).toEqual(before)
  })
})
