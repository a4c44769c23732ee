/** Every call that a member can make, over a network of four levels: whose e-mail and phone the answers hold. */
import { DEFAULT_PLAN } from '@aval/plan'
import { describe, expect, it } from 'vitest'
import { storePlan } from '../testing/deciding.ts'
import { callsIn, describeApi } from '../testing/described-api.ts'
import { createMoneyFixture } from '../testing/money-fixture.ts'
import { type Client, join, signedIn } from '../testing/server.ts'
import { soundSuiteFixture } from '../testing/suite.ts'

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const { server } = money

/** Named after a level; its e-mail and phone occur nowhere else. */
async function person(name: string, number: number, sponsorId: bigint) {
  const contact = { email: `${name}.${number}@${name}-mail.com`, phoneNumber: `+5841400000${number}` }
  const id = await join(server, { username: name, ...contact }, sponsorId, money.now)
  return { id, contacts: [contact.email, contact.phoneNumber] }
}

const top = await person('top', 10, server.rootId)
const first = await person('first', 11, top.id)
// One on each leg of `top`, so that there are matches.
const other = await person('other', 12, top.id)
const second = await person('second', 21, first.id)
const third = await person('third', 31, second.id)
const fourth = await person('fourth', 41, third.id)
const all = [top, first, other, second, third, fourth]
await money.fund('commission', '5000')
await money.fund('profit', '5000')
// The inactive are skipped: what `second` invests before `first` does is a first level to `top`, who did not introduce them.
const compressed = { ...DEFAULT_PLAN, direct: { ...DEFAULT_PLAN.direct, compression: true } }
await storePlan(money.owner, 2, money.now, compressed)
for (const { id } of [top, other, second, third, fourth]) await money.invest(id, '1000')
await money.invest(first.id, '1000')
await money.payDay()

/** The server's own description, so that a new call is asked from its first day. */
const calls = callsIn(await describeApi()).filter(
  ({ path, operation }) =>
    operation.security.length > 0 &&
    !path.startsWith('/api/operator/') &&
    operation.responses[200]?.content?.['text/event-stream'] === undefined,
)

/** Everything that a call could name: members, payments, and what the lists call `id`. */
function namesIn(answers: readonly string[]): string[] {
  const ids = answers.flatMap((text) => [...text.matchAll(/"id":"?([\w-]+)/g)].map(([, id = '']) => id))
  return [...new Set([...ids, ...all.flatMap(({ id }) => [`${id}`, `O-${id}`]), '2026', 'first', 'fourth'])]
}

const SEARCHES = ['', '?q=fourth', '?page_size=100', '?id=O-', '?type=unilevel', '?tree=unilevel&depth=9']

/** What a member is answered by every call: first those that only read, so that none of the others ends the session. */
async function answersTo(client: Client): Promise<{ call: string; text: string }[]> {
  const answers: { call: string; text: string }[] = []
  const reads = calls.filter(({ method }) => method === 'GET')
  const get = async (path: string) => {
    const { body } = await client.get(path.replace('/api/', ''))
    answers.push({ call: `GET ${path}`, text: body })
  }
  for (const { path } of reads.filter(({ path }) => !path.includes('{')))
    for (const search of SEARCHES) await get(`${path}${search}`)
  const names = namesIn(answers.map(({ text }) => text))
  for (const { path } of reads.filter(({ path }) => path.includes('{')))
    for (const name of names) await get(path.replaceAll(/\{\w+\}/g, name))
  for (const { method, path } of calls.filter(({ method }) => method !== 'GET')) {
    const payload = { password: 'secret-password', current_password: 'secret-password' }
    const headers = { ...client.headers, 'accept-language': 'en' }
    const url = path.replaceAll(/\{\w+\}/g, String(first.id))
    const { body } = await server.call({ method, url, headers, payload })
    answers.push({ call: `${method} ${path}`, text: body })
  }
  return answers
}

const answers = await answersTo(await signedIn(server, top.id))
const holding = (contact: string) =>
  answers.filter(({ text }) => text.includes(contact)).map(({ call }) => call)

describe('what a member is answered', () => {
  it('comes from every call that is described, and holds what the member may see', () => {
    expect(answers.filter(({ text }) => text.includes('fourth')).length).toBeGreaterThan(5)
    for (const contact of first.contacts) expect(holding(contact)).not.toEqual([])
    expect(holding('s•••@s•••.com').join()).toMatch(
      /payments\/direct-payments.*payments\/binary-points-payments/,
    )
  })

  it('names a first level that somebody else introduced without the e-mail', () => {
    const payments = answers.find(({ call }) => call === 'GET /api/payments/direct-payments/')?.text ?? ''
    expect(payments).toMatch(
      /"user_username":"second","user_email":"s•••@s•••\.com","investment_amount":"1000\.00","level":1/,
    )
  })

  it.each([
    ['second', second],
    ['third', third],
    ['fourth', fourth],
  ])('holds no whole e-mail and no phone of the %s level', (_level, { contacts }) => {
    for (const contact of contacts) expect(holding(contact)).toEqual([])
  })

  it('holds the e-mail of direct referrals in the lists of payments and points', () => {
    const [email = ''] = other.contacts
    expect(holding(email).join()).toMatch(/payments\/direct-payments/)
    expect(holding(email).join()).toMatch(/payments\/binary-points-payments/)
  })
})

describe('what a referral is answered', () => {
  it('holds neither e-mail nor phone of anybody above or beside', async () => {
    const below = await answersTo(await signedIn(server, second.id))
    for (const contact of [top, first, other, fourth].flatMap(({ contacts }) => contacts))
      expect(below.filter(({ text }) => text.includes(contact)).map(({ call }) => call)).toEqual([])
  })
})
