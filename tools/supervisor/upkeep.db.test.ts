import { createTestDatabase } from '@aval/db/testing'
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { until } from '../testing/until.ts'
import { watchLedger } from './upkeep.ts'

it('partitions are kept at once, and what keeps that from being done is said', async () => {
  const database = await createTestDatabase(inject('ownerUrl'))
  onTestFinished(() => database.drop())
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  onTestFinished(() => owner.end())
  await owner.query('DROP TABLE posting_4')
  const said: string[] = []
  const watch = watchLedger(database.ownerUrl, (line) => said.push(line))
  onTestFinished(() => watch.stop())
  await until('it is there again', async () => {
    const { rows } = await owner.query<{ table: string | null }>(
      "SELECT to_regclass('posting_4')::text AS table",
    )
    return rows[0]?.table === 'posting_4'
  })
  expect(said).toEqual([])
  await owner.query('ALTER TABLE member_balance RENAME TO gone')
  const failing = watchLedger(database.ownerUrl, (line) => said.push(line))
  onTestFinished(() => failing.stop())
  await until('it is said', async () => said.length === 1)
  expect(said[0]).toMatch(/^The ledger was not kept: .*member_balance.*tried again within the hour\.$/)
})
