/** What serves all tests of one file: a harness, on a database of its own. */
import { createTestDatabase } from '@aval/db/testing'
import { DEVNET } from '@aval/tron'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { createLog } from '../core/log.ts'

/** Closed after the tests of the file. */
export async function suiteHarness<Harness extends { close(): Promise<unknown> }, Settings extends unknown[]>(
  create: (adminUrl: string, ...settings: Settings) => Promise<Harness>,
  ...settings: Settings
): Promise<Harness> {
  const harness = await create(inject('ownerUrl'), ...settings)
  afterAll(() => harness.close())
  return harness
}

/**
 * A database set up for the development chain, as its owner reads and changes it, and a log that is kept.
 * @param deposits derived addresses of members; their indexes are the members' numbers
 */
export async function createInstallation(
  adminUrl: string,
  xpub: string,
  deposits: readonly (readonly [member: number, address: string])[] = [],
  part = 'gateway',
) {
  const database = await createTestDatabase(adminUrl)
  const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 3 })
  // A closed connection ends a moment later; until then dropping the database by force reports an error on it.
  owner.on('error', () => undefined)
  const rows = async <Row extends pg.QueryResultRow>(query: string, values: unknown[] = []) =>
    (await owner.query<Row>(query, values)).rows
  await rows("INSERT INTO installation (network, usdt_contract, deposit_xpub) VALUES ('devnet', $1, $2)", [
    DEVNET.usdt,
    xpub,
  ])
  await rows(
    'INSERT INTO deposit_address (member_id, key_index, address) SELECT m, m, a FROM unnest($1::bigint[], $2::text[]) AS d (m, a)',
    [deposits.map(([member]) => member), deposits.map(([, address]) => address)],
  )
  const logged: string[] = []
  return {
    database,
    owner,
    /** As the owner, for set-up and checks. */
    rows,
    /** Stops all money out, or lets it go on. */
    stopPayouts: (stopped: boolean) => rows('UPDATE payout_stop SET stopped = $1', [stopped]),
    logged,
    log: createLog((line) => logged.push(line), part),
    async close() {
      await owner.end()
      await database.drop()
    },
  }
}
