/** What functions with raised privileges need themselves. A connection that planned nothing before looks it up anew. */
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { createTestDatabase } from './testing.ts'

const database = await createTestDatabase(inject('ownerUrl'))
const owner = new pg.Client({ connectionString: database.ownerUrl })
await owner.connect()
afterAll(async () => {
  await owner.end()
  await database.drop()
})

interface Callable {
  readonly role: string
  readonly name: string
  readonly names: readonly string[]
  readonly types: readonly string[]
}

const CALLABLE = `
  SELECT r.rolname AS role, f.oid::regproc::text AS name, coalesce(f.proargnames[1:f.pronargs], '{}')::text[] AS names,
    ARRAY(SELECT format_type(type, NULL) FROM unnest(f.proargtypes) AS type) AS types
  FROM pg_proc f, pg_roles r WHERE f.prosecdef AND f.pronamespace = 'public'::regnamespace AND f.prorettype <> 'trigger'::regtype
    AND r.rolname IN ('aval_api', 'aval_worker', 'aval_gateway', 'aval_signer', 'aval_approvals') AND has_function_privilege(r.rolname, f.oid, 'EXECUTE')
  ORDER BY 1, 2`

/** An admin is 1, everybody else 2. */
function minimal(name: string, type: string): string {
  if (type.endsWith('[]')) return `ARRAY[${minimal(name, type.slice(0, -2))}]::${type}`
  if (type === 'bigint' || type === 'integer') return /operator|asked_by/.test(name) ? '1' : '2'
  if (type.startsWith('timestamp')) return 'now()'
  if (type === 'boolean') return 'true'
  if (type === 'bytea') return `'\\x00'::bytea`
  if (type === 'jsonb' || type === 'json') return `'{}'::${type}`
  return `'1'::${type}`
}

async function called({ role, name, types }: Callable, args: readonly string[]): Promise<string | null> {
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  try {
    const given = args.map((arg, place) => `${arg}::${types[place]}`).join(', ')
    await client.query(
      `BEGIN; SET LOCAL statement_timeout = '20s'; SET LOCAL ROLE ${role}; SELECT ${name}(${given}); ROLLBACK`,
    )
    return null
  } catch (error) {
    const { code, message } = error as pg.DatabaseError
    return code === '42501' ? `${role}: ${name}: ${message}` : null
  } finally {
    await client.end()
  }
}

it('each of them, called by each role that may, is let by what it needs', async () => {
  await owner.query(`INSERT INTO member (username, email, password_hash, first_name, last_name, ref_code, joined_at, terms_accepted_at, is_operator, operator_role)
    SELECT 'user' || n, 'user' || n || '@x.co', '', 'Ana María', 'de la Cruz', '000000' || n, now(), now(), n = 1, CASE n WHEN 1 THEN 'admin' END FROM generate_series(1, 2) n`)
  const { rows } = await owner.query<Callable>(CALLABLE)
  expect(rows.length).toBeGreaterThan(100)
  const refused: (string | null)[] = []
  for (const each of rows) {
    refused.push(
      await called(
        each,
        each.types.map(() => 'NULL'),
      ),
    )
    refused.push(
      await called(
        each,
        each.types.map((type, place) => minimal(each.names[place] ?? '', type)),
      ),
    )
  }
  expect(refused.filter((line) => line !== null)).toEqual([])
})

it('their owner may call every function that an index or a check of a table needs which it writes', async () => {
  const { rows } = await owner.query<{ line: string }>(`
    SELECT DISTINCT format('%s needs %s', t.oid::regclass, f.oid::regprocedure) AS line
    FROM pg_class t JOIN (SELECT indrelid AS of, indexrelid AS id, 'pg_class'::regclass AS class FROM pg_index
        UNION ALL SELECT conrelid, oid, 'pg_constraint'::regclass FROM pg_constraint) part ON part.of = t.oid
      JOIN pg_depend d ON d.classid = part.class AND d.objid = part.id AND d.refclassid = 'pg_proc'::regclass
      JOIN pg_proc f ON f.oid = d.refobjid, unnest(ARRAY['aval_ledger', 'aval_jobs']) AS owning
    WHERE (has_any_column_privilege(owning, t.oid, 'INSERT, UPDATE')) AND NOT has_function_privilege(owning, f.oid, 'EXECUTE')`)
  expect(rows.map(({ line }) => line)).toEqual([])
})
