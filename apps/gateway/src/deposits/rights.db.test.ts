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

it('it writes what the chain shows and what it is waiting for, and knows nothing of members and their balances', async () => {
  const rights = `
    SELECT concat_ws(' ', c.relname, string_agg(p.name, ' ' ORDER BY p.place)) AS line
    FROM pg_class c, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) WITH ORDINALITY AS p (name, place)
    WHERE c.relkind IN ('r', 'v', 'm', 'p') AND c.relnamespace = 'public'::regnamespace
      AND has_table_privilege(c.oid, p.name)
    GROUP BY c.relname ORDER BY c.relname`
  expect(await lines(rights)).toEqual([
    'audit_event INSERT',
    'chain_cursor SELECT INSERT UPDATE',
    'chain_outflow SELECT INSERT',
    'chain_payment SELECT',
    'chain_sighting SELECT INSERT UPDATE DELETE',
    'chain_transfer SELECT',
    'custody_address SELECT',
    'custody_holding SELECT',
    'custody_reading SELECT INSERT UPDATE',
    'deposit_address SELECT',
    'installation SELECT',
    'payout_stop SELECT',
    'withdrawal_obstacle SELECT INSERT UPDATE DELETE',
  ])
})

it('of a payment it notes only how the nodes take it, and of a withdrawal it reads only what is to be paid', async () => {
  const columns = `
    SELECT concat_ws(' ', p.privilege, a.attrelid::regclass, a.attname) AS line
    FROM pg_attribute a, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE']) AS p (privilege)
    WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attrelid IN ('chain_payment'::regclass, 'withdrawal'::regclass)
      AND has_column_privilege(a.attrelid, a.attnum, p.privilege)
      AND NOT (a.attrelid = 'chain_payment'::regclass AND p.privilege = 'SELECT')
    ORDER BY 1`
  expect(await lines(columns)).toEqual([
    'SELECT withdrawal amount',
    'SELECT withdrawal approved_at',
    'SELECT withdrawal fee',
    'SELECT withdrawal id',
    'SELECT withdrawal member_id',
    'SELECT withdrawal state',
    'SELECT withdrawal wallet_address',
    'UPDATE chain_payment broadcast_at',
    'UPDATE chain_payment broadcasts',
    'UPDATE chain_payment reply',
    'UPDATE chain_payment seen_block',
  ])
})

it('it borrows more rights for the steps of a transfer and of a payment, and not for signing one', async () => {
  const borrowed = `
    SELECT proname AS line FROM pg_proc
    WHERE prosecdef AND pronamespace = 'public'::regnamespace AND has_function_privilege(oid, 'EXECUTE')
    ORDER BY 1`
  expect(await lines(borrowed)).toEqual([
    'bury_payment',
    'import_signature',
    'prepare_payment',
    'record_transfer',
    'register_custody',
    'settle_payment',
  ])
  const schemas = `
    SELECT nspname AS line FROM pg_namespace
    WHERE nspname !~ '^(pg_|information_schema)' AND has_schema_privilege(oid, 'USAGE')`
  expect(await lines(schemas)).toEqual(['public'])
})

it.each([
  'UPDATE chain_transfer SET value = 1',
  'DELETE FROM chain_transfer',
  "UPDATE deposit_address SET member_id = 1 WHERE address = ''",
  "UPDATE chain_payment SET state = 'signed'",
  'UPDATE chain_payment SET signature = NULL',
  'UPDATE custody_holding SET amount = 0',
  'SELECT risks FROM withdrawal',
  'UPDATE payout_stop SET stopped = false',
  "SELECT sign_payment('', '', 0)",
  'SELECT FROM posting',
  'SELECT FROM graphile_worker.jobs',
  'CREATE TABLE own (id integer)',
])('%s is denied', async (statement) => {
  await expect(harness.gateway.pool.query(statement)).rejects.toMatchObject({ code: '42501' })
})
