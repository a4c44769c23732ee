/**
 * The floor: what this machine and this PostgreSQL need at the very least to write a payout day, measured in the same
 * cluster, with the day's own rows. As many rows as the day posted into a logged table without an index, and as many
 * balances updated as it changed; each one statement and one transaction. No payout engine that keeps its books in
 * PostgreSQL can be faster, so the day is given as a multiple of it.
 */
import type pg from 'pg'
import { asOwner, checkpoint } from './database.sql.ts'
import { timed } from './measures.ts'

/** The fastest of three is the floor; with millions of rows one measurement is steady, and takes a minute. */
const REPEATS = 3
const STEADY_ROWS = 2_000_000

/** With memory to join in: spilling to the disk would be the floor's own clumsiness. */
const WORK_MEM = "SET work_mem = '512MB'"

/** @param afterJournal the day's journals come after it @param batch members a transaction when principal was loaded */
export async function measureFloor(ownerUrl: string, afterJournal: string, batch: number) {
  return asOwner(ownerUrl, async (client) => {
    await client.query(WORK_MEM)
    await makeFloor(client, afterJournal, batch)
    let floor = { insertMs: Infinity, updateMs: Infinity, postings: 0, balances: 0 }
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      if (repeat > 0 && floor.postings > STEADY_ROWS) break
      if (repeat > 0) await settleFloor(client)
      let { postings, balances } = floor
      const insertMs = await timed(async () => {
        postings = await insertFloor(client)
      })
      const updateMs = await timed(async () => {
        balances = await updateFloor(client)
      })
      floor = {
        insertMs: Math.min(floor.insertMs, insertMs),
        updateMs: Math.min(floor.updateMs, updateMs),
        postings,
        balances,
      }
    }
    await client.query(`DROP TABLE ${TABLES.join(', ')}`)
    return floor
  })
}

const TABLES = ['bench_paid', 'bench_earned', 'bench_posting', 'bench_balance'] as const

/** What the day paid: row by row in the order in which it was posted, and as a sum a member. */
async function takeDay(client: pg.ClientBase, afterJournal: string): Promise<void> {
  const paid = "FROM posting WHERE journal_id > $1 AND member_id <> 0 AND destination = 'balance'"
  await client.query('CREATE TABLE bench_paid (member_id bigint NOT NULL, amount bigint NOT NULL)')
  await client.query('CREATE TABLE bench_earned (member_id bigint NOT NULL, amount bigint NOT NULL)')
  await client.query(`INSERT INTO bench_paid SELECT member_id, amount ${paid}`, [afterJournal])
  await client.query(
    'INSERT INTO bench_earned SELECT member_id, sum(amount)::bigint FROM bench_paid GROUP BY member_id ORDER BY member_id',
  )
}

/**
 * A copy of the balances that has lived through what the real ones have: opened in the order of members, and updated once,
 * `batch` members a transaction, when their principal came. Where old versions lie in the pages decides how fast they are
 * updated, so the copy has the fill factor of the original too.
 */
async function copyBalances(client: pg.ClientBase, batch: number): Promise<void> {
  const { rows } = await client.query<{ options: string | null; last: string }>(
    `SELECT array_to_string(reloptions, ', ') AS options,
       (SELECT coalesce(max(member_id), 0)::text FROM member_balance) AS last
     FROM pg_class WHERE oid = 'member_balance'::regclass`,
  )
  const { options = null, last = '0' } = rows[0] ?? {}
  await client.query(
    `CREATE TABLE bench_balance (LIKE member_balance INCLUDING DEFAULTS INCLUDING INDEXES)
     ${options === null ? '' : `WITH (${options})`}`,
  )
  await client.query('INSERT INTO bench_balance SELECT * FROM member_balance ORDER BY member_id')
  for (let first = 1; first <= Number.parseInt(last, 10); first += batch)
    await client.query(
      'UPDATE bench_balance SET balance = balance WHERE principal > 0 AND member_id BETWEEN $1 AND $2',
      [first, first + batch - 1],
    )
}

/**
 * Made and filled in transactions of their own: PostgreSQL writes no log for rows of a table that is made in the same
 * transaction (with `wal_level=minimal`), which no ledger could use.
 */
async function makeFloor(client: pg.ClientBase, afterJournal: string, batch: number): Promise<void> {
  await takeDay(client, afterJournal)
  await client.query('CREATE TABLE bench_posting (LIKE posting)')
  await copyBalances(client, batch)
  await settleFloor(client)
}

/** As it was before the first measurement: no rows of an earlier one, nothing to tidy up, nothing to be written. */
async function settleFloor(client: pg.ClientBase): Promise<void> {
  await client.query('TRUNCATE bench_posting')
  for (const table of TABLES) await client.query(`VACUUM (ANALYZE) ${table}`)
  await checkpoint(client)
}

async function insertFloor(client: pg.ClientBase): Promise<number> {
  const { rowCount } = await client.query(
    `INSERT INTO bench_posting (member_id, journal_id, leg, kind, source, destination, amount, at)
     SELECT member_id, 1, 0, 'passive', 'due:profit', 'balance', amount, timestamptz '2026-06-15T05:10:00Z' FROM bench_paid`,
  )
  return rowCount ?? 0
}

async function updateFloor(client: pg.ClientBase): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE bench_balance b SET balance = b.balance + e.amount, earned = b.earned + e.amount
     FROM bench_earned e WHERE e.member_id = b.member_id`,
  )
  return rowCount ?? 0
}
