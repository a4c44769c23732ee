import { connect, type Db, inTransaction } from '@aval/db'
import { createTestDatabase } from '@aval/db/testing'
import { sql } from 'kysely'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { query, queryValue } from '../../../core/query.sql.ts'
import { selectLegTotals } from '../../earnings/points.queries.ts'
import { BLOCK } from '../runs/runs.rules.ts'
import { readCarry } from './calculate.sql.ts'

const DAYS = 150
const BLOCKS = 3
/** To guess how many there are, the planner looks at both ends of an index. */
const ENDS = 2

/** Matches of five months, the last of which was cancelled: each carried its own number on every left leg. */
const database = await createTestDatabase(inject('ownerUrl'))
const owner = connect(database.ownerUrl, 1)
const days = sql`generate_series(1, ${DAYS}::int) AS day`
const period = sql`(DATE '2025-01-01' + day)::text`
await query(owner.db)`INSERT INTO payout_run (kind, period, cutoff_at, plan_version, state, at)
  SELECT 'binary', ${period}, now(), 1, 'computing', now() FROM ${days}`
await query(owner.db)`INSERT INTO binary_carry (block, run_id, period, lefts, rights, events)
  SELECT block, r.id, r.period, array_fill(day::bigint, ARRAY[${BLOCK}::int]), array_fill(0::bigint, ARRAY[${BLOCK}::int]),
    array_fill(0, ARRAY[${BLOCK}::int])
  FROM ${days} JOIN payout_run r ON r.period = ${period}, generate_series(0, ${BLOCKS - 1}::int) AS block`
await query(owner.db)`SET session_replication_role = replica`
await query(owner.db)`
  UPDATE payout_run SET state = CASE period WHEN (DATE '2025-01-01' + ${DAYS}::int)::text THEN 'cancelled' ELSE 'done' END,
  items_hash = seal_payout_run(id)`
await query(owner.db)`RESET session_replication_role`
await query(owner.db)`ANALYZE`
afterAll(async () => {
  await owner.close()
  await database.drop()
})

/** The answer of some work, and how many rows of the carry it reads for that. */
async function counted<Result>(work: (db: Db) => Promise<Result>) {
  return inTransaction(owner.db, async (tx) => {
    const read = () =>
      queryValue<number>(tx)`
        SELECT (seq_tup_read + idx_tup_fetch)::int FROM pg_stat_xact_user_tables WHERE relname = 'binary_carry'`
    const before = await read()
    return { answer: await work(tx), read: (await read()) - before }
  })
}

const FOLLOWING = '2026-12-31'

describe('what was carried through five months', () => {
  it('is read a row a block by the day that follows', async () => {
    const { answer, read } = await counted((db) => readCarry(db, BLOCKS * BLOCK, FOLLOWING))
    expect(new Set(answer.left)).toEqual(new Set([BigInt(DAYS - 1)]))
    // The cancelled day's, and the one before it.
    expect(read).toBeLessThanOrEqual(2 * BLOCKS + ENDS)
  })

  it('is read a row a block by a day in the middle, as of its own day', async () => {
    const { answer, read } = await counted((db) => readCarry(db, BLOCKS * BLOCK, '2025-03-20'))
    expect(new Set(answer.left)).toEqual(new Set([77n]))
    expect(read).toBeLessThanOrEqual(BLOCKS + ENDS)
  })

  it('is read of the one block by a member', async () => {
    const { answer, read } = await counted((db) => selectLegTotals(db, 1n))
    expect(answer).toMatchObject({ left: BigInt(DAYS - 1), right: 0n })
    expect(read).toBeLessThanOrEqual(2 + ENDS)
  })
})
