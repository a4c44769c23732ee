import { declaredRate, type Problem, pageOf, planVersion } from '@aval/contract'
import { DEFAULT_PLAN } from '@aval/plan'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { z } from 'zod'
import { join } from '../../http/testing.ts'
import { createMoneyHouse, type MoneyHouse } from '../../testing/money-house.ts'
import { runDue } from '../payouts/payouts.commands.ts'
import { planAt, storePlan } from '../plans/plan-versions.commands.ts'

type Headers = Record<string, string>

let house: MoneyHouse
let operator: Headers
let member: Headers

beforeAll(async () => {
  // Two in the morning of the 4th in UTC, still the 3rd in Bogotá.
  house = await createMoneyHouse(inject('ownerUrl'), '2026-05-04T02:00:00Z')
  const memberId = await house.member()
  member = await house.bearer(memberId)
  operator = await house.bearer(await join(house.server, { username: 'olga', isOperator: true }))
  await house.invest(memberId, '1000')
})
afterAll(async () => {
  expect(await house.faults()).toEqual([])
  await house.close()
})

const db = () => house.server.context.db
const get = (path: string, headers = operator) => house.server.call({ url: `/api/operator/${path}`, headers })
const post = (path: string, payload: object | string, headers: Headers = operator) =>
  house.server.call({
    method: 'POST',
    url: `/api/operator/${path}`,
    headers: { 'accept-language': 'en', 'content-type': 'application/json', ...headers },
    payload,
  })
const declare = (day: string, percentage: string | number, headers: Headers = operator) =>
  post('rates/', { day, percentage }, headers)
const rates = async () => pageOf(declaredRate).parse((await get('rates/')).json())
const plans = async () => z.array(planVersion).parse((await get('plans/')).json())
const propose = (document: unknown, starts_on = '2026-05-04', headers: Headers = operator) =>
  post('plans/', { starts_on, document }, headers)

describe('the rate of a day', () => {
  it('is declared, and told back as it counts', async () => {
    expect((await declare('2026-05-04', '0.250')).json()).toEqual({
      message: 'The percentage of May 4, 2026 is now 0.25%.',
    })
    const spanish = await declare('2026-05-06', 0, { ...operator, 'accept-language': 'es' })
    expect(spanish.json()).toEqual({ message: 'El porcentaje del 6 de mayo de 2026 ahora es 0 %.' })
  })

  it('is what was said last, newest day first, beside what the plan pays', async () => {
    await declare('2026-05-04', '0.1')
    expect((await rates()).results).toEqual([
      {
        day: '2026-05-06',
        percentage: '0',
        target: '0.333333',
        declared_by: 'olga',
        declared_at: house.now.toISOString(),
      },
      expect.objectContaining({ day: '2026-05-04', percentage: '0.1', target: '0.333333' }),
    ])
    expect(await rates()).toMatchObject({ count: 2, total_pages: 1 })
    expect((await get('rates/?page_size=1&page=2')).json().results).toMatchObject([{ day: '2026-05-04' }])
    expect((await get('rates/?page=2')).statusCode).toBe(404)
  })

  it('is what the day’s run then pays, and not to be changed once that is released', async () => {
    await house.fund('profit', '1000')
    house.now = new Date('2026-05-05T02:00:00Z')
    await runDue(db(), house.now)
    const { results } = (await get('runs/')).json()
    expect(results).toContainEqual(
      expect.objectContaining({ kind: 'passive', period: '2026-05-04', rate: '0.1', total: '1.00' }),
    )
    const late = await declare('2026-05-04', '0.2')
    expect([late.statusCode, late.json()]).toEqual([409, 'That day has been paid already.'])
  })

  it('of a past day without a run counts as paid', async () => {
    expect((await declare('2026-05-01', '0.1')).statusCode).toBe(409)
    expect((await declare('1970-01-02', '0.1')).statusCode).toBe(409)
  })

  it('is never above the plan’s own', async () => {
    const high = await declare('2026-05-07', '0.333334')
    expect([high.statusCode, high.json()]).toEqual([
      422,
      'A day can pay at most what the plan says: 0.333333%.',
    ])
    expect((await declare('2026-05-07', '0.333333')).statusCode).toBe(200)
  })

  it.each([
    ['2027-05-06', 400],
    ['9999-12-31', 400],
    ['0000-01-01', 400],
    ['1969-12-31', 400],
    ['2026-02-30', 400],
    ['2026-5-3', 400],
    ['tomorrow', 400],
    ['', 400],
    ['2027-05-05', 200],
  ])('on %s is answered %i', async (day, status) => {
    const answer = await declare(day, '0.1')
    expect([answer.statusCode, status === 200 || answer.json()]).toEqual([
      status,
      status === 200 || 'The dates are not valid.',
    ])
  })

  it.each(['-0.1', '1e-3', '0.1234567', '1000', '00.1', ' 0.1', '٠', 'x', '', '0,1'])(
    'is no percentage written %j',
    async (percentage) => {
      const answer = await declare('2026-05-07', percentage)
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        expect.stringMatching(/^The percentage|^Please/),
      ])
    },
  )

  it('is declared by operators alone, once a key', async () => {
    expect((await declare('2026-05-08', '0.1', member)).statusCode).toBe(403)
    expect((await get('rates/', member)).statusCode).toBe(403)
    const keyed = { ...operator, 'idempotency-key': 'rate-1' }
    await Promise.all([declare('2026-05-08', '0.1', keyed), declare('2026-05-08', '0.1', keyed)])
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM declared_rate WHERE day = '2026-05-08'`.execute(db())
    expect(rows[0]?.count).toBe(1)
    expect((await declare('2026-05-08', '0.2', keyed)).statusCode).toBe(409)
  })
})

describe('the plan', () => {
  it('is listed with every setting it takes for granted, as its author wrote the others', async () => {
    const bare = {
      timeZone: DEFAULT_PLAN.timeZone,
      investment: { ...DEFAULT_PLAN.investment, firstMinimum: '750.5' },
      passive: { percentPerPeriod: '9.50', periodDays: 30 },
      direct: { levels: ['5', '2'], masterPercent: '1' },
    }
    expect((await propose(bare, '2026-05-20')).json()).toEqual({
      message: 'Plan version 2 starts on May 20, 2026.',
    })
    const [newest, first] = await plans()
    expect(newest).toEqual({
      version: 2,
      starts_at: '2026-05-20T05:00:00.000Z',
      current: false,
      document: {
        ...bare,
        passive: { percentPerPeriod: '9.50', periodDays: 30, weekdaysOnly: false, capMultiple: null },
        direct: { levels: ['5', '2'], masterPercent: '1', compression: false },
        binary: { percent: '10', dailyCap: '1000.00' },
        guards: {
          changePercent: '50',
          changeFrom: '1000.00',
          memberMost: '100000.00',
          runMost: '100000000.00',
        },
      },
    })
    expect(first).toEqual({
      version: 1,
      starts_at: '1970-01-01T00:00:00.000Z',
      current: true,
      document: DEFAULT_PLAN,
    })
    expect((await get('plans/', member)).statusCode).toBe(403)
  })

  it('is replaced from the first instant of a day on, in its own calendar', async () => {
    const change = new Date('2026-05-20T05:00:00Z')
    expect((await planAt(db(), new Date(change.getTime() - 1))).version).toBe(1)
    expect((await planAt(db(), change)).plan.passive.percentPerPeriod).toBe('9.50')
    const target = (await declare('2026-05-20', '0.3')).statusCode
    expect([target, (await rates()).results.find(({ day }) => day === '2026-05-20')?.target]).toEqual([
      200,
      '0.316666',
    ])
  })

  it('is replaced tomorrow at the earliest, by business time', async () => {
    for (const day of ['2026-05-04', '2026-05-03', '0000-01-01']) {
      const soon = await propose(DEFAULT_PLAN, day)
      expect([soon.statusCode, soon.json()]).toEqual([422, 'A new plan starts tomorrow at the earliest.'])
    }
    for (const day of ['2026-02-30', 'tomorrow', '', 5, null]) {
      const none = await post('plans/', { starts_on: day, document: DEFAULT_PLAN })
      expect([none.statusCode, none.json()]).toEqual([400, 'The dates are not valid.'])
    }
    expect((await plans()).length).toBe(2)
    expect((await propose(DEFAULT_PLAN, '2026-05-05')).statusCode).toBe(200)
  })

  it('gets as many versions as operators store at once, each its own number', async () => {
    const before = (await plans()).length
    const answers = await Promise.all(Array.from({ length: 6 }, () => propose(DEFAULT_PLAN, '2026-05-25')))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200))
    expect((await plans()).map(({ version }) => version).slice(0, 6)).toEqual(
      Array.from({ length: 6 }, (_, index) => before + 6 - index),
    )
    const keyed = { ...operator, 'idempotency-key': 'plan-1' }
    const [one, again] = [
      await propose(DEFAULT_PLAN, '2026-05-26', keyed),
      await propose(DEFAULT_PLAN, '2026-05-26', keyed),
    ]
    expect(again.json()).toEqual(one.json())
    expect((await plans()).length).toBe(before + 7)
  })

  it('is not forgotten or mixed up, however many versions were read since', async () => {
    for (let version = 1000; version < 1100; version += 1) {
      const passive = { percentPerPeriod: '1', periodDays: version - 900 }
      await storePlan(db(), version, new Date('2100-01-01'), { ...DEFAULT_PLAN, passive })
    }
    for (const round of [await plans(), await plans()])
      expect(round.filter(({ version }) => version >= 1000)).toHaveLength(100)
    const [last] = await plans()
    expect(last).toMatchObject({ version: 1099, document: { passive: { periodDays: 199 } } })
    expect((await planAt(db(), house.now)).plan.passive.periodDays).toBe(30)
  })
})

const problemOf = async (document: unknown, language: string): Promise<Problem> => {
  const answer = await propose(document, '2026-06-01', {
    ...operator,
    accept: 'application/problem+json',
    'accept-language': language,
  })
  expect(answer.statusCode).toBe(422)
  return answer.json()
}

describe('a plan that cannot be', () => {
  const impossible = {
    ...DEFAULT_PLAN,
    direct: { levels: ['60', '41'], masterPercent: '1' },
    guards: { changePercent: '50', changeFrom: '1000', memberMost: '100000', runMost: '10' },
  }

  it('is refused with what it contradicts itself in, in the language of its author', async () => {
    const english = await propose(impossible, '2026-06-01')
    expect([english.statusCode, english.json()]).toEqual([
      422,
      'The plan cannot be applied. The levels pay out more than 100% of what is invested. Levels, master code and binary together promise more than what is invested: no pool could back it. A run may pay less in all than to one member.',
    ])
    const spanish = await propose(impossible, '2026-06-01', { ...operator, 'accept-language': 'es' })
    expect(spanish.json()).toMatch(
      /^El plan no se puede aplicar\. Los niveles pagan más del 100 % de lo invertido\. /,
    )
    expect((await plans())[0]?.version).toBe(1099)
  })

  it('is told field by field to who asks for that', async () => {
    const problem = await problemOf(impossible, 'es')
    expect(problem.code).toBe('plan_refused')
    expect(problem.errors).toEqual([
      {
        path: 'document.direct.levels',
        code: 'plan_levels_above_hundred',
        detail: 'Los niveles pagan más del 100 % de lo invertido.',
      },
      expect.objectContaining({ path: 'document.direct.masterPercent' }),
      {
        path: 'document.guards.runMost',
        code: 'plan_run_below_member',
        detail: 'Una corrida puede pagar en total menos que a un solo asociado.',
      },
    ])
  })

  it.each<[string, unknown, string[]]>([
    ['a time zone that is none', { ...DEFAULT_PLAN, timeZone: 'America/Macondo' }, ['timeZone']],
    ['nothing in it', {}, ['timeZone', 'investment', 'passive', 'direct']],
    ['fields that mean nothing', { ...DEFAULT_PLAN, bonus: 5, bonus2: 6 }, ['bonus', 'bonus2']],
    [
      'percentages that are none',
      { ...DEFAULT_PLAN, direct: { levels: ['5%', '1e3', '-1'], masterPercent: 1 } },
      ['direct.levels.0', 'direct.levels.1', 'direct.levels.2', 'direct.masterPercent'],
    ],
    [
      'amounts that are none',
      { ...DEFAULT_PLAN, binary: { percent: '10', dailyCap: '1e9' } },
      ['binary.dailyCap'],
    ],
    [
      'numbers beyond measure',
      { ...DEFAULT_PLAN, passive: { percentPerPeriod: '10', periodDays: 1e308 } },
      ['passive.periodDays'],
    ],
    ['a NUL character', { ...DEFAULT_PLAN, timeZone: 'UTC\u0000' }, ['timeZone']],
  ])('for %s is refused by the field', async (_what, document, paths) => {
    const problem = await problemOf(document, 'en')
    expect(problem.errors?.map(({ path }) => path)).toEqual(paths.map((path) => `document.${path}`))
    expect(problem.errors?.[0]).toMatchObject({
      code: 'plan_field_invalid',
      detail: `The field ${paths[0]} is not valid.`,
    })
    expect(problem.detail).toContain(`The plan cannot be applied. The field ${paths[0]} is not valid.`)
  })

  it('is no object at all is refused as input', async () => {
    for (const document of [null, [], 'plan', 5, undefined])
      expect((await propose(document)).statusCode).toBe(400)
  })

  it('is refused quickly, however large or deep it is', async () => {
    const begun = performance.now()
    const wide = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`field${index}`, index]))
    const many = { ...DEFAULT_PLAN, direct: { levels: Array(9000).fill('x'), masterPercent: '1' } }
    for (const document of [wide, many]) {
      const { errors = [], detail } = await problemOf(document, 'en')
      expect(errors.length).toBeLessThanOrEqual(20)
      expect(detail.length).toBeLessThan(1000)
    }
    expect((await propose({ ...DEFAULT_PLAN, timeZone: 'x'.repeat(70_000) })).statusCode).toBe(413)
    const deep = `{"starts_on":"2026-06-01","document":${'{"a":'.repeat(5000)}1${'}'.repeat(5001)}`
    expect((await post('plans/', deep)).statusCode).toBe(400)
    const named = await problemOf({ ...DEFAULT_PLAN, ['x'.repeat(30_000)]: 1 }, 'en')
    expect(named.detail.length).toBeLessThan(300)
    expect(performance.now() - begun).toBeLessThan(2000)
  })

  it('is stored by operators alone', async () => {
    expect((await propose(DEFAULT_PLAN, '2026-06-01', member)).statusCode).toBe(403)
    expect((await plans())[0]?.version).toBe(1099)
  })
})
