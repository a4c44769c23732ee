import pg from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { createTestDatabase } from './testing.ts'

const database = await createTestDatabase(inject('ownerUrl'))
const owner = new pg.Client({ connectionString: database.ownerUrl })
const server = new pg.Client({ connectionString: database.serverUrl })
await Promise.all([owner.connect(), server.connect()])
afterAll(async () => {
  await Promise.all([owner.end(), server.end()])
  await database.drop()
})

const lines = async (query: string) =>
  (await owner.query<{ line: string }>(query)).rows.map(({ line }) => line)

/** The roles of this product: those that groups and sign-ins stand for, and those that own functions. */
const OURS = `(rolname ~ '^aval_(api|worker|server|gateway|signer|approvals|ledger|jobs)$' OR rolname ~ ('^' || current_database() || '_[a-z]+_login$'))`

describe('functions with raised privileges', () => {
  it('belong to a role that is no superuser, sees no more than its rows, and signs in nowhere', async () => {
    const owners = `SELECT DISTINCT r.rolname AS line FROM pg_proc f JOIN pg_roles r ON r.oid = f.proowner
      WHERE f.prosecdef AND f.pronamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) ORDER BY 1`
    expect(await lines(owners)).toEqual(['aval_jobs', 'aval_ledger'])
    const powers = `SELECT concat_ws(' ', rolname, rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb) AS line
      FROM pg_roles WHERE rolname IN ('aval_jobs', 'aval_ledger') ORDER BY 1`
    expect(await lines(powers)).toEqual(['aval_jobs f f f f f', 'aval_ledger f f f f f'])
  })

  it('have a fixed search path, and PUBLIC may call none', async () => {
    const loose = `SELECT f.oid::regprocedure::text AS line FROM pg_proc f
      WHERE f.prosecdef AND f.pronamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
        AND (NOT coalesce(f.proconfig && ARRAY['search_path=public, pg_temp', 'search_path=pg_catalog, pg_temp'], false)
          OR has_function_privilege('public', f.oid, 'EXECUTE'))`
    expect(await lines(loose)).toEqual([])
  })

  it('are the only ones that add jobs for another role, and the server cannot call those', async () => {
    await expect(server.query("SELECT enqueue_credit('a', 0)")).rejects.toMatchObject({ code: '42501' })
    await expect(server.query("SELECT enqueue_settlements('{a}')")).rejects.toMatchObject({ code: '42501' })
    await expect(server.query('SELECT enqueue_announcing()')).rejects.toMatchObject({ code: '42501' })
    await expect(server.query("SELECT enqueue_opening('a')")).rejects.toMatchObject({ code: '42501' })
  })
})

describe('no role of the product', () => {
  it('may create anything, in any schema or in the database', async () => {
    const schemas = `SELECT concat_ws(' ', rolname, nspname) AS line FROM pg_roles, pg_namespace
      WHERE ${OURS} AND has_schema_privilege(rolname, pg_namespace.oid, 'CREATE')
        AND NOT (rolname = 'aval_jobs' AND nspname = 'graphile_worker')`
    expect(await lines(schemas)).toEqual([])
    const databases = `SELECT rolname AS line FROM pg_roles
      WHERE ${OURS} AND has_database_privilege(rolname, current_database(), 'CREATE, TEMPORARY')`
    expect(await lines(databases)).toEqual([])
  })

  it('owns a table or may put a trigger on one, but for the owner of the job queue', async () => {
    const owned = `SELECT concat_ws(' ', rolname, c.oid::regclass) AS line FROM pg_roles, pg_class c
      WHERE ${OURS} AND rolname <> 'aval_jobs' AND c.relkind IN ('r', 'v', 'p')
        AND c.relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
        AND (pg_has_role(rolname, c.relowner, 'USAGE') OR has_table_privilege(rolname, c.oid, 'TRIGGER'))`
    expect(await lines(owned)).toEqual([])
  })

  it('is a member of a role that owns functions', async () => {
    const members = `SELECT rolname AS line FROM pg_roles, unnest(ARRAY['aval_ledger', 'aval_jobs']) AS owning
      WHERE ${OURS} AND rolname <> owning AND pg_has_role(rolname, owning, 'MEMBER')`
    expect(await lines(members)).toEqual([])
  })
})

describe('the server that wants to be superuser', () => {
  const grasp = `CREATE FUNCTION graphile_worker.grasp() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN EXECUTE format('ALTER ROLE %I SUPERUSER', session_user); END IF;
      RETURN NEW;
    END $$`

  it.each([
    ['puts no function into the job queue', grasp],
    [
      'puts no trigger on it',
      'CREATE TRIGGER grasp AFTER INSERT ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION public.refuse_change()',
    ],
    [
      'replaces none of its functions',
      `CREATE OR REPLACE FUNCTION graphile_worker.remove_job(job_key text) RETURNS graphile_worker._private_jobs LANGUAGE sql AS 'SELECT NULL'`,
    ],
    ['changes none of its columns', 'ALTER TABLE graphile_worker._private_jobs ADD COLUMN grasp text'],
    [
      'makes no rule for it',
      'CREATE RULE grasp AS ON INSERT TO graphile_worker._private_jobs DO ALSO NOTHING',
    ],
    [
      'has no function of its own',
      'CREATE FUNCTION public.grasp() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
    ],
    ['has no temporary table', 'CREATE TEMPORARY TABLE grasp (a int)'],
    ['has no schema', 'CREATE SCHEMA grasp'],
    ['becomes no other role', 'SET ROLE aval_jobs'],
    ['switches triggers off nowhere', 'SET session_replication_role = replica'],
  ])('%s', async (_what, statement) => {
    await expect(server.query(statement)).rejects.toMatchObject({ code: '42501' })
  })

  it('adds, sees and removes jobs as before', async () => {
    await server.query("SELECT graphile_worker.add_job('deposits.catch_up', job_key => 'mine')")
    const { rows } = await server.query("SELECT task_identifier FROM graphile_worker.jobs WHERE key = 'mine'")
    expect(rows).toEqual([{ task_identifier: 'deposits.catch_up' }])
    await server.query("SELECT graphile_worker.remove_job('mine')")
    expect((await server.query('SELECT FROM graphile_worker._private_jobs')).rowCount).toBe(0)
  })

  it('gets what a step adds as before, and that runs as the queue’s owner', async () => {
    // What a planted trigger would see, planted by the owner of the tables.
    await owner.query(`CREATE FUNCTION graphile_worker.seen() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE WARNING 'as %', current_user; RETURN NEW; END $$`)
    await owner.query(
      'CREATE TRIGGER seen AFTER INSERT ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION graphile_worker.seen()',
    )
    const notices: (string | undefined)[] = []
    owner.on('notice', ({ message }) => notices.push(message))
    await owner.query("SELECT register_custody('T', 'hot', 5, 1)")
    expect(notices).toEqual(['as aval_jobs'])
  })
})

describe('the server that wants money', () => {
  it.each([
    ['records no transfer', 'INSERT INTO incoming_transfer DEFAULT VALUES'],
    ['writes no journal', 'INSERT INTO journal DEFAULT VALUES'],
    ['writes no posting', 'INSERT INTO posting DEFAULT VALUES'],
    ['raises no balance', 'UPDATE member_balance SET balance = balance + 3000000000'],
    ['explains no missing money away', 'INSERT INTO custody_adjustment DEFAULT VALUES'],
    ['lifts no stop of payments', 'UPDATE payout_stop SET stopped = false'],
    ['approves in nobody’s name', 'INSERT INTO withdrawal_approval DEFAULT VALUES'],
    ['moves no withdrawal on', "UPDATE withdrawal SET state = 'approved'"],
    ['makes nobody an operator', 'UPDATE member SET is_operator = true'],
  ])('%s', async (_what, statement) => {
    await expect(server.query(statement)).rejects.toMatchObject({ code: '42501' })
  })
})
