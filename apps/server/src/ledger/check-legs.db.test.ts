import type { Tx } from '@aval/db'
import { DEFAULT_PLAN } from '@aval/plan'
import { expect, it } from 'vitest'
import { storePlan } from '../testing/deciding.ts'
import { createMoneyFixture } from '../testing/money-fixture.ts'
import { suiteFixture } from '../testing/suite.ts'
import { tamperWith } from '../testing/tampering.ts'
import { chooseReading } from './check.sql.ts'
import { findLegFaults } from './check-legs.ts'

const money = await suiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const owner = tamperWith(money.server.database.ownerUrl)
async function legFaults(tx: Tx) {
  await chooseReading(tx, false)
  return findLegFaults(tx)
}

/** Two legs that once match less than ten micro-points, a tenth of which is no micro-USDT. */
await money.fund('profit', '1000')
await money.fund('commission', '5000')
const root = money.server.rootId
const [left, right] = [await money.member(root), await money.member(root)]
await money.invest(root, '500')
await money.invest(left, '500.000005')
await money.invest(right, '500')
await money.payDay()
await money.invest(right, '1.000003')
await money.payDay()

const carryLess = (micros: number) =>
  `UPDATE binary_carry SET lefts[2] = lefts[2] - ${micros}, rights[2] = rights[2] - ${micros}
   WHERE run_id = (SELECT max(run_id) FROM binary_carry)`

it('points whose match came to less than a micro-USDT are no fault', async () => {
  const carried = await money.db
    .selectFrom('binary_carry')
    .select(['lefts', 'rights'])
    .orderBy('run_id')
    .execute()
  expect(carried.map(({ lefts, rights }) => [lefts[1], rights[1]].map(String))).toEqual([
    ['5', '0'],
    ['0', '999998'],
  ])
  expect(await money.faults()).toEqual([])
})

it('more than such matches can have come to is one', async () => {
  expect(await owner.after(carryLess(10), legFaults)).toEqual([])
  expect(await owner.after(carryLess(14), legFaults)).toEqual([
    'member 1: 500.000005 points came in on the left, 500.00 were matched and -0.000014 are carried',
    'member 1: 501.000003 points came in on the right, 500.00 were matched and 0.999984 are carried',
  ])
})

it('a plan that pays nothing for a match may use points up, as many on one side as on the other', async () => {
  await storePlan(money.owner, 2, money.now, {
    ...DEFAULT_PLAN,
    binary: { percent: '0', dailyCap: '1000' },
  })
  await money.invest(2n, '100')
  await money.payDay()
  await money.payDay()
  expect(await money.faults()).toEqual([])
  const oneSided =
    'UPDATE binary_carry SET rights[2] = rights[2] - 1 WHERE run_id = (SELECT max(run_id) FROM binary_carry)'
  expect((await owner.after(oneSided, legFaults)).length).toBeGreaterThan(0)
})
