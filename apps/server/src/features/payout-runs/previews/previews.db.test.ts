import { planPreview } from '@aval/contract'
import { formatAmount } from '@aval/money'
import { DEFAULT_PLAN } from '@aval/plan'
import { describe, expect, it } from 'vitest'
import { queryValue } from '../../../core/query.sql.ts'
import { storePlan } from '../../../testing/deciding.ts'
import { soundTestFixture } from '../../../testing/suite.ts'
import { createRunsFixture } from '../testing/runs-fixture.ts'
import { previewAsked } from './previews.commands.ts'

const fixture = soundTestFixture(createRunsFixture)

const OTHER = {
  ...DEFAULT_PLAN,
  passive: { percentPerPeriod: '7', periodDays: 31, weekdaysOnly: false, capMultiple: '2' },
  direct: { levels: ['3.3', '2.2', '1.1', '0.7'], masterPercent: '1', compression: true },
  binary: { percent: '7', dailyCap: '90' },
}

const ask = (document: unknown, who = fixture.operator) => who.post('operator/plan-previews/', { document })
/** The preview of a document, computed. */
async function preview(document: unknown) {
  const asked = planPreview.parse((await ask(document)).json())
  expect(asked).toMatchObject({ state: 'waiting', result: null, asked_by: 'olga' })
  await previewAsked(fixture.db, fixture.money.now)
  const done = planPreview.parse((await fixture.get(`plan-previews/${asked.sha256}/`)).json())
  expect(done).toMatchObject({ id: asked.id, state: 'done' })
  if (done.result === null) throw new Error('no result')
  return done.result
}

/** A chain of four, of which each invests, one of them an amount that leaves fractions, and two who join below the second. */
async function aDay() {
  const bea = await fixture.money.joined('bea', fixture.memberId)
  const carl = await fixture.money.joined('carl', bea)
  const [left, right] = [await fixture.money.joined('dan', bea), await fixture.money.joined('eva', bea)]
  await fixture.money.investOnly(fixture.memberId, '1000')
  await fixture.money.investOnly(bea, '777.777777')
  await fixture.money.investOnly(carl, '1234.567891')
  await fixture.money.investOnly(left, '900.000001')
  await fixture.money.investOnly(right, '2500')
  await fixture.money.payAllDirect()
  await fixture.money.payDay()
}

/** What the runs of the day sealed, by kind. */
const sealed = async (kind: string) =>
  formatAmount(
    await queryValue<bigint>(
      fixture.db,
    )`SELECT coalesce(sum(item_sum), 0)::bigint FROM payout_run WHERE kind = ${kind} AND state <> 'cancelled'`,
  )

describe('the preview of a plan', () => {
  it.each([
    ['the plan in force', DEFAULT_PLAN],
    ['another plan', OTHER],
  ])('equals to the micro-USDT what runs under it pay: %s', async (_name, document) => {
    await fixture.money.fund('profit', '100000')
    await fixture.money.fund('commission', '100000')
    await storePlan(fixture.money.owner, 2, new Date('2026-05-01T05:00:00Z'), document)
    // Under that plan already, so that what it pays and what the preview says are two computations of the same.
    await aDay()
    const { rules } = await preview(document)
    for (const { rule, present, proposed, gain, lose } of rules) {
      const paid = await sealed(rule)
      expect([rule, proposed.sum, present.sum]).toEqual([rule, paid, paid])
      expect(paid).not.toBe('0.00')
      expect([gain, lose]).toEqual([0, 0])
    }
  })

  it('says what a plan would have paid before it is in force: sums, who gains, who loses, and how long the pools last', async () => {
    await fixture.money.fund('profit', '100')
    await fixture.money.fund('commission', '1000')
    await aDay()
    const before = await queryValue<string>(fixture.db)`SELECT concat(count(*), ' ', max(id)) FROM payout_run`
    const { rules, cover, version } = await preview({
      ...DEFAULT_PLAN,
      passive: { ...DEFAULT_PLAN.passive, percentPerPeriod: '5' },
      binary: { percent: '20', dailyCap: '1000' },
    })
    expect(version).toBe(1)
    const [passive, direct, binary] = rules
    expect(passive).toMatchObject({ from: '2026-05-04', gain: 0, lose: 5, present: { members: 5 } })
    expect(passive?.biggest[0]).toMatchObject({ username: 'eva', present: '8.333333', proposed: '4.166666' })
    expect(direct).toMatchObject({ from: '2026-04-04', to: '2026-05-04', gain: 0, lose: 0 })
    expect(direct?.present).toEqual(direct?.proposed)
    expect(binary).toMatchObject({ gain: 1, lose: 0 })
    expect(cover).toMatchObject([
      { pool: 'profit', present: expect.any(Number), proposed: expect.any(Number) },
      { pool: 'commission' },
    ])
    expect(cover[0]?.proposed).toBeGreaterThan(cover[0]?.present ?? 0)
    // Nothing of it is a run.
    expect(await queryValue<string>(fixture.db)`SELECT concat(count(*), ' ', max(id)) FROM payout_run`).toBe(
      before,
    )
  })

  it('is refused for a document that is no plan, and computed once however often it is asked for', async () => {
    expect(await ask({ ...DEFAULT_PLAN, timeZone: 'Nowhere' })).toAnswer(422)
    const [one, two] = [await ask(DEFAULT_PLAN), await ask(DEFAULT_PLAN, fixture.second)]
    expect(two.json().id).toBe(one.json().id)
    for (const none of ['0', '999999', 'f'.repeat(64), 'x'])
      expect(await fixture.get(`plan-previews/${none}/`), none).toAnswer(404)
    await previewAsked(fixture.db, fixture.money.now)
    // Before anybody invested it says so.
    const { result } = planPreview.parse((await fixture.get(`plan-previews/${one.json().id}/`)).json())
    expect(result?.rules.map(({ present }) => present.sum)).toEqual(['0.00', '0.00', '0.00'])
    expect(result?.cover.map(({ present }) => present)).toEqual([null, null])
  })
})
