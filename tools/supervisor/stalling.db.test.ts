import { createTestDatabase } from '@aval/db/testing'
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { until } from '../testing/until.ts'
import { watchStalling } from './stalling.ts'

it('what stalls is ended and said, also after the watch has lost its own connection', async () => {
  const database = await createTestDatabase(inject('ownerUrl'))
  onTestFinished(() => database.drop())
  const said: string[] = []
  const watch = watchStalling(database.ownerUrl, (line) => said.push(line), {
    patience: { waited: 3_600, working: 3_600, idle: 0 },
    everyMs: 10,
  })
  onTestFinished(() => watch.stop())
  const stall = async () => {
    const client = new pg.Client({ connectionString: database.apiUrl })
    client.on('error', () => undefined)
    await client.connect()
    await client.query('BEGIN').catch(() => undefined)
    onTestFinished(() => client.end().catch(() => undefined))
  }
  const line = /^A session of \w+_api_login was ended: its transaction was open and did nothing\.$/
  await stall()
  await until('it is said', async () => said.length === 1)
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  const cut =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'aval-start' AND datname = current_database()"
  await until('the watch is cut', async () => ((await owner.query(cut)).rowCount ?? 0) > 0)
  await owner.end()
  await stall()
  await until('it is said again', async () => said.length === 2)
  expect(said).toEqual([expect.stringMatching(line), expect.stringMatching(line)])
})
