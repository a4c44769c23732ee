/** The state of a database before something is measured on it, as the owner of its tables. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export async function asOwner<Result>(
  ownerUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'bench' })
  await client.connect()
  return work(client).finally(() => client.end())
}

export async function holdsTables(client: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM pg_tables WHERE schemaname = 'public' LIMIT 1")
  return rowCount !== 0
}

const NOT_ALLOWED = '42501'

/** Asks for a checkpoint, which only a superuser may; of a given server without that right, it is left out. */
export async function checkpoint(client: pg.ClientBase): Promise<void> {
  try {
    await client.query('CHECKPOINT')
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== NOT_ALLOWED) throw error
  }
}

/**
 * Leaves nothing for the measured work to tidy up: rows are marked as committed, statistics are there, nothing waits to
 * be written. Else the first to read a page writes it (with checksums, to the log as well), and autovacuum joins in.
 */
export async function analyse(client: pg.ClientBase): Promise<void> {
  await client.query('VACUUM (ANALYZE)')
  await checkpoint(client)
}

const MOST_LOOKS = 600
const LOOK_EVERY_MS = 100

/** Waits until autovacuum has nothing under way, for a minute at most, and leaves nothing to be written. */
export async function settle(client: pg.ClientBase): Promise<void> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const { rows } = await client.query<{ working: boolean }>(
      "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'autovacuum worker') AS working",
    )
    if (rows[0]?.working !== true) break
    await sleep(LOOK_EVERY_MS)
  }
  await checkpoint(client)
}
