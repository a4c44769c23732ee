import { connect } from '@aval/db'
import { createTestDatabase, type TestDatabase } from '@aval/db/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { CHART } from './ledger.commands.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(inject('ownerUrl'))
})
afterAll(() => database?.drop())

it('the chart of the server and the constraint of the database allow the same movements, and no others', async () => {
  const connection = connect(database.ownerUrl, 1)
  try {
    // The constraint itself, asked about every kind with every source and every destination.
    const constraint = await sql<{ check: string }>`
      SELECT pg_get_expr(conbin, conrelid) AS check FROM pg_constraint WHERE conname = 'posting_follows_the_chart'`.execute(
      connection.db,
    )
    const { rows } = await sql<{ kind: string; source: string; destination: string }>`
      SELECT kind, source, destination FROM unnest(enum_range(NULL::posting_kind)) kind,
        unnest(enum_range(NULL::ledger_account)) source, unnest(enum_range(NULL::ledger_account)) destination
      WHERE ${sql.raw(constraint.rows[0]?.check ?? 'false')}`.execute(connection.db)
    const allowed = rows.map(({ kind, source, destination }) => [kind, [source, destination]])
    expect(Object.fromEntries(allowed)).toEqual(CHART)
    expect(allowed).toHaveLength(Object.keys(CHART).length)
  } finally {
    await connection.close()
  }
})
