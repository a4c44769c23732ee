/** What a database may do to a gateway: keep it waiting, and cut its connections. */
import type pg from 'pg'

/** `waiting` is in the middle of a query that a lock holds up. */
export type ConnectionState = 'idle' | 'idle in transaction' | 'active' | 'waiting'

const CONNECTIONS = `
  SELECT pid, CASE WHEN wait_event_type = 'Lock' THEN 'waiting' ELSE state END AS state FROM pg_stat_activity
  WHERE application_name = 'aval gateway' AND datname = current_database()`

/** What the gateway's connections are doing. */
export async function connectionStates(owner: pg.Pool): Promise<ConnectionState[]> {
  const { rows } = await owner.query<{ state: ConnectionState }>(CONNECTIONS)
  return rows.map((row) => row.state)
}

/** Cuts those of the gateway's connections that are in this state; how many there were. */
export async function cut(owner: pg.Pool, state: ConnectionState): Promise<number> {
  const { rowCount } = await owner.query(
    `SELECT pg_terminate_backend(pid) FROM (${CONNECTIONS}) AS c WHERE state = $1`,
    [state],
  )
  return rowCount ?? 0
}

/** While `work` runs, whoever wants to write to this table waits. */
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
