/** What the plan's guards say of a run, beside the run of its kind that was released before it. */
import { afterAll, expect, inject, it } from 'vitest'
import { openRoles } from './testing/roles.ts'

const { roles, close } = await openRoles(inject('ownerUrl'))
afterAll(close)
const { owner } = roles
const PLAN = { timeZone: 'UTC', passive: { percentPerPeriod: '10', periodDays: 30 } }
await owner.query('SELECT store_first_plan($1)', [JSON.stringify(PLAN)])
await owner.query('ALTER TABLE payout_run DISABLE TRIGGER USER; ALTER TABLE investment DISABLE TRIGGER USER')

/** Micro-USDT of dollars. */
const micro = (dollars: string): number => Math.round(Number(dollars) * 1_000_000)

interface Case {
  readonly kind?: 'passive' | 'binary' | 'direct'
  readonly now?: string
  readonly before?: string
  readonly rate?: string
  readonly sum?: string
  readonly largest?: string
}

/** Direct runs pay on 20,000 USD of investments each. */
async function objectionsTo({ kind = 'binary', now, before, rate, ...figures }: Case): Promise<object[]> {
  await owner.query('BEGIN')
  const made = `'2026-05-01', 1, '2026-05-01'`
  if (before !== undefined)
    await owner.query(
      `INSERT INTO payout_run (kind, period, cutoff_at, plan_version, at, state, comparable, item_sum, first_investment, last_investment)
       VALUES ($1, '2026-05-01', ${made}, 'done', $2, $2, 1, 1)`,
      [kind, micro(before)],
    )
  for (const id of [1, 2])
    await owner.query(
      `INSERT INTO investment (member_id, id, journal_id, amount, value_after, from_balance, plan_version, credited_at, unlocks_at)
       OVERRIDING SYSTEM VALUE VALUES (1, $1, $1, 20000000000, 20000000000, false, 1, now(), now())`,
      [id],
    )
  const compared = micro(now ?? '2000')
  const run = {
    ...{ id: 9, kind, period: '2026-05-02', plan_version: 1, rate: rate ?? '10/3000' },
    ...{ comparable: compared, item_sum: compared, item_largest: micro('100000') },
    ...{ first_investment: 2, last_investment: 2 },
    ...(figures.sum !== undefined && { item_sum: micro(figures.sum) }),
    ...(figures.largest !== undefined && { item_largest: micro(figures.largest) }),
  }
  const { rows } = await owner.query(
    'SELECT objections_to(jsonb_populate_record(NULL::payout_run, $1)) AS found',
    [JSON.stringify(run)],
  )
  await owner.query('ROLLBACK')
  return rows[0].found
}

const changed = (now: string, before: string) => [
  { check: 'change_too_large', now: String(micro(now)), before: String(micro(before)) },
]

it.each<[string, Case, readonly object[]]>([
  ['of what members may get at most', { sum: '100000000' }, []],
  ['at the rate of the plan', { kind: 'passive' }, []],
  [
    'at a rate above the plan’s',
    { kind: 'passive', rate: '333334/100000000' },
    [{ check: 'rate_above_plan', rate: '0.333334' }],
  ],
  ['that grew by half', { now: '1500', before: '1000' }, []],
  ['that grew by more than half', { now: '1500.000001', before: '1000' }, changed('1500.000001', '1000')],
  ['that fell by half', { now: '500', before: '1000' }, []],
  ['that fell by more than half', { now: '499.999999', before: '1000' }, changed('499.999999', '1000')],
  ['that grew tenfold, both below what is compared', { now: '999.999999', before: '99' }, []],
  ['that grew tenfold up to what is compared', { now: '1000', before: '100' }, changed('1000', '100')],
  ['that fell to nothing', { kind: 'passive', now: '0', before: '1000' }, changed('0', '1000')],
  ['that fell to nothing from little', { kind: 'passive', now: '0', before: '999.999999' }, []],
  ['that is nothing as the one before', { now: '0', before: '0' }, []],
  ['that begins small after nothing', { now: '999.999999', before: '0' }, []],
  ['that begins large after nothing', { now: '1000', before: '0' }, changed('1000', '0')],
  ['that has none before it', { now: '90000' }, []],
  ['of commissions at half as much again', { kind: 'direct', now: '1500', before: '1000' }, []],
  [
    'of commissions at another rate',
    { kind: 'direct', now: '1500.01', before: '1000' },
    [{ check: 'direct_rate_changed', now: '7.5', before: '5' }],
  ],
  [
    'of commissions that pay nothing',
    { kind: 'direct', now: '0', before: '1000' },
    [{ check: 'direct_rate_changed', now: '0', before: '5' }],
  ],
  ['of few commissions at another rate', { kind: 'direct', now: '999', before: '200' }, []],
  [
    'of which one member gets too much',
    { largest: '100000.000001' },
    [{ check: 'member_above_cap', largest: '100000000001', limit: '100000000000' }],
  ],
  ['of too much in all', { sum: '100000000.000001' }, [{ check: 'run_above_cap', limit: '100000000000000' }]],
])('a run %s meets these objections', async (_name, given, expected) => {
  expect(await objectionsTo(given)).toEqual(expected)
})
