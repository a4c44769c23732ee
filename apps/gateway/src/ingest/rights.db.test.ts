import { expect, it } from 'vitest'
import { createIngestHarness } from '../testing/ingest-harness.ts'
import { suiteHarness } from '../testing/suite.ts'

/** What the gateway's role may do in the database, whatever its code does. */
const harness = await suiteHarness(createIngestHarness)

const lines = async (query: string) => {
  const { rows } = await harness.gateway.pool.query<{ line: string }>(query)
  return rows.map((row) => row.line)
}

it('the gateway’s role writes what the chain shows and why it waits, and reads nothing of members and balances', async () => {
  const rights = `
    SELECT concat_ws(' ', c.relname, string_agg(p.name, ' ' ORDER BY p.place)) AS line
    FROM pg_class c, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) WITH ORDINALITY AS p (name, place)
    WHERE c.relkind IN ('r', 'v', 'm', 'p') AND c.relnamespace = 'public'::regnamespace
      AND has_table_privilege(c.oid, p.name)
    GROUP BY c.relname ORDER BY c.relname`
  expect(await lines(rights)).toEqual([
    'approval_decision SELECT',
    'approval_row SELECT',
    'chain_cursor SELECT',
    'chain_genesis SELECT INSERT',
    'custody_address SELECT',
    'custody_holding SELECT',
    'custody_reading SELECT INSERT UPDATE',
    'deposit_address SELECT',
    'gateway_lease SELECT',
    'gateway_node SELECT INSERT UPDATE DELETE',
    'incoming_transfer SELECT',
    'installation SELECT',
    // Public keys and signatures of members, which the export carries to a machine without a network.
    'member_key SELECT',
    'outgoing_transfer SELECT',
    'payout_stop SELECT',
    'unconfirmed_transfer SELECT INSERT UPDATE DELETE',
    'unexplained_outflow SELECT INSERT',
    'withdrawal_delay SELECT INSERT UPDATE DELETE',
    'withdrawal_proof SELECT',
  ])
})

it('it updates only the broadcast columns of a transfer, and reads only what to send of a withdrawal', async () => {
  const columns = `
    SELECT concat_ws(' ', p.privilege, a.attrelid::regclass, a.attname) AS line
    FROM pg_attribute a, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE']) AS p (privilege)
    WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attrelid IN ('outgoing_transfer'::regclass, 'withdrawal'::regclass)
      AND has_column_privilege(a.attrelid, a.attnum, p.privilege)
      AND NOT (a.attrelid = 'outgoing_transfer'::regclass AND p.privilege = 'SELECT')
    ORDER BY 1`
  expect(await lines(columns)).toEqual([
    'SELECT withdrawal amount',
    'SELECT withdrawal approved_at',
    'SELECT withdrawal fee',
    'SELECT withdrawal id',
    'SELECT withdrawal member_id',
    'SELECT withdrawal state',
    'SELECT withdrawal traceparent',
    'SELECT withdrawal wallet_address',
    'UPDATE outgoing_transfer broadcast_at',
    'UPDATE outgoing_transfer broadcasts',
    'UPDATE outgoing_transfer reply',
    'UPDATE outgoing_transfer seen_block',
  ])
})

it('its functions with more rights are the steps of transfers, without signing, its lease, and its entries of the audit trail', async () => {
  const functions = `
    SELECT proname AS line FROM pg_proc
    WHERE prosecdef AND pronamespace = 'public'::regnamespace AND has_function_privilege(oid, 'EXECUTE')
    ORDER BY 1`
  expect(await lines(functions)).toEqual([
    'adopt_transfer',
    'deposit_address_stock',
    'expire_outgoing_transfer',
    'hold_gateway_lease',
    'import_signature',
    'is_frozen',
    'move_chain_cursor',
    'prepare_outgoing_transfer',
    'record_audit',
    'record_incoming_transfer',
    'register_custody',
    'release_gateway_lease',
    'settle_outgoing_transfer',
    'settle_outgoing_transfers',
    'take_offline_approval',
  ])
  const schemas = `
    SELECT nspname AS line FROM pg_namespace
    WHERE nspname !~ '^(pg_|information_schema)' AND has_schema_privilege(oid, 'USAGE')`
  expect(await lines(schemas)).toEqual(['public'])
})

it.each([
  'UPDATE incoming_transfer SET value = 1',
  'DELETE FROM incoming_transfer',
  "UPDATE deposit_address SET member_id = 1 WHERE address = ''",
  "UPDATE outgoing_transfer SET state = 'signed'",
  'UPDATE outgoing_transfer SET signature = NULL',
  'UPDATE custody_holding SET amount = 0',
  'SELECT risks FROM withdrawal',
  'UPDATE payout_stop SET stopped = false',
  "SELECT sign_outgoing_transfer('', '', 0)",
  'SELECT FROM posting',
  'SELECT FROM graphile_worker.jobs',
  'CREATE TABLE own (id integer)',
])('%s is denied', async (statement) => {
  await expect(harness.gateway.pool.query(statement)).rejects.toMatchObject({ code: '42501' })
})
