import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'

/** What the gateway's role may do in the database, whatever the gateway's code would want. */
let harness: Harness
beforeAll(async () => {
  harness = await createHarness(inject('ownerUrl'))
})
afterAll(() => harness.close())

const lines = async (query: string) => {
  const { rows } = await harness.gateway.pool.query<{ line: string }>(query)
  return rows.map((row) => row.line)
}

it('it writes to two tables, reads three more, and knows nothing of members and their money', async () => {
  const rights = `
    SELECT concat_ws(' ', c.relname, string_agg(p.name, ' ' ORDER BY p.place)) AS line
    FROM pg_class c, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) WITH ORDINALITY AS p (name, place)
    WHERE c.relkind IN ('r', 'v', 'm', 'p') AND c.relnamespace = 'public'::regnamespace
      AND has_table_privilege(c.oid, p.name)
    GROUP BY c.relname ORDER BY c.relname`
  expect(await lines(rights)).toEqual([
    'chain_cursor SELECT INSERT UPDATE',
    'chain_sighting SELECT INSERT UPDATE DELETE',
    'chain_transfer SELECT',
    'deposit_address SELECT',
    'installation SELECT',
  ])
})

it('it borrows more rights for one thing only: recording a transfer', async () => {
  const borrowed = `
    SELECT proname AS line FROM pg_proc
    WHERE prosecdef AND pronamespace = 'public'::regnamespace AND has_function_privilege(oid, 'EXECUTE')`
  expect(await lines(borrowed)).toEqual(['record_transfer'])
  const schemas = `
    SELECT nspname AS line FROM pg_namespace
    WHERE nspname !~ '^(pg_|information_schema)' AND has_schema_privilege(oid, 'USAGE')`
  expect(await lines(schemas)).toEqual(['public'])
})

it.each([
  'UPDATE chain_transfer SET value = 1',
  'DELETE FROM chain_transfer',
  "UPDATE deposit_address SET member_id = 1 WHERE address = ''",
  'SELECT FROM posting',
  'SELECT FROM graphile_worker.jobs',
  'CREATE TABLE own (id integer)',
])('%s is denied', async (statement) => {
  await expect(harness.gateway.pool.query(statement)).rejects.toMatchObject({ code: '42501' })
})
