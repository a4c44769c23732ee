/**
 * The floor: what this machine and this PostgreSQL need at the very least to write a payout day, measured in the same
 * cluster, with the day's own rows. As many rows as the day posted into a logged table without an index, and as many
 * balances updated as it changed; each one statement and one transaction. No payout engine that keeps its books in
 * PostgreSQL can be faster, so the day is told as a multiple of it.
 */
import pg from 'pg'
import { dropFloor, insertFloor, makeFloor, settleFloor, updateFloor } from './floor.sql.ts'
import { timed } from './timing.ts'

export interface Floor {
  readonly insertMs: number
  readonly updateMs: number
  readonly postings: number
  readonly balances: number
}

/** The fastest of three is the floor; with millions of rows one measurement is steady, and takes a minute. */
const REPEATS = 3
const STEADY_ROWS = 2_000_000

/** With memory to join in: spilling to the disk would be the floor's own clumsiness. */
const WORK_MEM = "SET work_mem = '512MB'"

/** @param afterJournal the day's journals come after it @param batch members a transaction when principal was loaded */
export async function measureFloor(ownerUrl: string, afterJournal: string, batch: number): Promise<Floor> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'bench-floor' })
  await client.connect()
  try {
    await client.query(WORK_MEM)
    await makeFloor(client, afterJournal, batch)
    let floor: Floor = { insertMs: Infinity, updateMs: Infinity, postings: 0, balances: 0 }
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      if (repeat > 0 && floor.postings > STEADY_ROWS) break
      if (repeat > 0) await settleFloor(client)
      let { postings, balances } = floor
      const insertMs = await timed(async () => {
        postings = await insertFloor(client)
      })
      const updateMs = await timed(async () => {
        balances = await updateFloor(client)
      })
      floor = {
        insertMs: Math.min(floor.insertMs, insertMs),
        updateMs: Math.min(floor.updateMs, updateMs),
        postings,
        balances,
      }
    }
    await dropFloor(client)
    return floor
  } finally {
    await client.end()
  }
}
