import { randomUUID } from 'node:crypto'
import { amountInput } from '@aval/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { countOf, query } from '../core/query.sql.ts'
import { Refusal } from '../core/refusal.ts'
import { createTestServer } from '../testing/server.ts'
import { suiteFixture } from '../testing/suite.ts'
import type { FeatureRoutes } from './api.ts'
import { idempotently, purgeResponses } from './idempotency.ts'

/** How often the work was begun; what it stored is counted in the database. */
let begun = 0
let refuse = false

const paying: FeatureRoutes = (api, context) => {
  const body = z.object({ amount: amountInput, note: z.string().optional() })
  for (const path of ['/pay/', '/pay-other/'])
    api.post(path, { config: { access: 'public' }, schema: { body } }, async (request, reply) => {
      const answer = await idempotently(context, request, 7n, async (tx) => {
        begun += 1
        await query(tx)`INSERT INTO spent_captcha VALUES (${randomUUID()}, now())`
        await query(tx)`SELECT pg_sleep(0.05)`
        if (refuse) throw new Refusal('balance_too_small', { available: request.body.amount })
        return { status: 201, body: { nth: begun } }
      })
      return reply.code(answer.status).send(answer.body)
    })
}

const server = await suiteFixture(createTestServer, [paying])
beforeEach(async () => {
  begun = 0
  refuse = false
  await query(server.context.db)`DELETE FROM spent_captcha`
})

const stored = () => countOf(server.context.db)`spent_captcha`

const pay = (payload: object, key?: string, url = '/api/pay/') =>
  server.call({
    method: 'POST',
    url,
    payload,
    headers: { accept: 'application/problem+json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
  })

describe('a call under an Idempotency-Key', () => {
  it('is done once, and its first answer replayed, slash or not, in whatever order or form its fields come', async () => {
    const first = await pay({ amount: '50', note: 'a' }, 'once')
    expect(first).toAnswer(201)
    expect(await pay({ note: 'a', amount: 50 }, 'once', '/api/pay')).toAnswer(201, first.json())
    expect(begun).toBe(1)
  })

  it('is refused with another body, and with another call', async () => {
    await pay({ amount: '50' }, 'other')
    for (const answer of [
      await pay({ amount: '51' }, 'other'),
      await pay({ amount: '50', note: '' }, 'other'),
      await pay({ amount: '50' }, 'other', '/api/pay-other/'),
    ]) {
      expect(answer).toRefuse(409, 'idempotency_key_reused')
    }
    expect(begun).toBe(1)
  })

  it('sent eight times at once is done by one, and all get its answer', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => pay({ amount: '5' }, 'at-once')))
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    expect(begun).toBe(1)
  })

  it('that is refused stores nothing, and may be tried again', async () => {
    refuse = true
    expect(await pay({ amount: '5' }, 'refused')).toAnswer(422)
    refuse = false
    expect(await pay({ amount: '5' }, 'refused')).toAnswer(201)
    expect(begun).toBe(2)
    expect(await stored()).toBe(1)
  })

  it.each(['a b', 'ñ', 'x'.repeat(201)])('whose key is %j is refused', async (key) => {
    const answer = await pay({ amount: '5' }, key)
    expect(answer).toRefuse(400, 'idempotency_key_invalid')
  })
})

describe('a call without a key', () => {
  it('is done each time', async () => {
    await pay({ amount: '5' })
    await pay({ amount: '5' })
    expect(await stored()).toBe(2)
  })
})

describe('an answer', () => {
  const DAY_MS = 86_400_000
  /** As if the answer under this key had been given that long ago. */
  async function age(key: string, days: number): Promise<void> {
    await query(server.owner.db)`
      UPDATE idempotency_response SET at = now() - make_interval(days => ${days}) WHERE key = ${key}`
  }
  const forget = (now = new Date()) => purgeResponses(server.context.db, now)

  it('is replayed for seven days, and then forgotten', async () => {
    for (const [key, days] of [
      ['week-old', 6],
      ['long-gone', 8],
    ] as const) {
      await pay({ amount: '5' }, key)
      await age(key, days)
    }
    expect(await forget()).toBe(1)
    expect((await pay({ amount: '5' }, 'week-old')).json()).toEqual({ nth: 1 })
    expect((await pay({ amount: '5' }, 'long-gone')).json()).toEqual({ nth: 3 })
  })

  it('is not forgotten early by a clock that runs ahead, nor by the server’s own hand', async () => {
    await pay({ amount: '5' }, 'young')
    expect(await forget(new Date(Date.now() + 365 * DAY_MS))).toBe(0)
    await expect(server.context.db.deleteFrom('idempotency_response').execute()).rejects.toThrow(
      'permission denied',
    )
  })
})
