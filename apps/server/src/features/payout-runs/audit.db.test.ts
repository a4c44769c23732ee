/** Two programs compute every run: what one of them gets wrong, or makes up, moves no money. */
import { createAuditor } from '@aval/auditor/src/auditor.ts'
import { readPlan } from '@aval/auditor/src/plan.rules.ts'
import { connect, type Database } from '@aval/db'
import { micro } from '@aval/money'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { query, queryColumn, queryOne, queryValue } from '../../core/query.sql.ts'
import { audit, payCommissions, runDue, settle } from '../../testing/audited.ts'
import { suiteFixture } from '../../testing/suite.ts'
import * as work from './advance.commands.ts'
import { computeBinary, computeBlocks, computeDirect, termsOf } from './calculate/calculate.commands.ts'
import { cancelRun, proposeRelease } from './pay/decisions.commands.ts'
import { writeBlocks, writeItems } from './pay/pay.commands.ts'
import { midnightsDue, openBatches, openMidnight } from './runs/runs.commands.ts'
import { type Run, selectRun } from './runs/runs.sql.ts'
import { createRunsFixture } from './testing/runs-fixture.ts'

const fixture = await suiteFixture(createRunsFixture)
const { money, db } = fixture
const worker: Database = money.server.worker.db
const asAuditor = connect(money.server.database.auditorUrl, 1)
afterAll(() => asAuditor.close())

const runOf = async (id: bigint): Promise<Run> => (await selectRun(db, id)) as Run
const said = (id: bigint) =>
  queryOne<{ verdict: string; differences: unknown[]; reason: string | null }>(db)`
    SELECT verdict, differences, reason FROM payout_audit WHERE run_id = ${id}`
const refused = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (error: { constraint?: string; code?: string }) => error.constraint ?? error.code ?? String(error),
  )
const balances = () => queryColumn<bigint>(db)`SELECT balance FROM member_balance ORDER BY member_id`
const cancelled = (runId: bigint) =>
  money.within((tx) =>
    cancelRun(tx, { runId, operatorId: money.server.rootId, note: 'again', now: money.now }),
  )

/** A new day of which the two runs are open, and nothing is computed. */
async function newDay(): Promise<{ passive: bigint; binary: bigint }> {
  money.nextDay()
  let [passive, binary] = [0n, 0n]
  for (const midnight of await midnightsDue(db, money.now))
    [passive = 0n, binary = 0n] = await openMidnight(db, midnight)
  return { passive, binary }
}

beforeEach(async () => {
  await runDue(db, money.now)
})

const ana = fixture.memberId
const [left, right] = [await money.member(ana), await money.member(ana)]
await money.fund('profit', '100000')
await money.fund('commission', '100000')
await money.invest(ana, '900')
await money.invest(left, '600')
await money.invest(right, '600')

async function investOnBothSides(): Promise<void> {
  for (const member of [left, right]) await money.investOnly(member, '500')
  await runDue(db, money.now)
  await payCommissions(db, money.now)
}

describe('a fault of one micro-USDT in the engine', () => {
  const faults = {
    passive: async () => {
      const { passive } = await newDay()
      const terms = await termsOf(db, await runOf(passive))
      await query(db)`UPDATE payout_run SET rate = '10/3000', member_count = 10 WHERE id = ${passive}`
      const [block] = await computeBlocks(db, await runOf(passive), terms, 0, 1)
      if (block === undefined) throw new Error('nothing to pay')
      const amounts = block.amounts.with(0, (block.amounts[0] ?? 0n) - 1n)
      const blocks = [{ ...block, amounts }]
      await writeBlocks(db, passive, { blocks, from: 0, through: 1, isLast: true, sections: () => ({}) })
      return passive
    },
    direct: async () => {
      await money.investOnly(left, '700')
      const [id = 0n] = await openBatches(db)
      const computed = await computeDirect(db, await runOf(id))
      const items = computed.items.map((item) => ({ ...item, amount: micro(item.amount - 1n) }))
      await writeItems(db, id, { ...computed, items })
      return id
    },
    binary: async () => {
      await investOnBothSides()
      const { passive, binary } = await newDay()
      await work.advanceRun(db, passive, money.now)
      const computed = await computeBinary(db, await runOf(binary), 'America/Bogota')
      const [one, ...items] = computed.items
      if (one === undefined) throw new Error('nothing to match')
      await writeItems(db, binary, {
        ...computed,
        items: [{ ...one, amount: micro(one.amount - 1n) }, ...items],
      })
      return binary
    },
    'what a match carries on': async () => {
      await investOnBothSides()
      const { passive, binary } = await newDay()
      await work.advanceRun(db, passive, money.now)
      const computed = await computeBinary(db, await runOf(binary), 'America/Bogota')
      computed.carry.left[Number(ana)] = (computed.carry.left[Number(ana)] ?? 0n) + 1n
      await writeItems(db, binary, computed)
      return binary
    },
  }

  it.each(Object.entries(faults))(
    'in %s holds the run, names whom it concerns, and no decision lets it go',
    async (_what, plant) => {
      const id = await plant()
      const before = await balances()
      expect(await queryValue<string>(worker)`SELECT release_payout_run(${id}, now())`).toBe('waiting')
      await audit(db)
      expect(await said(id)).toMatchObject({ verdict: 'differs', differences: [{ member: Number(ana) }] })
      expect(await runOf(id)).toMatchObject({ state: 'held', objections: [{ check: 'computed_otherwise' }] })
      await expect(
        money.decided(proposeRelease, {
          runId: id,
          operatorId: money.server.rootId,
          note: '',
          now: money.now,
        }),
      ).rejects.toThrow('run_not_audited')
      await query(money.owner)`SELECT overrule_payout_run(${id}, ${money.server.rootId}, '', now())`
      expect(await refused(query(worker)`SELECT release_payout_run(${id}, now())`)).toBe('done')
      expect(await runOf(id)).toMatchObject({ state: 'held', journal_id: null })
      const page = (await fixture.get(`runs/${id}/`)).json()
      expect(page).toMatchObject({ audit: { verdict: 'differs', differences: [{ member: Number(ana) }] } })
      // Whatever else was due is paid; of this run nothing is.
      expect(await queryColumn(db)`SELECT FROM journal WHERE key = ${`run:${id}`}`).toEqual([])
      expect(await balances()).toEqual(before)
      await cancelled(id)
      await work.resumeRuns(db, money.now)
      await settle(db, money.now)
      expect(
        await queryColumn(db)`SELECT state FROM payout_run WHERE state NOT IN ('done', 'cancelled')`,
      ).toEqual([])
    },
  )
})

describe('an auditor', () => {
  it('that is wrong itself holds everything and harms nothing', async () => {
    await investOnBothSides()
    const { passive, binary } = await newDay()
    const before = await balances()
    for (const id of [passive, binary]) await work.advanceRun(db, id, money.now)
    const wrong = createAuditor(asAuditor.db, (document) => {
      const read = readPlan(document)
      if ('unknown' in read) return read
      const passive = { ...read.plan.passive, percentPerPeriod: read.plan.passive.percentPerPeriod + 1n }
      return { plan: { ...read.plan, passive, binary: { ...read.plan.binary, percent: 1n } } }
    })
    await wrong.step()
    await work.resumeRuns(db, money.now)
    for (const id of [passive, binary]) expect(await runOf(id)).toMatchObject({ state: 'held' })
    expect(await balances()).toEqual(before)
    for (const id of [passive, binary]) await cancelled(id)
    await work.resumeRuns(db, money.now)
    await settle(db, money.now)
    expect(await balances()).not.toEqual(before)
  })

  it('that is away keeps a run waiting, and says so; the next one goes on', async () => {
    const { passive } = await newDay()
    await work.runDue(db, money.now)
    await work.resumeRuns(db, money.now)
    expect((await fixture.get(`runs/${passive}/`)).json()).toMatchObject({
      state: 'sealed',
      reasons: [{ check: 'not_computed_twice', sentence: 'It waits for the second computation.' }],
      audit: null,
    })
    await settle(db, money.now)
    expect(await runOf(passive)).toMatchObject({ state: 'done' })
    expect((await said(passive)).verdict).toBe('matches')
  })

  it('that does not know a plan says of what, and leaves the run to a later one', async () => {
    const { passive } = await newDay()
    await work.advanceRun(db, passive, money.now)
    await createAuditor(asAuditor.db, () => ({ unknown: 'passive.bonus' })).step()
    expect((await fixture.get(`runs/${passive}/`)).json()).toMatchObject({
      state: 'sealed',
      reasons: [{ check: 'not_computable', sentence: expect.stringContaining('plan 1: passive.bonus') }],
    })
    expect(await audit(db)).toBe(0)
    await query(money.owner)`UPDATE payout_audit SET version = '0' WHERE run_id = ${passive}`
    await work.resumeRuns(db, money.now)
    await settle(db, money.now)
    expect(await runOf(passive)).toMatchObject({ state: 'done' })
  })

  it('says a word about a run once, whoever asks again, and nobody else says any', async () => {
    const [id] = await queryColumn<bigint>(db)`SELECT max(id) FROM payout_run WHERE state = 'done'`
    const say = (on: Database) =>
      queryValue<string>(on)`SELECT record_payout_audit(${id}, repeat('0', 64), 1, 1, '[]', NULL, 'x')`
    expect(await say(asAuditor.db)).toBe('matches')
    for (const role of [worker, db]) expect(await refused(say(role))).toBe('42501')
    expect(await refused(query(asAuditor.db)`INSERT INTO payout_audit DEFAULT VALUES`)).toBe('42501')
  })

  it('may read, and call one function', async () => {
    const writes = await queryColumn<string>(money.owner)`
      SELECT c.relname || ' ' || p.name FROM pg_class c, unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS p (name)
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v') AND has_table_privilege('aval_auditor', c.oid, p.name)`
    const calls = await queryColumn<string>(money.owner)`
      SELECT proname::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND has_function_privilege('aval_auditor', oid, 'EXECUTE')`
    expect([writes, calls]).toEqual([[], ['record_payout_audit']])
  })
})

describe('the worker’s role', () => {
  /** What a thief opens and seals. */
  async function made(
    run: { kind?: string; period?: string; cutoff?: Date; plan?: number },
    item?: { member: bigint; amount: bigint; leg?: number },
  ): Promise<string> {
    const { kind = 'binary', period = '2026-05-30', cutoff = money.now, plan = 1 } = run
    return refused(
      worker.transaction().execute(async (tx) => {
        const id = await queryValue<bigint>(
          tx,
        )`INSERT INTO payout_run (kind, period, cutoff_at, plan_version, state, at)
          VALUES (${kind}, ${period}, ${cutoff}, ${plan}, 'computing', ${cutoff}) RETURNING id`
        if (item !== undefined)
          await query(tx)`INSERT INTO payout_item (member_id, run_id, leg, kind, amount, basis, percentage)
            VALUES (${item.member}, ${id}, ${item.leg ?? 0}, 'binary', ${item.amount}, 1, '10')`
        await query(tx)`UPDATE payout_run SET state = 'sealed', objections = '[]' WHERE id = ${id}`
        await query(tx)`SELECT release_payout_run(${id}, now()), post_payout_batch(${id}, now())`
      }),
    )
  }

  it('seals no run that cannot be', async () => {
    const midnight = await queryValue<Date>(db)`SELECT closed_until FROM period_close`
    expect(await made({ period: '2026-11-30y' })).toBe('payout_run_of_a_day')
    expect(await made({ period: '2026-02-30' })).toBe('payout_run_of_a_day')
    expect(await made({ period: '2026-05-30', cutoff: midnight })).toBe('payout_run_of_a_closed_day')
    expect(await made({ kind: 'direct', period: '1-2' })).toBe('payout_run_of_a_batch')
    expect(await refused(query(worker)`SELECT close_period('2999-01-01')`)).toBe('period_is_over')
  })

  it('seals nothing that no plan can pay, and holds or releases nothing itself', async () => {
    const { binary } = await newDay()
    const forged = (amount: bigint, leg = 0) =>
      refused(
        worker.transaction().execute(async (tx) => {
          await query(tx)`INSERT INTO payout_item (member_id, run_id, leg, kind, amount, basis, percentage)
            VALUES (${ana}, ${binary}, ${leg}, 'binary', ${amount}, 1, '10')`
          await query(tx)`UPDATE payout_run SET state = 'sealed' WHERE id = ${binary}`
        }),
      )
    expect(await forged(20_000_000_000n)).toBe('payout_item_within_the_cap')
    expect(await forged(900_000_001n)).toBe('payout_item_within_the_cap')
    expect(await forged(1n, 1)).toBe('payout_item_within_the_cap')
    expect(await forged(900_000_000n)).toBe('done')
    for (const state of ['held', 'released', 'cancelled'])
      expect(await refused(query(worker)`UPDATE payout_run SET state = ${state} WHERE id = ${binary}`)).toBe(
        'payout_run_goes_forward',
      )
    expect(await queryValue(worker)`SELECT release_payout_run(${binary}, now())`).toBe('waiting')
    await settle(db, money.now)
    expect(await runOf(binary)).toMatchObject({
      state: 'held',
      objections: [{ check: 'computed_otherwise' }],
      journal_id: null,
    })
    await cancelled(binary)
    await work.resumeRuns(db, money.now)
    await settle(db, money.now)
  })

  it('seals no day above its rate, and no commission above its level', async () => {
    const { passive, binary } = await newDay()
    const page = (amount: bigint, rate = '10/3000') =>
      refused(
        worker.transaction().execute(async (tx) => {
          await query(
            tx,
          )`INSERT INTO payout_page (run_id, block, members, bases, amounts, item_count, item_sum, hash)
            VALUES (${passive}, 0, ${[ana]}::bigint[], '{1}', ${[amount]}::bigint[], 0, 0, '')`
          await query(tx)`UPDATE payout_run SET state = 'sealed', rate = ${rate} WHERE id = ${passive}`
        }),
      )
    const principal = (await money.balancesOf(ana)).principal
    expect(await page(principal / 300n + 2n)).toBe('payout_item_within_the_rate')
    expect(await page(1n, '1/1')).toBe('payout_run_at_its_rate')
    for (const id of [passive, binary]) await work.advanceRun(db, id, money.now)
    await settle(db, money.now)
    await money.investOnly(left, '500')
    const [id = 0n] = await openBatches(db)
    const { first_investment: investment } = await runOf(id)
    const item = (kind: string, level: number, amount: bigint, times = 1) =>
      refused(
        worker.transaction().execute(async (tx) => {
          for (let leg = 0; leg < times; leg += 1)
            await query(tx)`
              INSERT INTO payout_item (member_id, run_id, leg, kind, amount, basis, percentage, level, investment_id, from_member_id)
              VALUES (${ana}, ${id}, ${leg}, ${kind}::posting_kind, ${amount}, 500000000, '5', ${level}, ${investment}, ${left})`
          await query(tx)`UPDATE payout_run SET state = 'sealed' WHERE id = ${id}`
        }),
      )
    const above = 'payout_item_within_its_level'
    expect(await item('direct', 1, 25_000_001n)).toBe(above)
    expect(await item('direct', 3, 5_000_001n)).toBe(above)
    expect(await item('direct', 4, 1n)).toBe(above)
    expect(await item('master', 1, 1n)).toBe(above)
    expect(await item('master', 4, 5_000_001n)).toBe(above)
    expect(await item('direct', 1, 25_000_000n, 2)).toBe('payout_item_of_its_kind')
    await work.advanceRun(db, id, money.now)
    await settle(db, money.now)
    expect(await runOf(id)).toMatchObject({ state: 'done' })
  })
})
