import { inTransaction } from '@aval/db'
import type { Day } from '@aval/plan'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { balancesOf } from '../../../ledger/ledger.queries.ts'
import { createMoneyFixture, type MoneyFixture } from '../../../testing/money-fixture.ts'
import { resumeRuns, runDue } from '../advance.commands.ts'
import { openMidnight } from '../runs/runs.commands.ts'
import { reverseInvestment } from './reversals.commands.ts'

let money: MoneyFixture
beforeEach(async () => {
  money = await createMoneyFixture(inject('ownerUrl'), '2026-05-03T15:00:00Z')
})
afterEach(async () => {
  expect(await money.faults()).toEqual([])
  await money.close()
})

const db = () => money.server.context.db

async function reverseFirst(): Promise<void> {
  const { id } = await db()
    .selectFrom('investment')
    .select('id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const request = {
    investmentId: id,
    operatorId: money.server.rootId,
    reason: 'paid by mistake',
    now: money.now,
  }
  await inTransaction(db(), (tx) => reverseInvestment(tx, request))
}

const earned = async (memberId: bigint) => (await balancesOf(db(), memberId)).earned

describe('an investment on which a day will still pay', () => {
  beforeEach(() => money.fund('profit', '1000'))

  it('is not reversed while a day that has begun has no run: it would pay after all was taken back', async () => {
    const member = await money.member()
    await money.invest(member, '600')
    money.now = new Date('2026-05-05T15:00:00Z')
    await expect(reverseFirst()).rejects.toThrow('investment_unsettled')
    await runDue(db(), money.now)
    expect(await earned(member)).toBe(4_000_000n)
    await reverseFirst()
    await runDue(db(), money.now)
    expect(await earned(member)).toBe(0n)
  })

  it('is not reversed while the run of such a day has not come to its items yet', async () => {
    const member = await money.member()
    await money.invest(member, '600')
    money.now = new Date('2026-05-04T15:00:00Z')
    await openMidnight(db(), { day: '2026-05-04' as Day, matched: '2026-05-03' as Day }, 'America/Bogota')
    await expect(reverseFirst()).rejects.toThrow('investment_unsettled')
    await resumeRuns(db(), money.now)
    await reverseFirst()
    await runDue(db(), money.now)
    expect(await earned(member)).toBe(0n)
  })
})
