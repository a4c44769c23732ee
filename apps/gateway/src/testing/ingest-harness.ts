/** A database with an installation and our addresses, and queries to check what was recorded. */
import { type Connection, connect } from '@aval/db'
import { createTestDatabase, type TestDatabase } from '@aval/db/testing'
import pg from 'pg'
import { createLog, type Log } from '../core/log.ts'
import { createFollower, type Follower } from '../ingest/follow.ts'
import { HOT, someAddress, USDT } from './scripted-transactions.ts'

export const NETWORK = 'devnet'

/** Addresses of members 1 to 9; address n belongs to member n. */
const ADDRESSES = Array.from({ length: 9 }, (_, index) => someAddress(index + 1))
export function addressOf(member: number) {
  return ADDRESSES[member - 1] ?? someAddress(member)
}

export interface Recorded {
  readonly txid: string
  readonly position: number
  readonly verdict: string
  readonly value: string
  readonly member: string
  readonly block: number
}

export interface IngestHarness {
  readonly database: TestDatabase
  /** As the gateway's own role. */
  readonly gateway: Connection
  /** As the owner, for set-up and checks. */
  readonly owner: pg.Pool
  readonly logged: string[]
  readonly log: Log
  follower(db?: Connection['db']): Follower
  recorded(): Promise<Recorded[]>
  /** "txid position" of what is recorded, in the order in which members are credited. */
  inOrder(): Promise<string[]>
  jobs(): Promise<string[]>
  unconfirmed(): Promise<string[]>
  cursor(): Promise<{ scanned: number; id: string; head: number; solid: number } | null>
  /** Deletes everything that was read. */
  reset(): Promise<void>
  close(): Promise<void>
}

export async function createIngestHarness(adminUrl: string): Promise<IngestHarness> {
  const database = await createTestDatabase(adminUrl)
  const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 2 })
  // A closed connection ends a moment later; until then dropping the database by force reports an error on it.
  owner.on('error', () => undefined)
  const gateway = connect(database.gatewayUrl, 4)
  const logged: string[] = []
  const log = createLog((line) => logged.push(line))
  await install(owner)
  return {
    database,
    gateway,
    owner,
    logged,
    log,
    follower: (db = gateway.db) =>
      createFollower({ db, network: NETWORK, startAt: 'first', usdt: USDT, hot: HOT, log }),
    ...checks(owner),
    async reset() {
      // Some rows in small tables: deleting them is ten times faster than truncating.
      for (const table of [
        'incoming_transfer',
        'chain_cursor',
        'unconfirmed_transfer',
        'graphile_worker._private_jobs',
      ]) {
        await owner.query(`DELETE FROM ${table}`)
      }
    },
    async close() {
      await gateway.close()
      await owner.end()
      await database.drop()
    },
  }
}

async function install(owner: pg.Pool): Promise<void> {
  await owner.query('INSERT INTO installation (network, usdt_contract, deposit_xpub) VALUES ($1, $2, $3)', [
    NETWORK,
    USDT,
    'xpub',
  ])
  await owner.query(
    'INSERT INTO deposit_address (address, member_id) SELECT * FROM unnest($1::text[], $2::bigint[])',
    [ADDRESSES, ADDRESSES.map((_, index) => index + 1)],
  )
}

function checks(owner: pg.Pool) {
  return {
    async recorded() {
      const { rows } = await owner.query<Recorded>(
        `SELECT txid, position, verdict, value::text, member_id::text AS member, block::int
         FROM incoming_transfer ORDER BY block, txid, position`,
      )
      return rows
    },
    async inOrder() {
      const { rows } = await owner.query<{ line: string }>(
        `SELECT concat_ws(' ', txid, position) AS line FROM incoming_transfer ORDER BY seq`,
      )
      return rows.map((row) => row.line)
    },
    async jobs() {
      const { rows } = await owner.query<{ key: string }>('SELECT key FROM graphile_worker.jobs ORDER BY key')
      return rows.map((row) => row.key)
    },
    async unconfirmed() {
      const { rows } = await owner.query<{ line: string }>(
        `SELECT concat_ws(' ', txid, position, member_id, block, value) AS line FROM unconfirmed_transfer ORDER BY block, txid, position`,
      )
      return rows.map((row) => row.line)
    },
    async cursor() {
      const { rows } = await owner.query<{ scanned: number; id: string; head: number; solid: number }>(
        `SELECT scanned_block::int AS scanned, scanned_block_id AS id, head_block::int AS head, solid_block::int AS solid
         FROM chain_cursor`,
      )
      return rows[0] ?? null
    },
  }
}
