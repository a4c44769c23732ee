/** A database with an installation and our addresses, and queries to check what was recorded. */
import { connect } from '@aval/db'
import { beforeEach } from 'vitest'
import { nodesOf } from '../chain/nodes.ts'
import { createFollower, type Follower } from '../ingest/follow.ts'
import { HOT, ScriptedChain, ScriptedNode, someAddress, USDT } from './scripted-chain.ts'
import { createInstallation, suiteHarness } from './suite.ts'

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

/** For all tests of a file: a database, and a node with a scripted chain. Each test begins with an empty one and one block. */
export async function ingestSuite(solidLag = 0) {
  const harness = await suiteHarness(createIngestHarness)
  const chain = new ScriptedChain()
  const scripted = new ScriptedNode(chain)
  const node = scripted.client()
  beforeEach(async () => {
    await harness.reset()
    chain.begin(solidLag)
    scripted.distort = () => undefined
    scripted.asked.length = 0
  })
  return { harness, chain, scripted, node, poll: (follower: Follower) => follower.poll(nodesOf([node])) }
}

export async function createIngestHarness(adminUrl: string) {
  const installation = await createInstallation(
    adminUrl,
    'xpub',
    [...ADDRESSES.entries()].map(([index, address]) => [index + 1, address]),
  )
  const { database, rows, log } = installation
  /** As the gateway's own role. */
  const gateway = connect(database.gatewayUrl, 4)
  const lines = async (query: string) => (await rows<{ line: string }>(query)).map(({ line }) => line)
  return {
    ...installation,
    gateway,
    follower: (db = gateway.db) =>
      createFollower({ db, network: NETWORK, startAt: 'first', usdt: USDT, hot: HOT, log }),
    recorded: () =>
      rows<Recorded>(
        `SELECT txid, position, verdict, value::text, member_id::text AS member, block::int
         FROM incoming_transfer ORDER BY block, txid, position`,
      ),
    /** "txid position" of what is recorded, in the order in which members are credited. */
    inOrder: () => lines("SELECT concat_ws(' ', txid, position) AS line FROM incoming_transfer ORDER BY seq"),
    jobs: () => lines('SELECT key AS line FROM graphile_worker.jobs ORDER BY key'),
    unconfirmed: () =>
      lines(
        `SELECT concat_ws(' ', txid, position, member_id, block, value) AS line
         FROM unconfirmed_transfer ORDER BY block, txid, position`,
      ),
    async cursor() {
      const [cursor] = await rows<{ scanned: number; id: string; head: number; solid: number }>(
        `SELECT scanned_block::int AS scanned, scanned_block_id AS id, head_block::int AS head, solid_block::int AS solid
         FROM chain_cursor`,
      )
      return cursor ?? null
    },
    /** Deletes everything that was read: some rows in small tables, ten times faster than truncating. */
    async reset() {
      const read = [
        'incoming_transfer',
        'chain_cursor',
        'unconfirmed_transfer',
        'chain_genesis',
        'gateway_node',
      ]
      for (const table of [...read, 'graphile_worker._private_jobs']) await rows(`DELETE FROM ${table}`)
    },
    async close() {
      await gateway.close()
      await installation.close()
    },
  }
}
