import { DEFAULT_PLAN } from '@aval/plan'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { runDue } from '../features/payout-runs/advance.commands.ts'
import { storePlan } from '../features/plan-versions/plan-versions.commands.ts'
import { createMoneyHouse, type MoneyHouse } from '../testing/money-house.ts'
import { type Tamperer, tamperWith } from '../testing/tampering.ts'
import { findLegFaults } from './check-legs.ts'

let house: MoneyHouse
let owner: Tamperer

const nextDay = async () => {
  house.now = new Date(house.now.getTime() + 86_400_000)
  await runDue(house.server.context.db, house.now)
}

/** Two legs that once match less than ten micro-points, a tenth of which is no micro-USDT. */
beforeAll(async () => {
  house = await createMoneyHouse(inject('ownerUrl'), '2026-05-03T15:00:00Z')
  owner = tamperWith(house.server.database.ownerUrl)
  await house.fund('profit', '1000')
  await house.fund('commission', '5000')
  const root = house.server.rootId
  const [left, right] = [await house.member(root), await house.member(root)]
  await house.invest(root, '500')
  await house.invest(left, '500.000005')
  await house.invest(right, '500')
  await nextDay()
  await house.invest(right, '1.000003')
  await nextDay()
})
afterAll(async () => {
  await owner?.close()
  await house?.close()
})

const carryLess = (micros: number) =>
  `UPDATE binary_carry SET lefts[2] = lefts[2] - ${micros}, rights[2] = rights[2] - ${micros}
   WHERE run_id = (SELECT max(run_id) FROM binary_carry)`

it('points whose match came to less than a micro-USDT are no fault', async () => {
  const { db } = house.server.context
  const carried = await db.selectFrom('binary_carry').select(['lefts', 'rights']).orderBy('run_id').execute()
  expect(carried.map(({ lefts, rights }) => [lefts[1], rights[1]].map(String))).toEqual([
    ['5', '0'],
    ['0', '999998'],
  ])
  expect(await house.faults()).toEqual([])
})

it('more than such matches can have come to is one', async () => {
  expect(await owner.after(carryLess(10), findLegFaults)).toEqual([])
  expect(await owner.after(carryLess(14), findLegFaults)).toEqual([
    'member 1: 500.000005 points came in on the left, 500.00 were matched and -0.000014 are carried',
    'member 1: 501.000003 points came in on the right, 500.00 were matched and 0.999984 are carried',
  ])
})

it('a plan that pays nothing for a match may use points up, as many on one side as on the other', async () => {
  await storePlan(house.server.context.db, 2, house.now, {
    ...DEFAULT_PLAN,
    binary: { percent: '0', dailyCap: '1000' },
  })
  await house.invest(2n, '100')
  await nextDay()
  await nextDay()
  expect(await house.faults()).toEqual([])
  const oneSided =
    'UPDATE binary_carry SET rights[2] = rights[2] - 1 WHERE run_id = (SELECT max(run_id) FROM binary_carry)'
  expect((await owner.after(oneSided, findLegFaults)).length).toBeGreaterThan(0)
})
