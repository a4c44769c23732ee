import { createTestDatabase } from '@aval/db/testing'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { dropCopy } from './crash.sql.ts'
import { crashTest } from './crash.ts'
import { ENDOWED_AT, LOAD_DATES, PAID } from './dates.ts'
import { markHistoryPaid } from './day.sql.ts'
import { endow } from './endow.ts'
import { loadNetwork } from './load.ts'
import { generateNetwork } from './network.ts'

it('workers killed with -9, two at once, and days away leave every item, posting and balance as they would be', async () => {
  const database = await createTestDatabase(inject('ownerUrl'))
  const { ownerUrl, serverUrl } = database
  const network = generateNetwork(8_000, 'power', 7)
  const loaded = await loadNetwork({
    ownerUrl,
    network,
    thin: true,
    dates: LOAD_DATES,
    tell: () => undefined,
  })
  await endow(database, loaded.invested, ENDOWED_AT)
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await markHistoryPaid(owner, PAID, loaded.earlier).finally(() => owner.end())
  const copyName = `${new URL(ownerUrl).pathname.slice(1)}_disturbed`
  const told = await crashTest({
    ownerUrl,
    serverUrl,
    copyName,
    kills: 6,
    longestLife: 150,
    seed: 3,
    tell: () => undefined,
  })
  expect(told.kills).toBeGreaterThanOrEqual(3)
  expect(told.differences).toEqual([])
  expect(told.disturbed.postings).not.toMatch(/^0:/)
  await dropCopy(ownerUrl, copyName)
  await database.drop()
})
