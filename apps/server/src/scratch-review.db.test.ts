import { connect, inTransaction } from '@aval/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { creditTransfer } from './features/deposits/deposits.commands.ts'
import { payDirect, resumeRuns, runDue } from './features/payouts/payouts.commands.ts'
import { createInvoice, investBalance } from './features/plans/plans.commands.ts'
import { HOUSE, selectBalances } from './ledger/ledger.commands.ts'
import { createMoneyHouse, type MoneyHouse, usdt } from './testing/money-house.ts'

let house: MoneyHouse
beforeAll(async () => {
  house = await createMoneyHouse(inject('ownerUrl'), '2026-05-03T15:00:00Z')
})
afterAll(() => house?.close())
const db = () => house.server.context.db
const min = 60_000

describe('P', () => {
  it('1 hundred lapsed invoices hide the open one', async () => {
    const m = await house.member()
    const start = house.now
    for (let i = 0; i < 101; i += 1) {
      house.now = new Date(house.now.getTime() + 121 * min)
      await inTransaction(db(), (tx) => createInvoice(tx, m, usdt('500'), house.now))
    }
    await house.receive(m, '502.5')
    const b = await selectBalances(db(), m)
    house.now = start
    expect(b).toMatchObject({ principal: usdt('500') })
  })
  it('2 long idempotency key with payPasive', async () => {
    const m = await house.member()
    await house.receive(m, '800')
    const headers = { ...(await house.bearer(m)), 'idempotency-key': 'k'.repeat(200) }
    const a = await house.server.call({
      method: 'POST',
      url: '/api/plans/create-investment-payment/',
      payload: { amount: 500, payPasive: true },
      headers,
    })
    expect(a.statusCode).toBe(200)
  })
  it('7 company credited by several at once', async () => {
    const tx1 = await house.arrive(HOUSE, '10')
    const all = await Promise.allSettled(
      Array.from({ length: 6 }, () => creditTransfer(db(), tx1, 0, house.now)),
    )
    expect(
      all.filter((r) => r.status === 'rejected').map((r) => String((r as PromiseRejectedResult).reason)),
    ).toEqual([])
  })
  it('8 runs race for a pool', async () => {
    const other = await createMoneyHouse(inject('ownerUrl'), '2026-05-03T15:00:00Z')
    const sponsor = await other.member()
    await other.invest(sponsor, '500')
    const ids: bigint[] = []
    const investors = []
    for (let i = 0; i < 8; i += 1) {
      const inv = await other.member(sponsor)
      const { invoice } = await inTransaction(other.server.context.db, (tx) =>
        createInvoice(tx, inv, usdt('1000'), other.now),
      )
      await other.receive(inv, '1005')
      investors.push(inv)
      void invoice
    }
    await other.fund('commission', '75')
    const rows = await other.server.context.db
      .selectFrom('investment')
      .select(['member_id', 'id'])
      .where('member_id', 'in', investors)
      .execute()
    const all = await Promise.allSettled(
      rows.map((r) => payDirect(other.server.context.db, r.member_id, r.id, other.now)),
    )
    const bad = all
      .filter((r) => r.status === 'rejected')
      .map((r) => String((r as PromiseRejectedResult).reason))
    await other.close()
    expect(bad).toEqual([])
    void ids
  })
  it('10 master level beyond ten', async () => {
    await house.fund('commission', '1000')
    let top = await house.member()
    await house.invest(top, '500')
    const first = top
    let second = 0n
    for (let i = 0; i < 15; i += 1) {
      top = await house.member(top)
      if (i === 0) second = top
    }
    await sql`UPDATE sponsorship SET is_master = true WHERE member_id = ${second}`.execute(db())
    await house.invest(top, '1000')
    const { rows } = await sql<{
      level: number
    }>`SELECT level FROM payout_item WHERE member_id = ${first} AND from_member_id = ${top}`.execute(db())
    expect(rows).toEqual([{ level: 15 }])
  })
  it('3 one broken run stalls everybody', async () => {
    const m = await house.member()
    await house.fund('profit', '1000')
    await house.invest(m, '600')
    const owner = connect(house.server.database.ownerUrl, 1)
    await sql`INSERT INTO payout_run (kind, period, cutoff_at, plan_version, state, at, item_count, item_sum) VALUES ('direct', '1:999999', now(), 1, 'computing', now(), 0, 0)`.execute(
      owner.db,
    )
    const at = new Date(house.now.getTime() + 86_400_000)
    await runDue(db(), at).catch((e) => console.log('runDue:', String(e)))
    await owner.close()
    const b = await selectBalances(db(), m)
    expect(b.balance).toBe(usdt('2'))
  })
})
void investBalance
void resumeRuns
