import { connect } from '@aval/db'
import { createTestDatabase } from '@aval/db/testing'
import pg from 'pg'
import { afterAll, expect, inject, it, vi } from 'vitest'
import { announceReads, listenForReads } from './reads.ts'

const WITHIN = { timeout: 240_000, interval: 20 }

const database = await createTestDatabase(inject('ownerUrl'))
afterAll(() => database.drop())

it('a worker sees that the API is asked, from another role, and again after its connection was cut', async () => {
  const api = connect(database.serverUrl, 2)
  const admin = new pg.Client({ connectionString: database.ownerUrl })
  await admin.connect()
  const heard = vi.fn()
  const listening = listenForReads(database.gatewayUrl, heard)
  announceReads(api.pool)
  const untilHeard = () =>
    vi.waitFor(async () => {
      await api.pool.query('SELECT 1')
      expect(heard).toHaveBeenCalled()
    }, WITHIN)
  try {
    await untilHeard()
    const cut = await admin.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
    )
    expect(cut.rowCount).toBe(1)
    heard.mockClear()
    await untilHeard()
  } finally {
    await listening.stop()
    await admin.end()
    await api.close()
  }
})
