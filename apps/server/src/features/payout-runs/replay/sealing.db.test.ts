import { createHash } from 'node:crypto'
import { connect, inTransaction } from '@aval/db'
import { createTestDatabase } from '@aval/db/testing'
import { micro } from '@aval/money'
import fc from 'fast-check'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { query, queryValue } from '../../../core/query.sql.ts'
import { insertCarry, insertItems, insertMissed, insertPages, selectSeal } from '../pay/pay.sql.ts'
import { BLOCK, type Item, type Missed } from '../runs/runs.rules.ts'
import { type Page, sealing } from './sealing.rules.ts'

const database = await createTestDatabase(inject('ownerUrl'))
const owner = connect(database.ownerUrl, 1)
afterAll(async () => {
  await owner.close()
  await database.drop()
})

const amount = fc.bigInt({ min: 1n, max: 10n ** 15n })
const points = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })
const memberId = fc.bigInt({ min: 1n, max: 5n * BigInt(BLOCK) })
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
const level = maybe(fc.integer({ min: 1, max: 2000 }))

const items: fc.Arbitrary<Item[]> = fc.array(
  fc.record({
    memberId,
    leg: fc.nat(3),
    kind: fc.constantFrom('direct', 'master', 'binary'),
    amount: amount.map(micro),
    basis: amount.map(micro),
    percentage: fc.constantFrom('5', '0.333333', '100'),
    level,
    investmentId: maybe(amount),
    fromMemberId: maybe(memberId),
    leftPoints: maybe(points),
    rightPoints: maybe(points),
    flushed: fc.bigInt({ min: 0n, max: 10n ** 15n }).map(micro),
  }),
)

const missed: fc.Arbitrary<Missed[]> = fc.array(
  fc.record({
    memberId,
    leg: fc.nat(3),
    kind: fc.constantFrom('passive', 'direct', 'master', 'binary'),
    reason: fc.constantFrom('inactive', 'skipped', 'flushed', 'no_active_left', 'capped'),
    amount: amount.map(micro),
    level,
    investmentId: maybe(amount),
    fromMemberId: maybe(memberId),
  }),
)

const page = (block: number, capped: boolean): fc.Arbitrary<Page & { block: number }> =>
  fc
    .array(fc.tuple(fc.nat(BLOCK - 1), amount, amount, amount), { minLength: 1, maxLength: 20 })
    .map((rows) => {
      const ordered = [...new Map(rows.map((row) => [row[0], row])).values()].sort((a, b) => a[0] - b[0])
      return {
        block,
        members: ordered.map(([index]) => BigInt(block * BLOCK + index)),
        bases: ordered.map((row) => row[1]),
        amounts: ordered.map((row) => row[2]),
        earned: capped ? ordered.map((row) => row[3]) : null,
      }
    })

const pages = fc
  .tuple(fc.uniqueArray(fc.nat(30), { maxLength: 4 }), fc.boolean())
  .chain(([blocks, capped]) => fc.tuple(...blocks.sort((a, b) => a - b).map((block) => page(block, capped))))

const carries = fc.record({
  blocks: fc.uniqueArray(fc.nat(2), { maxLength: 3 }).map((blocks) => blocks.sort((a, b) => a - b)),
  changes: fc.array(fc.tuple(fc.nat(3 * BLOCK - 1), points, points, fc.nat(1_000_000)), { maxLength: 30 }),
})

/** One row a member and leg, in the order in which they are kept. */
function ordered<Row extends { memberId: bigint; leg: number }>(rows: readonly Row[]): Row[] {
  const unique = new Map(rows.map((row) => [`${row.memberId}:${row.leg}`, row]))
  return [...unique.values()].sort((a, b) =>
    a.memberId === b.memberId ? a.leg - b.leg : a.memberId < b.memberId ? -1 : 1,
  )
}

class RollBack extends Error {}

async function sealedByDatabase(rows: {
  items: readonly Item[]
  missed: readonly Missed[]
  pages: readonly (Page & { block: number })[]
  blocks: readonly number[]
  carry: Parameters<typeof insertCarry>[3]
}) {
  let sealed: Awaited<ReturnType<typeof selectSeal>> | undefined
  let hash = ''
  let hashes: string[] = []
  await inTransaction(owner.db, async (tx) => {
    const run = await query<{ id: bigint }>(tx)`
      INSERT INTO payout_run (kind, period, cutoff_at, plan_version, state, at)
      VALUES ('binary', '2026-05-04', now(), 1, 'computing', now()) RETURNING id`
    const id = run[0]?.id ?? 0n
    await insertItems(tx, id, rows.items)
    await insertMissed(tx, id, rows.missed)
    await insertPages(
      tx,
      id,
      rows.pages.map((made) => ({ ...made, sum: 1n, largest: 1n, missed: [] })),
    )
    await insertCarry(tx, { id, period: '2026-05-04' }, rows.blocks, rows.carry)
    sealed = await selectSeal(tx, id)
    hash = await queryValue<string>(tx)`SELECT seal_payout_run(${id})`
    hashes = (
      await tx.selectFrom('payout_page').select('hash').where('run_id', '=', id).orderBy('block').execute()
    ).map(({ hash }) => hash)
    throw new RollBack()
  }).catch((error: unknown) => {
    if (!(error instanceof RollBack)) throw error
  })
  return { hash, principals: sealed?.principals, hashes }
}

describe('the seal of a run', () => {
  it('is the same computed from rows in memory and by the database from rows that were written', async () => {
    await fc.assert(
      fc.asyncProperty(
        items,
        missed,
        pages,
        carries,
        async (someItems, someMissed, somePages, { blocks, changes }) => {
          const rows = { items: ordered(someItems), missed: ordered(someMissed), pages: somePages, blocks }
          const carry = {
            left: new BigInt64Array(3 * BLOCK),
            right: new BigInt64Array(3 * BLOCK),
            events: new Int32Array(3 * BLOCK),
          }
          for (const [id, left, right, events] of changes) {
            carry.left[id] = left
            carry.right[id] = right
            carry.events[id] = events
          }
          const here = sealing(() => createHash('sha256'))
          const hashes = rows.pages.map((made) => here.page(made))
          for (const item of rows.items) here.item(item)
          for (const row of rows.missed) here.missed(row)
          for (const block of blocks) here.carry(carry, block)
          expect({ hash: here.seal(), principals: here.principals(), hashes }).toEqual(
            await sealedByDatabase({ ...rows, carry }),
          )
        },
      ),
      { numRuns: 60 },
    )
  })
})
