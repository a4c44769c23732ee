import { Logger, runMigrations } from 'graphile-worker'
import pg from 'pg'
import { migrate } from './migrate.ts'

export interface Prepared {
  /** Signs in as the server's own role: appends to the ledger, cannot rewrite it. */
  readonly serverUrl: string
  /** Signs in as the gateway's own role: records transfers, cannot touch the ledger. */
  readonly gatewayUrl: string
  /** Signs in as the signer's own role: reads what is approved, stores signatures. */
  readonly signerUrl: string
}

const GROUPS = { server: 'aval_app', gateway: 'aval_chain', signer: 'aval_keys' } as const

async function ensureLogin(client: pg.Client, login: string, group: string, password: string): Promise<void> {
  const role = client.escapeIdentifier(login)
  const found = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [login])
  if (found.rowCount === 0) await client.query(`CREATE ROLE ${role} LOGIN NOINHERIT`)
  await client.query(`ALTER ROLE ${role} LOGIN INHERIT PASSWORD ${client.escapeLiteral(password)}`)
  await client.query(`GRANT ${client.escapeIdentifier(group)} TO ${role}`)
  await client.query(`GRANT CONNECT ON DATABASE ${client.escapeIdentifier(client.database ?? '')} TO ${role}`)
}

function withLogin(ownerUrl: string, login: string, password: string): string {
  const url = new URL(ownerUrl)
  url.username = encodeURIComponent(login)
  url.password = encodeURIComponent(password)
  return url.href
}

/**
 * The job tables belong to the server's role, so that neither the gateway nor a job can reach past it. The library asks
 * for the right to create schemas even where its own exists; the role has it only while this runs.
 */
async function prepareJobs(owner: pg.Client, ownerUrl: string): Promise<void> {
  const database = owner.escapeIdentifier(owner.database ?? '')
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 1, options: '-c role=aval_app' })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  await owner.query(`GRANT CREATE ON DATABASE ${database} TO aval_app`)
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => undefined) })
  } finally {
    await owner.query(`REVOKE CREATE ON DATABASE ${database} FROM aval_app`)
    await pool.end()
  }
}

/** Migrates, and makes the three sign-ins of this database. @throws DatabaseRefusal with the one clear sentence. */
export async function prepareDatabase(options: {
  ownerUrl: string
  serverPassword: string
  gatewayPassword: string
  signerPassword: string
}): Promise<Prepared> {
  await migrate(options.ownerUrl)
  const client = new pg.Client({ connectionString: options.ownerUrl })
  await client.connect()
  try {
    await prepareJobs(client, options.ownerUrl)
    const server = `${client.database}_server`
    const gateway = `${client.database}_gateway`
    const signer = `${client.database}_signer`
    // Nothing of ours needs temporary tables, and a role that can make none has one way less to surprise us.
    await client.query(
      `REVOKE TEMPORARY ON DATABASE ${client.escapeIdentifier(client.database ?? '')} FROM PUBLIC`,
    )
    await ensureLogin(client, server, GROUPS.server, options.serverPassword)
    await ensureLogin(client, gateway, GROUPS.gateway, options.gatewayPassword)
    await ensureLogin(client, signer, GROUPS.signer, options.signerPassword)
    return {
      serverUrl: withLogin(options.ownerUrl, server, options.serverPassword),
      gatewayUrl: withLogin(options.ownerUrl, gateway, options.gatewayPassword),
      signerUrl: withLogin(options.ownerUrl, signer, options.signerPassword),
    }
  } finally {
    await client.end()
  }
}
