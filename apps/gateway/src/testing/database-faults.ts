/** Makes the database block a program, or close its connections. */
import type pg from 'pg'

/** `waiting`: a lock blocks its query. */
export type ConnectionState = 'idle' | 'idle in transaction' | 'active' | 'waiting'

const CONNECTIONS = `
  SELECT pid, CASE WHEN wait_event_type = 'Lock' THEN 'waiting' ELSE state END AS state FROM pg_stat_activity
  WHERE application_name = $1 AND datname = current_database()`

/** The connections of a program, as the owner of the database sees them. */
export const connectionsOf = (
  owner: pg.Pool,
  program: 'aval gateway' | 'aval signer' | 'aval signer in a test',
) => ({
  async states(): Promise<ConnectionState[]> {
    const { rows } = await owner.query<{ state: ConnectionState }>(CONNECTIONS, [program])
    return rows.map((row) => row.state)
  },
  /** Closes those in this state; gives how many there were. */
  async close(state: ConnectionState): Promise<number> {
    const closing = `SELECT pg_terminate_backend(pid) FROM (${CONNECTIONS}) AS c WHERE state = $2`
    return (await owner.query(closing, [program, state])).rowCount ?? 0
  },
})

/** While `work` runs, writes to this table wait. */
export async function withoutWrites(owner: pg.Pool, table: string, work: () => Promise<void>): Promise<void> {
  const client = await owner.connect()
  try {
    await client.query('BEGIN')
    await client.query(`LOCK TABLE ${client.escapeIdentifier(table)} IN SHARE MODE`)
    await work()
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}
