import { inTransaction } from '@aval/db'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { countOf, query } from '../../../core/query.sql.ts'
import { audit, resumeRuns, runDue } from '../../../testing/audited.ts'
import { createMoneyFixture, type MoneyFixture, usdt } from '../../../testing/money-fixture.ts'
import { advanceRun } from '../advance.commands.ts'
import { openBatches } from '../runs/runs.commands.ts'

let money: MoneyFixture
beforeEach(async () => {
  money = await createMoneyFixture(inject('ownerUrl'), '2026-05-03T15:00:00Z')
})
afterEach(() => money.close())

const tomorrow = () => new Date(money.now.getTime() + 86_400_000)

describe('a run that cannot be computed', () => {
  it('is reported, and keeps nobody else from being paid', async () => {
    await money.fund('profit', '1000')
    await money.fund('commission', '1000')
    const sponsor = await money.investor('600')
    await query(money.owner)`INSERT INTO payout_run (kind, period, cutoff_at, plan_version, state, at)
      VALUES ('direct', '999999-999999', now(), 1, 'computing', now())`
    await expect(runDue(money.db, tomorrow())).rejects.toThrow()
    expect(await money.balanceOf(sponsor)).toBe(usdt('2'))
  })
})

describe('runs that wait for money', () => {
  it('never keep one that was begun from being finished, however many they are', async () => {
    await money.fund('profit', '1000')
    const member = await money.investor('600')
    await inTransaction(money.owner, async (tx) => {
      await query(tx)`SET LOCAL session_replication_role = replica`
      await query(tx)`
        INSERT INTO payout_run (kind, period, cutoff_at, plan_version, state, item_sum, payable, at)
        SELECT 'direct', n || '-' || n, now(), 1, 'held', 5000000, 5000000, now() FROM generate_series(100001, 110001) n`
      await query(tx)`INSERT INTO payout_audit (run_id, verdict, items_hash, differences, version)
        SELECT id, 'matches', repeat('0', 64), '[]', 'by hand' FROM payout_run WHERE state = 'held'`
    })
    await query(money.db)`SELECT close_period('2026-05-04T05:00:00Z')`
    await query(money.owner)`INSERT INTO payout_run (kind, period, cutoff_at, plan_version, state, at)
      VALUES ('passive', '2026-05-04', '2026-05-04T05:00:00Z', 1, 'computing', '2026-05-04T05:00:00Z')`
    await resumeRuns(money.db, tomorrow())
    expect(await money.balanceOf(member)).toBe(usdt('2'))
  })

  it('show what is missing now, not when they were held', async () => {
    await money.investor('600')
    await runDue(money.db, tomorrow())
    const missing = async () =>
      (await money.db.selectFrom('payout_run').select('missing').where('kind', '=', 'passive').execute())[0]
        ?.missing
    expect(await missing()).toBe(usdt('2'))
    await money.fund('profit', '0.5')
    await resumeRuns(money.db, tomorrow())
    expect(await missing()).toBe(usdt('1.5'))
  })

  it('or find it taken by another at the same moment, wait: nothing fails', async () => {
    const sponsor = await money.investor('500')
    await money.fund('commission', '75')
    const opened: bigint[] = []
    for (let count = 0; count < 2; count += 1) {
      await money.investOnly(await money.member(sponsor), '1000')
      opened.push(...(await openBatches(money.db)))
    }
    const [one, two] = opened
    if (one === undefined || two === undefined) throw new Error('two runs were opened')
    for (const run of opened) await advanceRun(money.db, run, money.now)
    await audit(money.db)
    let other: Promise<unknown> = Promise.resolve()
    await inTransaction(money.db, async (tx) => {
      // Within one transaction the first run takes 50 of the 75 and does not let go yet.
      await advanceRun(tx as never, one, money.now)
      other = advanceRun(money.db, two, money.now)
      const waits = async () => {
        const waiting = countOf(money.owner)`pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`
        expect(await waiting).toBeGreaterThan(0)
      }
      await vi.waitFor(waits, { timeout: 240_000, interval: 20 })
    })
    await other
    expect(await money.balanceOf(sponsor)).toBe(usdt('50'))
    const rows = await query<{ state: string; missing: bigint }>(money.db)`
      SELECT state, missing FROM payout_run WHERE item_sum > 0 ORDER BY state`
    expect(rows).toEqual([
      { state: 'done', missing: 0n },
      { state: 'held', missing: usdt('25') },
    ])
    expect(await money.faults()).toEqual([])
  })
})

describe('commissions', () => {
  it('of an investment whose job was lost are found and paid, once', async () => {
    await money.fund('commission', '1000')
    const sponsor = await money.investor('500')
    const investor = await money.member(sponsor)
    await money.investOnly(investor, '1000')
    await money.payAllDirect()
    await money.payAllDirect()
    expect(await money.balanceOf(sponsor)).toBe(usdt('50'))
    expect(await money.faults()).toEqual([])
  })

  it('by a master link far up say at which level it stands', async () => {
    await money.fund('commission', '1000')
    const founder = await money.investor('500')
    let last = founder
    for (let level = 15; level > 0; level -= 1) {
      last = await money.member(last)
      if (level === 15)
        await query(money.owner)`
          INSERT INTO master_code (member_id, sponsor_id, at) VALUES (${last}, ${founder}, now())`
    }
    await money.invest(last, '1000')
    const items = await money.db
      .selectFrom('payout_item')
      .select(['kind', 'level', 'amount'])
      .where('member_id', '=', founder)
      .execute()
    expect(items).toEqual([{ kind: 'master', level: 15, amount: usdt('10') }])
  })
})

describe('sealed items', () => {
  it('are neither added to, nor changed, nor removed, not even by the owner of the tables', async () => {
    await money.fund('profit', '1000')
    const member = await money.investor('600')
    await runDue(money.db, tomorrow())
    const run = await money.db
      .selectFrom('payout_run')
      .select('id')
      .where('kind', '=', 'passive')
      .executeTakeFirstOrThrow()
    for (const statement of [
      `INSERT INTO payout_item (member_id, run_id, kind, amount, basis, percentage)
        VALUES (${money.server.rootId}, ${run.id}, 'direct', 1, 1, '1')`,
      `INSERT INTO payout_page (run_id, block, item_count, item_sum, members, bases, amounts, hash)
        VALUES (${run.id}, 9, 1, 1, '{1}', '{1}', '{1}', '')`,
      `INSERT INTO payout_share (run_id, member_id, leg, amount) VALUES (${run.id}, ${member}, 0, 1)`,
      'UPDATE payout_item SET amount = 1',
      'UPDATE payout_page SET item_sum = 1',
      'DELETE FROM payout_item',
      'TRUNCATE payout_page',
    ])
      await expect(sql.raw(statement).execute(money.owner)).rejects.toThrow(
        /are added while their run is|append-only/,
      )
  })
})
