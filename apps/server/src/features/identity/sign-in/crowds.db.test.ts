/** More strangers at once than passwords are compared: nobody hears that the server cannot, and members go on. */
import { afterAll, expect, it } from 'vitest'
import { LIMITS } from '../../../core/limits.ts'
import { countOf } from '../../../core/query.sql.ts'
import { createTestServer, PROBLEM, TEST_PASSWORD } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { isPassword, type Turn } from '../members/password-hash.ts'
import { accountFixture, startedWith } from '../testing/member-fixture.ts'
import { solve } from '../testing/proof-fixture.ts'
import { CROWDED_SECONDS, MOST_STRANGERS } from './guesses.rules.ts'

const server = await suiteFixture(createTestServer)
const accounts = accountFixture(server)
const open = await startedWith(server, { limits: LIMITS.public })
afterAll(() => open.close())

/** More than are compared, and few enough for a slow machine to answer. */
const CROWD = MOST_STRANGERS + 15
const addressOf = (index: number) => `100.${64 + Math.floor(index / 250)}.${index % 250}.7`
const NOT_KNOWN = `aval_device=${'x'.repeat(43)}`

const post = (url: string, payload: object, remoteAddress: string, headers: Record<string, string> = {}) =>
  open.call({ method: 'POST', url, payload, remoteAddress, headers: { ...PROBLEM, ...headers } })
const guess = (
  email: string,
  password: string,
  index: number,
  more: { proof?: object; cookie?: string } = {},
) => {
  const { proof, cookie } = more
  const body = { email, password, ...(proof !== undefined && { proof }) }
  return post('/api/auth/token/', body, addressOf(index), cookie === undefined ? {} : { cookie })
}

it('of many strangers at once few are compared, the others are asked for a proof of work, and members sign in meanwhile', async () => {
  const ana = await accounts.member()
  const before = await guess(ana.email, TEST_PASSWORD, 1000)
  const cookie = String(before.headers['set-cookie']).split(';')[0] ?? ''
  const crowd = Array.from({ length: CROWD }, (_, index) =>
    guess(`nobody${index}@example.com`, 'of-some-list', index),
  )
  const known = guess(ana.email, TEST_PASSWORD, 1001, { cookie })
  const stranger = guess(ana.email, TEST_PASSWORD, 1002)
  expect(await known).toAnswer(200)
  const asked = (await stranger).json()
  expect(asked).toMatchObject({ status: 429, proof: { parts: 8 } })
  expect(await guess(ana.email, TEST_PASSWORD, 1002, { proof: solve(asked.proof) })).toAnswer(200)
  const byStatus = Map.groupBy(await Promise.all(crowd), ({ statusCode }) => statusCode)
  expect([...byStatus.keys()].toSorted()).toEqual([401, 429])
  expect(byStatus.get(401)).toHaveLength(MOST_STRANGERS)
  for (const answer of byStatus.get(429) ?? []) {
    expect(answer.headers['retry-after']).toBe(String(CROWDED_SECONDS))
    expect(answer.json().proof).toMatchObject({ parts: 8, bits: 13 })
  }
})

it('while more passwords wait than are compared in some seconds, a guess is asked for a proof and counts at no name; a code is refused as ever', async () => {
  const compare = (turn: Turn) => isPassword(null, 'a-password', turn).catch(() => false)
  const levels = () => countOf(server.context.db)`guess_level`
  const before = await levels()
  const waiting = [
    ...Array.from({ length: 205 }, () => compare('first')),
    ...Array.from({ length: 30 }, () => compare('stranger')),
  ]
  const answer = await guess('nobody@example.com', 'of-some-list', 2000, { cookie: NOT_KNOWN })
  expect(answer).toRefuse(429, 'too_many_requests')
  expect(answer.json().proof).toMatchObject({ parts: 8, bits: 13 })
  expect(await levels()).toBe(before)
  // No password is hashed for who has no code.
  const password = 'chosen-by-a-stranger'
  const body = { email: 'nobody@example.com', otp: '1234567', password, password2: password }
  expect(await post('/api/auth/reset-password/', body, addressOf(2001))).toRefuse(422, 'reset_refused')
  await Promise.all(waiting)
})
