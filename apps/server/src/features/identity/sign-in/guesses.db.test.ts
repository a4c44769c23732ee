import type { ProofRequest } from '@aval/contract'
import { inTransaction } from '@aval/db'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { LIMITS } from '../../../core/limits.ts'
import { countOf, query } from '../../../core/query.sql.ts'
import { createTestServer, PROBLEM, TEST_PASSWORD } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { purgeExpired, purgeLevels } from '../purge.commands.ts'
import { accountFixture, startedWith } from '../testing/member-fixture.ts'
import { solve } from '../testing/proof-fixture.ts'
import { takeGuess } from './guesses.sql.ts'

const server = await suiteFixture(createTestServer)
const { db } = server.context
const accounts = accountFixture(server)
/** Two processes on one database, with the limits of a public network. */
const processes = await Promise.all([1, 2].map(() => startedWith(server, { limits: LIMITS.public })))
afterAll(async () => {
  for (const one of processes) await one.close()
})

const WRONG = 'not-the-password'
let turn = 0
interface From {
  readonly address?: string
  readonly cookie?: string
  readonly proof?: object
}

/** A sign-in that a visitor sends to one of the processes. */
async function signIn(email: string, password: string, { address, cookie, proof }: From = {}) {
  turn += 1
  const answer = await processes[turn % 2]?.call({
    method: 'POST',
    url: '/api/auth/token/',
    payload: { email, password, ...(proof === undefined ? {} : { proof }) },
    remoteAddress: address ?? addressOf(turn),
    headers: { ...PROBLEM, 'accept-language': 'en', ...(cookie === undefined ? {} : { cookie }) },
  })
  if (answer === undefined) throw new Error('there is no such process')
  return answer
}

/** Another network each. */
const addressOf = (index: number) => `100.${64 + Math.floor(index / 250)}.${index % 250}.7`
const cookieOf = (answer: { headers: object }) =>
  String(Reflect.get(answer.headers, 'set-cookie') ?? '').split(';')[0] ?? ''

/** Wrong passwords from as many networks. @returns the statuses */
async function attack(name: string, guesses: number): Promise<number[]> {
  const statuses: number[] = []
  for (let index = 0; index < guesses; index += 1) statuses.push((await signIn(name, WRONG)).statusCode)
  return statuses
}

const compared = (statuses: readonly number[]) => statuses.filter((status) => status === 401).length
/** Lets time pass for everything that counts guesses. */
const wait = (minutes: number) =>
  query(db)`UPDATE guess_level SET at = at - make_interval(mins => ${minutes})`

describe('300 guesses at one account from 300 networks', () => {
  it('are compared a dozen times; the member signs in throughout on a known device, and with a proof on a new one', async () => {
    const ana = await accounts.member()
    let cookie = cookieOf(await signIn(ana.username, TEST_PASSWORD))
    const statuses: number[] = []
    for (let round = 0; round < 10; round += 1) {
      statuses.push(...(await attack(ana.username, 30)))
      const known = await signIn(ana.username, TEST_PASSWORD, { cookie })
      expect(known).toAnswer(200)
      cookie = cookieOf(known)
      const asked = await signIn(ana.username, TEST_PASSWORD)
      expect(asked.json()).toMatchObject({ status: 429, code: 'too_many_requests', proof: { parts: 8 } })
      expect(Number(asked.headers['retry-after'])).toBeGreaterThan(0)
      expect(await signIn(ana.username, TEST_PASSWORD, { proof: solve(asked.json().proof) })).toAnswer(200)
    }
    expect(compared(statuses)).toBeLessThanOrEqual(12)
  })

  it('are forgotten as time passes, without a proof as well', async () => {
    const ana = await accounts.member()
    await attack(ana.username, 30)
    expect(await signIn(ana.username, TEST_PASSWORD)).toAnswer(429)
    await wait(45)
    expect(await signIn(ana.username, TEST_PASSWORD)).toAnswer(200)
  })

  it('are answered in the same way where there is no such account', async () => {
    const ana = await accounts.member()
    const [known, unknown] = [await attack(ana.username, 40), await attack('nobody-here', 40)]
    expect(known).toEqual(unknown)
    const bodies = await Promise.all([ana.username, 'nobody-here'].map((name) => signIn(name, WRONG)))
    const [one, other] = bodies.map((answer) => {
      const { proof, ...rest } = answer.json()
      return [rest.code, rest.title, proof.bits, proof.parts, Object.keys(answer.headers).toSorted()]
    })
    expect(one).toEqual(other)
  })

  it('at a username do not show which e-mail belongs to it', async () => {
    const ana = await accounts.member()
    await attack(ana.username, 40)
    expect(await signIn(ana.email, WRONG)).toAnswer(401)
    expect(await signIn('somebody@example.com', WRONG)).toAnswer(401)
  })

  it('that wait for each other are allowed one after the other, up to the limit', async () => {
    const counted = [{ subject: 'name at the limit', limit: { points: 10, seconds: 900 } }]
    const take = () => takeGuess(db, { counted, proven: false, mostFull: 8 }, new Date())
    for (let guess = 0; guess < 9; guess += 1) await take()
    // Each has seen nine of ten before it waits.
    const waiting = await inTransaction(server.owner.db, async (tx) => {
      await query(tx)`SELECT FROM guess_level WHERE subject = 'name at the limit' FOR UPDATE`
      const begun = Array.from({ length: 5 }, take)
      const blocked = () =>
        countOf(
          server.owner.db,
        )`pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      await vi.waitFor(async () => expect(await blocked()).toBe(5), { timeout: 240_000 })
      return begun
    })
    const taken = await Promise.all(waiting)
    expect(taken.filter(({ allowed }) => allowed).length).toBeLessThanOrEqual(2)
  })

  it('all at once are compared as seldom as one after the other', async () => {
    const ana = await accounts.member()
    const answers = await Promise.all(Array.from({ length: 60 }, () => signIn(ana.username, WRONG)))
    expect(compared(answers.map(({ statusCode }) => statusCode))).toBeLessThanOrEqual(12)
  })
})

describe('a known device', () => {
  it('is known to its member alone', async () => {
    const [ana, eve] = [await accounts.member(), await accounts.member()]
    const cookie = cookieOf(await signIn(eve.username, TEST_PASSWORD))
    await attack(ana.username, 30)
    expect(await signIn(ana.username, WRONG, { cookie })).toAnswer(429)
  })

  it('is one for everybody who uses it, and holds another token after each sign-in', async () => {
    const [ana, bea] = [await accounts.member(), await accounts.member()]
    const first = cookieOf(await signIn(ana.username, TEST_PASSWORD))
    const second = cookieOf(await signIn(bea.username, TEST_PASSWORD, { cookie: first }))
    for (const who of [ana, bea]) await attack(who.username, 30)
    expect(await signIn(ana.username, TEST_PASSWORD, { cookie: first })).toAnswer(429)
    expect(await signIn(ana.username, TEST_PASSWORD, { cookie: second })).toAnswer(200)
  })

  it('is also the one in which the account was made', async () => {
    const body = { username: 'newcomer', email: 'newcomer@example.com', password: TEST_PASSWORD }
    const payload = { ...body, password2: TEST_PASSWORD, captcha: 'off' }
    const made = await processes[0]?.call({ method: 'POST', url: '/api/auth/register/0/', payload })
    expect([made?.statusCode, Object.keys(made?.json() ?? {})]).toEqual([201, ['access', 'refresh']])
    await attack('newcomer', 30)
    expect(await signIn('newcomer', TEST_PASSWORD)).toAnswer(429)
    expect(await signIn('newcomer', TEST_PASSWORD, { cookie: cookieOf(made ?? { headers: {} }) })).toAnswer(
      200,
    )
  })

  it('has ten wrong passwords, and is a stranger then', async () => {
    const ana = await accounts.member()
    const cookie = cookieOf(await signIn(ana.username, TEST_PASSWORD))
    await attack(ana.username, 30)
    const statuses: number[] = []
    for (let index = 0; index < 30; index += 1)
      statuses.push((await signIn(ana.username, WRONG, { cookie })).statusCode)
    expect(compared(statuses)).toBeLessThanOrEqual(12)
  })

  it('is spared by the limits of an address that a stranger used up', async () => {
    const ana = await accounts.member()
    const address = '203.0.113.7'
    const cookie = cookieOf(await signIn(ana.username, TEST_PASSWORD, { address }))
    for (let index = 0; index < 105; index += 1) await signIn(`name${index}`, WRONG, { address })
    for (let index = 0; index < 105; index += 1) await signIn(`name${index}`, WRONG, { address })
    expect(await signIn('another', WRONG, { address })).toAnswer(429)
    expect(await signIn(ana.username, TEST_PASSWORD, { address, cookie })).toAnswer(200)
  })

  it('is forgotten with a new password that came by e-mail, and after half a year', async () => {
    const ana = await accounts.member()
    await signIn(ana.username, TEST_PASSWORD)
    const known = () => countOf(db)`known_device WHERE member_id = ${ana.id}`
    expect(await known()).toBe(1)
    await purgeExpired(db, new Date(Date.now() + 179 * 86_400_000))
    expect(await known()).toBe(1)
    await purgeExpired(db, new Date(Date.now() + 181 * 86_400_000))
    expect(await known()).toBe(0)
  })

  it('is one of twenty at most', async () => {
    const ana = await accounts.member()
    for (let index = 0; index < 22; index += 1) await signIn(ana.username, TEST_PASSWORD)
    expect(await countOf(db)`known_device WHERE member_id = ${ana.id}`).toBe(20)
  })

  it.each(['', 'NAME=', 'NAME=x', `NAME=${'y'.repeat(43)}`, ';;=', 'other=1'])(
    'that sends %j is a new one',
    async (sent) => {
      const ana = await accounts.member()
      const [name = ''] = cookieOf(await signIn(ana.username, TEST_PASSWORD)).split('=')
      const cookie = sent.replace('NAME', name)
      expect(await signIn(ana.username, TEST_PASSWORD, { cookie })).toAnswer(200)
    },
  )

  it('holds its token where no script and no other site reads it', async () => {
    const ana = await accounts.member()
    const secure = await startedWith(server, { publicUrl: 'https://office.example' })
    const payload = { email: ana.username, password: TEST_PASSWORD }
    const answer = await secure.call({ method: 'POST', url: '/api/auth/token/', payload })
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-aval-device-[\da-f]{12}=[\w-]{43}; Max-Age=15552000; HttpOnly; SameSite=Strict; Path=\/; Secure$/,
    )
    expect(Object.keys(answer.json())).toEqual(['access', 'refresh'])
    await secure.close()
  })
})

describe('a proof of work', () => {
  /** An account under attack, and what it asks for. */
  async function asked() {
    const ana = await accounts.member()
    await attack(ana.username, 20)
    return { ana, request: (await signIn(ana.username, WRONG)).json().proof as ProofRequest }
  }

  it('is good once, also of two at once', async () => {
    const { ana, request } = await asked()
    const proof = solve(request)
    const both = await Promise.all([1, 2].map(() => signIn(ana.username, WRONG, { proof })))
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([401, 429])
    expect(await signIn(ana.username, TEST_PASSWORD, { proof })).toAnswer(429)
  })

  it('is one account’s, untouched, whole, and solved', async () => {
    const { ana, request } = await asked()
    const { ana: bea } = await asked()
    const proof = solve(request)
    const easier = request.challenge.replace(`.${request.bits}.`, '.1.')
    const wrong = [
      { ...proof, solution: proof.solution.map((number) => number + 1) },
      { ...proof, solution: proof.solution.slice(1) },
      solve({ ...request, challenge: easier, bits: 1 }),
      { challenge: 'x', solution: [1] },
    ]
    for (const each of wrong) expect(await signIn(ana.username, TEST_PASSWORD, { proof: each })).toAnswer(429)
    expect(await signIn(bea.username, TEST_PASSWORD, { proof })).toAnswer(429)
    expect(await signIn(ana.username, TEST_PASSWORD, { proof })).toAnswer(200)
  })

  it('that has not its shape is refused as input', async () => {
    for (const proof of [
      {},
      { challenge: 'x' },
      { challenge: 'x', solution: ['1'] },
      { challenge: 'x', solution: [-1] },
    ])
      expect(await signIn('anybody', WRONG, { proof })).toAnswer(400)
  })

  it('grows with the attack, and is capped', async () => {
    const { ana, request } = await asked()
    await query(db)`UPDATE guess_level SET level = level * 1000`
    const harder: ProofRequest = (await signIn(ana.username, WRONG)).json().proof
    expect([request.bits, harder.bits]).toEqual([12, 14])
  })
})

it('levels are purged after three hours, with the rights of the worker alone', async () => {
  await attack('somebody-else', 1)
  const { worker } = server
  await purgeLevels(worker.db, new Date(Date.now() + 2.9 * 3_600_000))
  expect(await countOf(db)`guess_level`).toBeGreaterThan(0)
  await purgeLevels(worker.db, new Date(Date.now() + 3.1 * 3_600_000))
  expect(await countOf(db)`guess_level`).toBe(0)
  await purgeExpired(worker.db, new Date())
})
