import { sql } from 'kysely'
import { expect, inject, it } from 'vitest'
import { createFullHouse } from '../testing/full-house.ts'
it('full', async () => {
  const house = await createFullHouse(inject('ownerUrl'))
  const db = house.server.context.db
  const show = async (q: string) => console.table((await sql.raw(q).execute(db)).rows.map((r: any) => Object.fromEntries(Object.entries(r).map(([k, v]) => [k, typeof v === 'bigint' ? String(v) : v]))))
  await show('SELECT id, kind, period, plan_version v, state, item_count n, item_sum, payable, not_paid, prorated, rate, declared_id d, as_of, objections::text FROM payout_run ORDER BY id')
  await show(`SELECT run_id, member_id, leg, kind, amount, basis, percentage, level, investment_id i, from_member_id f, flushed FROM payout_item ORDER BY 1,2,3`)
  await show(`SELECT run_id, member_id, leg, kind, reason, amount, level, investment_id i, from_member_id f FROM payout_missed ORDER BY 1,2,3`)
  await show('SELECT * FROM reversal_part'); await show('SELECT * FROM member_receivable'); await show('SELECT * FROM placement');
  await show(`SELECT member_id, kind, amount FROM posting WHERE kind::text ~ 'claw|owed|recover|settle'`)
  console.log(await house.faults())
  await house.close()
  expect(1).toBe(1)
})
