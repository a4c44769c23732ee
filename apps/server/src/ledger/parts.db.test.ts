import { inTransaction } from '@aval/db'
import { keepLedger, type Upkeep } from '@aval/db/upkeep'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { queryColumn, queryValue } from '../core/query.sql.ts'
import { findDifferences } from '../features/integrity/integrity.queries.ts'
import { createHistoryFixture } from '../testing/history-fixture.ts'
import { suiteFixture } from '../testing/suite.ts'

const history = await suiteFixture(createHistoryFixture)
const { db, people } = history
const owner = new pg.Client({ connectionString: history.server.database.ownerUrl })
await owner.connect()
afterAll(() => owner.end())

const partOf = () => queryValue<bigint>(db)`SELECT ledger_part()`
const UPKEEP = { aMember: 5, atLeast: 250_000, sealDays: 1, keepDays: 62 } as const
const FULL = { ...UPKEEP, aMember: 0, atLeast: 1 } as const
const keep = (upkeep: Upkeep = UPKEEP) => keepLedger(owner, new Date(), upkeep)

it('a part that is not full goes on; a full one is turned once, and the next journal begins the next part', async () => {
  expect(await keep()).toEqual([])
  expect(await keep(FULL)).toEqual(['The ledger’s part 0 is full: the next journal begins part 1.'])
  expect(await keep(FULL)).toEqual([])
  await history.receive(people.bob, '3')
  expect(await partOf()).toBe(1n)
  expect(await history.faults()).toEqual([])
})

it('partitions made by the hour are guarded as those of the migrations are', async () => {
  await keep()
  await owner.query(`SELECT extend_partitions('archived_payout', 8388608, 4)`)
  for (const table of ['payout_page', 'payout_item', 'payout_missed'])
    await owner.query('SELECT extend_partitions($1, 8192, 6)', [table])
  expect(await queryColumn<string>(db)`SELECT to_regclass('posting_5')::text`).toEqual(['posting_5'])
  expect(await inTransaction(db, findDifferences)).toEqual([])
  await expect(owner.query('TRUNCATE posting_5')).rejects.toMatchObject({ code: '42501' })
  await expect(owner.query('INSERT INTO posting_5 SELECT * FROM posting')).rejects.toThrow(/posting_5/)
})

it('the ledger of readers and writers stays open while partitions are made', async () => {
  const reader = new pg.Client({ connectionString: history.server.database.serverUrl })
  await reader.connect()
  await reader.query('BEGIN')
  await reader.query('SELECT count(*) FROM posting')
  await owner.query("SET lock_timeout = '5s'; SELECT extend_partitions('posting', 131072, 8)")
  await reader.query('ROLLBACK')
  await reader.end()
  expect(await queryColumn<string>(db)`SELECT to_regclass('posting_7')::text`).toEqual(['posting_7'])
})
