import { type Problem, planVersion } from '@aval/contract'
import type { Tx } from '@aval/db'
import { ratioToPercentText } from '@aval/money'
import { addDays, companyDayStart, type Day, DEFAULT_PLAN, dailyRate, dayStart } from '@aval/plan'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { query, queryValue } from '../../core/query.sql.ts'
import { storePlan } from '../../testing/deciding.ts'
import { createMoneyFixture } from '../../testing/money-fixture.ts'
import { type Client, operatorClient, PROBLEM } from '../../testing/server.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { tamperWith } from '../../testing/tampering.ts'
import { planAt, planOfDay, plansOf } from './plan-versions.queries.ts'

// Two in the morning of the 4th in UTC, still the 3rd in Bogotá.
const money = await soundSuiteFixture(createMoneyFixture, '2026-05-04T02:00:00Z')
const { db } = money

const operator = await operatorClient(money.server, { username: 'olga' })

const get = (path: string) => operator.get(`operator/${path}`)
const plans = async () => z.array(planVersion).parse((await get('plans/')).json())
const propose = (document: unknown, starts_on: unknown = '2026-05-04', who = operator, more = {}) =>
  who.decide('operator/plans/', { starts_on, document }, more)

/** The one plan that is proposed, as if operators had approved it. */
const approve = async () => {
  await money.signProposed(
    await queryValue<string>(money.owner)`SELECT subject FROM decision WHERE state = 'open'`,
  )
}

describe('the plan', () => {
  it('is listed with every setting it takes for granted, as its author wrote the others', async () => {
    const bare = {
      timeZone: DEFAULT_PLAN.timeZone,
      investment: { ...DEFAULT_PLAN.investment, firstMinimum: '750.5' },
      passive: { percentPerPeriod: '9.50', periodDays: 30 },
      direct: { levels: ['5', '2'], masterPercent: '1' },
    }
    expect((await propose(bare, '2026-05-20')).json()).toEqual({
      message: 'Proposed. The plan starts on May 20, 2026 once operators approve it on the approvals page.',
    })
    expect((await plans()).length).toBe(1)
    await approve()
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
        withdrawals: {
          minimum: '20.00',
          fee: '1.00',
          dailyLimit: '5000.00',
          approvals: [
            { from: '0.00', operators: 1 },
            { from: '1000.00', operators: 2 },
          ],
        },
      },
    })
    expect(first).toEqual({
      version: 1,
      starts_at: '1970-01-01T00:00:00.000Z',
      current: true,
      document: DEFAULT_PLAN,
    })
  })

  it('is replaced from the first instant of a day on, in its own calendar', async () => {
    const change = new Date('2026-05-20T05:00:00Z')
    expect((await planAt(db, new Date(change.getTime() - 1))).version).toBe(1)
    expect((await planAt(db, change)).plan.passive.percentPerPeriod).toBe('9.50')
    await operator.decide('operator/rates/', { day: '2026-05-20', percentage: '0.3', reason: 'A slow day.' })
    expect((await get('rates/')).json().results).toMatchObject([{ day: '2026-05-20', target: '0.316666' }])
  })

  it('is replaced tomorrow at the earliest, by business time', async () => {
    for (const day of ['2026-05-03', '2026-05-02', '0000-01-01']) {
      expect(await propose(DEFAULT_PLAN, day)).toAnswer(422, 'A new plan starts tomorrow at the earliest.')
    }
    for (const day of ['2026-02-30', 'tomorrow', '', 5, null]) {
      expect(await propose(DEFAULT_PLAN, day)).toAnswer(400, 'The dates are not valid.')
    }
    // In UTC it is the 4th already.
    expect(await propose(DEFAULT_PLAN, '2026-05-04')).toAnswer(200)
    expect((await plans()).length).toBe(2)
    await approve()
    expect((await plans()).length).toBe(3)
  })

  it('is proposed once for a day, by the first of operators who propose at once', async () => {
    const before = (await plans()).length
    const operators: Client[] = []
    for (let each = 0; each < 6; each += 1) operators.push(await operatorClient(money.server))
    const answers = await Promise.all(operators.map((who) => propose(DEFAULT_PLAN, '2026-05-25', who)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(5).fill(409)])
    await approve()
    const keyed = () => propose(DEFAULT_PLAN, '2026-05-26', operator, { 'idempotency-key': 'plan-1' })
    const first = (await keyed()).json()
    expect((await keyed()).json()).toEqual(first)
    await approve()
    expect((await plans()).map(({ version }) => version).slice(0, 2)).toEqual([before + 2, before + 1])
  })

  it('is not forgotten or mixed up, however many versions were read since', async () => {
    for (let version = 1000; version < 1100; version += 1) {
      const passive = { percentPerPeriod: '1', periodDays: version - 900 }
      await storePlan(money.owner, version, new Date('2100-01-01'), { ...DEFAULT_PLAN, passive })
    }
    for (const round of [await plans(), await plans()])
      expect(round.filter(({ version }) => version >= 1000)).toHaveLength(100)
    const [last] = await plans()
    expect(last).toMatchObject({ version: 1099, document: { passive: { periodDays: 199 } } })
    expect((await planAt(db, money.now)).plan.passive.periodDays).toBe(30)
  })
})

describe('a day of the company', () => {
  const owner = tamperWith(money.server.database.ownerUrl)
  /** Havana and the Azores put their clocks back from one to midnight, on 5 November 2028 and 29 October. */
  const FIRST_DAYS = ['2028-10-27', '2028-11-02'] as Day[]
  const ZONES = ['America/Havana', 'Atlantic/Azores', 'Asia/Tokyo', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']
  const plan = fc.record({
    inDays: fc.integer({ min: 1, max: 4 }),
    timeZone: fc.constantFrom(...ZONES),
    percentPerPeriod: fc.constantFrom('9', '10', '12'),
  })
  const history = fc.record({
    first: fc.constantFrom(...FIRST_DAYS),
    given: fc.array(plan, { minLength: 1, maxLength: 4 }),
  })

  const given = { inDays: 3, timeZone: 'America/Havana', percentPerPeriod: '10' }
  const midnightTwice = { first: '2028-11-02' as Day, given: [given, { ...given, percentPerPeriod: '9' }] }
  const acrossTheDateLine = {
    first: '2028-11-02' as Day,
    given: [
      { ...given, timeZone: 'Pacific/Pago_Pago' },
      { ...given, timeZone: 'Pacific/Kiritimati', percentPerPeriod: '12' },
    ],
  }

  /** The first in force since ever, the others from a midnight of the zone before. */
  async function storePlans(
    tx: Tx,
    { first, given }: typeof history extends fc.Arbitrary<infer T> ? T : never,
  ) {
    let [day, startsAt] = [first, new Date(0)]
    for (const [index, { inDays, timeZone, percentPerPeriod }] of given.entries()) {
      const passive = { ...DEFAULT_PLAN.passive, percentPerPeriod }
      await storePlan(tx, index + 1, startsAt, { ...DEFAULT_PLAN, timeZone, passive })
      day = addDays(day, inDays)
      startsAt = dayStart(day, timeZone)
    }
  }

  it('begins for the database when it does for the rules: a plan starts then, and a rate is measured by it', async () => {
    const by = money.server.rootId
    await fc.assert(
      fc.asyncProperty(history, (lived) =>
        owner.after('DELETE FROM plan_version', async (tx) => {
          await storePlans(tx, lived)
          const plans = await plansOf(tx)
          for (let days = 0; days < 14; days += 1) {
            const day = addDays(lived.first, days)
            const id = await queryValue<bigint>(tx)`
              SELECT propose_decision('plan', ${JSON.stringify({ starts_on: day })}, '{}', ${by}, ${money.now})`
            const starts = queryValue<string>(
              tx,
            )`SELECT statement->>'starts_at' FROM decision WHERE id = ${id}`
            expect([day, new Date(await starts)]).toEqual([day, companyDayStart(day, plans)])
            // A higher one is refused, and a lower one needs a reason.
            const own = ratioToPercentText(dailyRate((await planOfDay(tx, day)).plan), 6)
            await query(tx)`SELECT declare_rate(${day}, ${own}, null, ${by}, ${money.now})`
          }
        }),
      ),
      { numRuns: 20, endOnFailure: true, examples: [[midnightTwice], [acrossTheDateLine]] },
    )
  })
})

const problemOf = async (document: unknown, language: string): Promise<Problem> => {
  const answer = await propose(document, '2026-06-01', operator, { ...PROBLEM, 'accept-language': language })
  expect(answer).toAnswer(422)
  return answer.json()
}

describe('a plan that cannot be', () => {
  const impossible = {
    ...DEFAULT_PLAN,
    direct: { levels: ['60', '41'], masterPercent: '1' },
    guards: { changePercent: '50', changeFrom: '1000', memberMost: '100000', runMost: '10' },
  }

  it('is refused with what it contradicts itself in, in the language of its author', async () => {
    expect(await propose(impossible, '2026-06-01')).toAnswer(
      422,
      'The plan cannot be applied. The levels pay out more than 100% of what is invested. Levels, master code and binary together promise more than what is invested: no pool could back it. A run may pay less in all than to one member.',
    )
    const spanish = await propose(impossible, '2026-06-01', operator, { 'accept-language': 'es' })
    expect(spanish.json()).toMatch(
      /^El plan no se puede aplicar\. Los niveles pagan más del 100 % de lo invertido\. /,
    )
    expect((await plans())[0]?.version).toBe(1099)
  })

  it('is listed field by field on request', async () => {
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
        detail: 'Una ejecución puede pagar en total menos que a un solo miembro.',
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
    for (const document of [null, [], 'plan', 5, undefined]) expect(await propose(document)).toAnswer(400)
  })

  it('is refused in few words, however large or deep it is', async () => {
    const wide = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`field${index}`, index]))
    const many = { ...DEFAULT_PLAN, direct: { levels: Array(9000).fill('x'), masterPercent: '1' } }
    for (const document of [wide, many]) {
      const { errors = [], detail } = await problemOf(document, 'en')
      expect(errors.length).toBeLessThanOrEqual(20)
      expect(detail.length).toBeLessThan(1000)
    }
    expect(await propose({ ...DEFAULT_PLAN, timeZone: 'x'.repeat(70_000) })).toAnswer(413)
    const json = { 'content-type': 'application/json' }
    const deep = `{"starts_on":"2026-06-01","document":${'{"a":'.repeat(5000)}1${'}'.repeat(5001)}`
    expect(await operator.post('operator/plans/', deep, json)).toAnswer(400)
    const named = await problemOf({ ...DEFAULT_PLAN, ['x'.repeat(30_000)]: 1 }, 'en')
    expect(named.detail.length).toBeLessThan(300)
  })
})
