/** Makes the database block the gateway, or close its connections. */
import type pg from 'pg'

/** `waiting`: a lock blocks its query. */
export type ConnectionState = 'idle' | 'idle in transaction' | 'active' | 'waiting'

const CONNECTIONS = `
  SELECT pid, CASE WHEN wait_event_type = 'Lock' THEN 'waiting' ELSE state END AS state FROM pg_stat_activity
  WHERE application_name = 'aval gateway' AND datname = current_database()`

/** The states of the gateway's connections. */
export async function connectionStates(owner: pg.Pool): Promise<ConnectionState[]> {
  const { rows } = await owner.query<{ state: ConnectionState }>(CONNECTIONS)
  return rows.map((row) => row.state)
}

/** Closes the gateway's connections that are in this state; gives how many there were. */
export async function closeConnections(owner: pg.Pool, state: ConnectionState): Promise<number> {
  const { rowCount } = await owner.query(
    `SELECT pg_terminate_backend(pid) FROM (${CONNECTIONS}) AS c WHERE state = $1`,
    [state],
  )
  return rowCount ?? 0
}

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
