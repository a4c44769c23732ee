import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { connect } from './connect.ts'
import { dumpSchema } from './dump.ts'
import { createTestDatabase, type TestDatabase } from './testing.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(inject('ownerUrl'))
})
afterAll(() => database?.drop())

it('db/schema.sql says what the migrations make ("npm run generate" writes it)', async () => {
  const connection = connect(database.ownerUrl, 1)
  try {
    const written = await readFile(new URL('../schema.sql', import.meta.url), 'utf8')
    expect(await dumpSchema(connection.db)).toBe(written)
  } finally {
    await connection.close()
  }
})
