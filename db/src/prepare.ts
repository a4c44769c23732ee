import { Logger, runMigrations } from 'graphile-worker'
import type pg from 'pg'
import { readAddress, withLogin } from './address.ts'
import { openClient, openPool } from './client.ts'
import { migrate } from './migrate.ts'

export { checkDatabase } from './migrate.ts'

/** Programs that sign in to the database, each with a role of its own. */
export const PROCESSES = ['api', 'worker', 'gateway', 'signer', 'approvals', 'auditor'] as const
export type Process = (typeof PROCESSES)[number]

/** The address by which each program signs in. */
export type Addresses = { readonly [P in Process as `${P}Url`]: string }
export type Passwords = Readonly<Record<Process, string>>

/** A database may be called `aval`: its sign-ins must not be called like the roles whose members they are. */
export const loginOf = (database: string, process: string): string => `${database}_${process}_login`

/**
 * How long a session may take over a statement, wait for a lock, and leave a transaction open. A program may ask for longer, as a
 * snapshot does; `endStalling` ends those that others wait for.
 */
const TIMEOUTS = {
  statement_timeout: '60s',
  lock_timeout: '20s',
  idle_in_transaction_session_timeout: '60s',
} as const

async function limitLogin(client: pg.Client, login: string, database: string): Promise<void> {
  const role = client.escapeIdentifier(login)
  const place = client.escapeIdentifier(database)
  const settings = Object.entries(TIMEOUTS).map(
    ([name, value]) => `ALTER ROLE ${role} IN DATABASE ${place} SET ${name} = '${value}'`,
  )
  await client.query(settings.join(';'))
}

export async function ensureLogin(
  client: pg.Client,
  login: string,
  groups: readonly string[],
  password: string,
): Promise<void> {
  const role = client.escapeIdentifier(login)
  const found = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [login])
  if (found.rowCount === 0) await client.query(`CREATE ROLE ${role} LOGIN NOINHERIT`)
  await client.query(`ALTER ROLE ${role} LOGIN INHERIT PASSWORD ${client.escapeLiteral(password)}`)
  for (const group of groups) await client.query(`GRANT ${client.escapeIdentifier(group)} TO ${role}`)
}

/**
 * What the server may do with the job tables: all that doing jobs takes, and nothing that changes the schema. The library
 * switches row level security on, so that a role other than the owner needs a policy as well.
 */
const JOB_PRIVILEGES = `DO $$
DECLARE name text;
BEGIN
  PERFORM pg_advisory_xact_lock(7298);
  FOR name IN SELECT relname FROM pg_class c WHERE relnamespace = 'graphile_worker'::regnamespace AND relkind = 'r' AND relrowsecurity
      AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'server') LOOP
    EXECUTE format('CREATE POLICY server ON graphile_worker.%I TO aval_server USING (true) WITH CHECK (true)', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON graphile_worker.%I TO aval_server', name);
  END LOOP;
  FOR name IN SELECT relname FROM pg_class c WHERE relnamespace = 'graphile_worker'::regnamespace AND relkind IN ('r', 'v')
      AND NOT has_table_privilege('aval_server', c.oid, 'SELECT') LOOP
    EXECUTE format('GRANT SELECT ON graphile_worker.%I TO aval_server', name);
  END LOOP;
END $$`

/**
 * The job tables belong to a role of their own, which nobody signs in as: a role that can change them could have its own code
 * run as the role that adds a job. The library asks for the right to create schemas even where its own exists; the role has it only
 * while this runs.
 */
async function prepareJobs(owner: pg.Client, ownerUrl: string): Promise<void> {
  const database = owner.escapeIdentifier(owner.database ?? '')
  const pool = openPool(ownerUrl, { max: 1, options: '-c role=aval_jobs' })
  await owner.query(`GRANT CREATE ON DATABASE ${database} TO aval_jobs`)
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => undefined) })
    await pool.query(JOB_PRIVILEGES)
  } finally {
    await owner.query(`REVOKE CREATE ON DATABASE ${database} FROM aval_jobs`)
    await pool.end()
  }
}

/** Migrates, and makes the sign-ins of this database. @throws DatabaseRefusal with the one clear sentence. */
export async function prepareDatabase(ownerUrl: string, passwords: Passwords): Promise<Addresses> {
  await migrate(ownerUrl)
  const client = openClient(ownerUrl)
  await client.connect()
  try {
    await prepareJobs(client, ownerUrl)
    await client.query('SELECT extend_all_partitions()')
    return await prepareLogins(client, ownerUrl, passwords)
  } finally {
    await client.end()
  }
}

/**
 * Makes the sign-ins of a database, one a program.
 *
 * @param client of a role that may, connected to any database of the cluster
 * @param ownerUrl address of the database
 */
export async function prepareLogins(
  client: pg.Client,
  ownerUrl: string,
  passwords: Passwords,
): Promise<Addresses> {
  const database = readAddress(ownerUrl).database
  // Nothing of ours needs temporary tables, and a role that can make none has one way less to surprise us.
  await client.query(`REVOKE TEMPORARY ON DATABASE ${client.escapeIdentifier(database)} FROM PUBLIC`)
  const me = await client.query('SELECT rolsuper FROM pg_roles WHERE rolname = current_user')
  const isSuperuser: boolean = me.rows[0]?.rolsuper
  const addressOf = async (process: Process) => {
    const login = loginOf(database, process)
    await ensureLogin(client, login, [`aval_${process}`], passwords[process])
    await limitLogin(client, login, database)
    // A member sees and ends its sessions; a superuser does so anyway.
    if (!isSuperuser) await client.query(`GRANT ${client.escapeIdentifier(login)} TO CURRENT_USER`)
    return withLogin(ownerUrl, login, passwords[process])
  }
  return {
    apiUrl: await addressOf('api'),
    workerUrl: await addressOf('worker'),
    gatewayUrl: await addressOf('gateway'),
    signerUrl: await addressOf('signer'),
    approvalsUrl: await addressOf('approvals'),
    auditorUrl: await addressOf('auditor'),
  }
}
