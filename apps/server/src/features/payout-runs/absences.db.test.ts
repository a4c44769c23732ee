/** What is paid does not depend on when a process was up: two houses live through the same days, one of them mostly asleep. */
import { addDays, type Day, DEFAULT_PLAN, dayStart } from '@aval/plan'
import fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { runDue } from '../../testing/audited.ts'
import { storePlan } from '../../testing/deciding.ts'
import { createMoneyFixture, type MoneyFixture } from '../../testing/money-fixture.ts'
import { declareRate } from './rates/rates.commands.ts'

const HOUR_MS = 3_600_000
const HOURS = 9 * 24
const ZONES = [
  'America/Havana',
  'Asia/Tokyo',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'America/Bogota',
]
/** Of 2028 those in which Havana's clocks change at midnight; and the day that Apia did not have. */
const FIRST_DAYS = ['2011-12-25', '2028-03-10', '2028-11-02', '2026-05-03'] as Day[]

const zone = fc.constantFrom(...ZONES)
const hour = fc.integer({ min: 30, max: HOURS - 30 })
const history = fc.record({
  first: fc.constantFrom(...FIRST_DAYS),
  zone,
  plans: fc.array(
    fc.record({
      inDays: fc.integer({ min: 1, max: 3 }),
      zone,
      percent: fc.constantFrom('10', '7.5'),
      weekdaysOnly: fc.boolean(),
      capMultiple: fc.constantFrom(null, '0.012'),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  invested: fc.array(fc.tuple(hour, fc.constantFrom('1000', '2500.5')), { minLength: 1, maxLength: 4 }),
  declared: fc.array(fc.tuple(hour, fc.integer({ min: -1, max: 3 }), fc.constantFrom('0', '0.1')), {
    maxLength: 4,
  }),
  /** When the house that sleeps is up. */
  up: fc.array(hour, { maxLength: 3 }),
})
type Lived = typeof history extends fc.Arbitrary<infer Value> ? Value : never

/** The plans of a history, each from a midnight of the zone before. */
async function storePlans(house: MoneyFixture, { first, zone, plans }: Lived): Promise<void> {
  const guards = { changePercent: '50', changeFrom: '1000000', memberMost: '50000', runMost: '100000000' }
  let [day, present] = [addDays(first, 1), zone]
  await storePlan(house.owner, 2, new Date(1), { ...DEFAULT_PLAN, timeZone: zone, guards })
  for (const [index, { inDays, zone: timeZone, percent: percentPerPeriod, ...terms }] of plans.entries()) {
    day = addDays(day, inDays)
    const passive = { ...DEFAULT_PLAN.passive, percentPerPeriod, ...terms }
    const document = { ...DEFAULT_PLAN, timeZone, guards, passive }
    await storePlan(house.owner, index + 3, dayStart(day, present), document)
    present = timeZone
  }
}

async function declare(house: MoneyFixture, day: Day, percentage: string): Promise<string> {
  const declared = {
    day,
    percentage,
    reason: 'A slow month.',
    operatorId: house.server.rootId,
    now: house.now,
  }
  return house
    .within((tx) => declareRate(tx, declared))
    .then(
      () => 'declared',
      (error: Error) => error.message,
    )
}

/** Lives through a history; answers what its runs paid and what was answered. @param isUp whether its jobs run at an hour */
async function live(lived: Lived, isUp: (hour: number) => boolean) {
  const start = Date.parse(lived.first)
  const house = await createMoneyFixture(inject('ownerUrl'), new Date(start).toISOString(), [])
  try {
    await storePlans(house, lived)
    // Some of these days are to come.
    await query(house.owner)`INSERT INTO demo_clock (offset_ms) VALUES (4000000000000)`
    await house.fund('profit', '100000')
    await house.fund('commission', '100000')
    const member = await house.member()
    const answers: string[] = []
    for (let hour = 0; hour < HOURS; hour += 1) {
      house.now = new Date(start + hour * HOUR_MS)
      if (isUp(hour) || hour === HOURS - 1) await runDue(house.db, house.now)
      for (const [at, amount] of lived.invested)
        if (at === hour) await house.investOnly(await house.member(member), amount)
      for (const [at, later, percentage] of lived.declared)
        if (at === hour)
          answers.push(
            await declare(house, addDays(house.now.toISOString().slice(0, 10) as Day, later), percentage),
          )
    }
    await house.payAllDirect()
    const runs = await query(
      house.db,
    )`SELECT kind, period, cutoff_at, plan_version, rate, state, item_count, item_sum
      FROM payout_run WHERE kind <> 'direct' ORDER BY kind, period`
    const balances = await query(
      house.db,
    )`SELECT member_id, principal, balance FROM member_balance ORDER BY member_id`
    expect(await house.faults()).toEqual([])
    return { runs, balances, answers }
  } finally {
    await house.close()
  }
}

it('pays the same with and without absences, in whatever zones its plans turn their days', async () => {
  const plan = { percent: '10', weekdaysOnly: false, capMultiple: null } as const
  // A zone moved east while nothing was up, past an investment.
  const eastward: Lived = {
    first: '2028-03-10' as Day,
    zone: 'America/Havana',
    plans: [{ ...plan, inDays: 4, zone: 'Asia/Tokyo' }],
    invested: [[4 * 24 + 18, '1000']],
    declared: [],
    up: [36],
  }
  // A rate declared for a day that has begun, and would have been paid.
  const late: Lived = {
    ...eastward,
    plans: [{ ...plan, inDays: 2, zone: 'America/Bogota' }],
    declared: [[4 * 24 + 18, 0, '0.1']],
    invested: [[40, '1000']],
  }
  // Two days begin at one moment, under a cap that the second reaches.
  const acrossTheDateLine: Lived = {
    ...eastward,
    zone: 'Pacific/Pago_Pago',
    plans: [{ ...plan, inDays: 3, zone: 'Pacific/Kiritimati', capMultiple: '0.012' }],
    invested: [[30, '1000']],
    declared: [],
  }
  await fc.assert(
    fc.asyncProperty(history, async (lived) => {
      const happens = new Set([...lived.invested, ...lived.declared].map(([hour]) => hour))
      const awake = await live(lived, (hour) => hour % 3 === 0 || happens.has(hour))
      const asleep = await live(lived, (hour) => lived.up.includes(hour))
      expect(asleep).toEqual(awake)
    }),
    { numRuns: 6, examples: [[eastward], [late], [acrossTheDateLine]], endOnFailure: true },
  )
})
