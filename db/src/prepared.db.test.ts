import { sql } from 'kysely'
import { afterAll, expect, inject, it } from 'vitest'
import { connect } from './connect.ts'
import { prepared } from './prepared.ts'
import { createTestDatabase } from './testing.ts'

const database = await createTestDatabase(inject('ownerUrl'))
const connection = connect(database.ownerUrl, 1)
afterAll(async () => {
  await connection.close()
  await database.drop()
})

const doubled = async (value: number) => {
  const { rows } = await sql<{ twice: number }>`${prepared} SELECT ${value}::int * 2 AS twice`.execute(
    connection.db,
  )
  return rows[0]?.twice
}
const preparedStatements = async () => {
  const { rows } = await sql<{ statement: string }>`SELECT statement FROM pg_prepared_statements`.execute(
    connection.db,
  )
  return rows.map(({ statement }) => statement.replaceAll(/\s+/g, ' ').trim()).toSorted()
}

it('a connection prepares marked statements, once for each text, and no others', async () => {
  expect([await doubled(2), await doubled(3)]).toEqual([4, 6])
  await connection.db
    .selectFrom('plan_version')
    .modifyFront(prepared)
    .select('version')
    .where('version', '=', 1)
    .execute()
  expect(await preparedStatements()).toEqual([
    '/* prepared */ SELECT $1::int * 2 AS twice',
    'select /* prepared */ "version" from "plan_version" where "version" = $1',
  ])
})

it('a statement that failed leaves the connection as it was', async () => {
  await expect(sql`${prepared} SELECT 1 / ${0}::int`.execute(connection.db)).rejects.toThrow(
    'division by zero',
  )
  await expect(sql`${prepared} SELECT * FROM nowhere`.execute(connection.db)).rejects.toThrow(
    'does not exist',
  )
  expect(await doubled(4)).toBe(8)
})
