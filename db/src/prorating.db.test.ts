import fc from 'fast-check'
import pg from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { holdByHand } from './testing/held-run.ts'
import { createTestDatabase } from './testing.ts'

const database = await createTestDatabase(inject('ownerUrl'))
const owner = new pg.Client({ connectionString: database.ownerUrl })
await owner.connect()
afterAll(async () => {
  await owner.end()
  await database.drop()
})

await owner.query(
  "INSERT INTO installation (network, usdt_contract, deposit_xpub) VALUES ('devnet', 'x', 'x')",
)
await owner.query("SELECT store_first_plan('{}')")
await owner.query(
  `INSERT INTO member (username, email, password_hash, ref_code, is_operator, operator_role, terms_accepted_at, joined_at)
   SELECT 'm' || n, 'm' || n, '', lpad(n::text, 7, '0'), n = 1, CASE WHEN n = 1 THEN 'admin' END, now(), now() FROM generate_series(1, 20) n`,
)

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n)

/** By the book: exact parts, truncated; what is left over goes to the largest remainders, on a tie to the earlier. */
function expected(amounts: readonly bigint[], total: bigint): bigint[] {
  const sum = sumOf(amounts)
  const parts = amounts.map((amount, at) => ({
    at,
    share: (amount * total) / sum,
    rest: (amount * total) % sum,
  }))
  const left = Number(total - sumOf(parts.map(({ share }) => share)))
  const favoured = parts.toSorted((a, b) => (a.rest === b.rest ? a.at - b.at : a.rest > b.rest ? -1 : 1))
  for (const part of favoured.slice(0, left)) part.share += 1n
  return parts.map(({ share }) => share)
}

let days = 0
/** A held run that pays these amounts, passive profit to members 1, 2 …; its number. */
async function heldRun(amounts: readonly bigint[]): Promise<string> {
  days += 1
  const day = new Date(Date.UTC(2026, 0, days)).toISOString().slice(0, 10)
  const made = await owner.query<{ id: string }>(
    `INSERT INTO payout_run (kind, period, cutoff_at, plan_version, state, at) VALUES ('passive', $1, now(), 1, 'computing', now()) RETURNING id`,
    [day],
  )
  const id = made.rows[0]?.id ?? ''
  const sum = sumOf(amounts)
  await owner.query(
    `INSERT INTO payout_page (run_id, block, item_count, item_sum, members, bases, amounts, hash)
     VALUES ($1, 0, $2, $3, $4::bigint[], $5::bigint[], $5::bigint[], 'h')`,
    [id, amounts.length, sum, amounts.map((_, at) => at + 1), amounts],
  )
  await owner.query(holdByHand(id))
  return id
}
const fill = (pool: bigint) =>
  owner.query("UPDATE house_balance SET amount = $1 WHERE account = 'pool:profit'", [pool])
const prorate = (id: string) => owner.query("SELECT prorate_payout_run($1, 1, '', now())", [id])
const release = (id: string) => owner.query('SELECT release_payout_run($1, now())', [id])
/** As no function of ours would leave it. */
const forge = (id: string, change: string) =>
  owner.query(`BEGIN; SET LOCAL session_replication_role = replica;
    UPDATE payout_run SET ${change} WHERE id = ${id}; COMMIT`)

/** What it pays of these amounts out of a pool with so much. */
async function prorated(amounts: readonly bigint[], pool: bigint): Promise<bigint[]> {
  const id = await heldRun(amounts)
  await fill(pool)
  await prorate(id)
  const { rows } = await owner.query<{ amounts: string[] }>(
    'SELECT amounts FROM payout_page_share WHERE run_id = $1',
    [id],
  )
  return rows.flatMap((row) => row.amounts.map(BigInt))
}

it('a run is shared out by largest remainder, to the micro-USDT', async () => {
  // Small amounts have equal remainders.
  const amount = fc.oneof(fc.bigInt(1n, 5n), fc.bigInt(1n, 10n ** 12n))
  await fc.assert(
    fc.asyncProperty(
      fc.array(amount, { minLength: 1, maxLength: 20 }),
      fc.bigInt(1n, 10n ** 13n),
      async (amounts, wanted) => {
        fc.pre(sumOf(amounts) > 1n)
        const pool = (wanted % (sumOf(amounts) - 1n)) + 1n
        const paid = await prorated(amounts, pool)
        expect(sumOf(paid)).toBe(pool)
        expect(paid).toEqual(expected(amounts, pool))
      },
    ),
    { numRuns: 60 },
  )
})

describe('a run of 10', () => {
  it.each([0n, 10n, 11n])('is not shared out where its pool holds %s', async (pool) => {
    const id = await heldRun([4n, 6n])
    await fill(pool)
    await expect(prorate(id)).rejects.toMatchObject({ constraint: 'payout_run_is_short' })
  })

  it('is not shared out while its checks object, and is as soon as nothing but money is missing', async () => {
    const id = await heldRun([4n, 6n])
    await fill(9n)
    await forge(id, `objections = '["above_run_most"]'`)
    await expect(prorate(id)).rejects.toMatchObject({ constraint: 'payout_run_is_short' })
    await forge(id, `objections = '[]'`)
    await prorate(id)
  })

  it.each([
    ['while it is computed', `state = 'computing'`],
    ['once it is cancelled', `state = 'cancelled'`],
  ])('is not released %s', async (_, change) => {
    const id = await heldRun([4n, 6n])
    await fill(10n)
    await forge(id, change)
    await expect(release(id)).rejects.toMatchObject({ constraint: 'payout_run_is_released' })
  })

  it('is not released while its checks object', async () => {
    const id = await heldRun([4n, 6n])
    await fill(10n)
    await forge(id, `objections = '["above_run_most"]'`)
    await release(id)
    const { rows } = await owner.query('SELECT state, journal_id FROM payout_run WHERE id = $1', [id])
    expect(rows).toEqual([{ state: 'held', journal_id: null }])
  })

  it('is not released while payments are stopped', async () => {
    const id = await heldRun([4n, 6n])
    await fill(10n)
    const stop = (stopped: boolean) =>
      owner.query(`BEGIN; SET LOCAL session_replication_role = replica;
        UPDATE payout_stop SET stopped = ${stopped}; COMMIT`)
    await stop(true)
    await expect(release(id)).rejects.toMatchObject({ constraint: 'payout_run_is_released' })
    await stop(false)
    await release(id)
  })

  it.each([
    ['pays more than its items', 'payable = 11'],
    ['has fewer items than it says', 'item_count = 3'],
    ['has items of another sum', 'item_sum = 11'],
  ])('that %s is not released', async (_, change) => {
    const id = await heldRun([4n, 6n])
    await fill(20n)
    await forge(id, change)
    await expect(release(id)).rejects.toMatchObject({ constraint: 'payout_run_adds_up' })
  })
})
