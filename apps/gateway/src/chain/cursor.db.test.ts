import { connect } from '@aval/db'
import { DEVNET } from '@aval/tron'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createInstallation, suiteHarness } from '../testing/suite.ts'
import { moveCursor } from './cursor.sql.ts'

const { rows, database } = await suiteHarness((url) => createInstallation(url, DEVNET.xpub))
const gateway = connect(database.gatewayUrl, 2)
afterAll(() => gateway.close())

const SECOND = 1_000
const MINUTE = 60 * SECOND
const idOf = (number: number) => number.toString(16).padStart(64, '0')
/** Of a public network: its clock is compared with the database's. */
const NETWORK = 'nile'
let start = 0
beforeEach(async () => {
  start = Date.now() - 60 * MINUTE
  await rows('UPDATE installation SET network = $1', [NETWORK])
  await rows('DELETE FROM chain_cursor')
  await rows('INSERT INTO chain_cursor VALUES ($1, 100, $2, 120, 110, now(), $3)', [
    NETWORK,
    idOf(100),
    new Date(start),
  ])
})

type Block = Parameters<typeof moveCursor>[2][number]
/** So many milliseconds after the last one read. */
const block = (number: number, after: number, changes: Partial<Block> = {}): Block => ({
  number,
  id: idOf(number),
  parentId: idOf(number - 1),
  at: new Date(start + after),
  ...changes,
})
const move = (...blocks: Block[]) => moveCursor(gateway.db, NETWORK, blocks)
const read = async () =>
  Number((await rows<{ n: string }>('SELECT scanned_block AS n FROM chain_cursor'))[0]?.n)

describe('the cursor', () => {
  it('moves over blocks that follow the last one read', async () => {
    expect(await move(block(101, 3 * SECOND), block(102, 6 * SECOND))).toBe('moved')
    expect(await move(block(103, 9 * SECOND))).toBe('moved')
    expect(await read()).toBe(103)
  })

  it.each<[string, string, () => Block[]]>([
    ['goes back', 'elsewhere', () => [block(100, 3 * SECOND)]],
    ['skips a block', 'elsewhere', () => [block(102, 3 * SECOND)]],
    ['begins with another parent', 'elsewhere', () => [block(101, 3 * SECOND, { parentId: idOf(7) })]],
    ['has no block', 'elsewhere', () => []],
    [
      'has another parent further on',
      'no_link',
      () => [block(101, 3 * SECOND), block(102, 6 * SECOND, { parentId: idOf(7) })],
    ],
    ['skips one further on', 'no_link', () => [block(101, 3 * SECOND), block(103, 6 * SECOND)]],
    ['is older than the last one', 'time_goes_back', () => [block(101, -SECOND)]],
    ['is past the present', 'time_ahead', () => [block(101, 66 * MINUTE)]],
    ['leaps further than its blocks explain', 'time_leaps', () => [block(101, 10 * MINUTE)]],
  ])('is not moved by what %s: %s', async (_what, verdict, blocks) => {
    expect(await move(...blocks())).toBe(verdict)
    expect(await read()).toBe(100)
  })

  it('takes a leap once the database has waited as long: a chain that stood still goes on', async () => {
    await rows("UPDATE chain_cursor SET moved_at = moved_at - interval '9 minutes'")
    expect(await move(block(101, 10 * MINUTE))).toBe('moved')
    expect(await move(block(102, 20 * MINUTE))).toBe('time_leaps')
  })

  it('is that of this installation alone: under another name there is none to move', async () => {
    await sql`INSERT INTO chain_cursor (network, scanned_block, scanned_block_id, head_block, solid_block, seen_at)
      VALUES ('devnet', 100, ${idOf(100)}, 1, 1, now())`.execute(gateway.db)
    expect(await moveCursor(gateway.db, 'devnet', [block(101, 3 * SECOND)])).toBe('other_network')
  })

  it.each(['scanned_at', 'scanned_block', 'scanned_block_id', 'moved_at', 'network'])(
    'has a %s that the gateway’s role does not write',
    async (column) => {
      const write = sql`UPDATE chain_cursor SET ${sql.ref(column)} = ${sql.ref(column)}`.execute(gateway.db)
      await expect(write).rejects.toThrow('permission denied')
    },
  )
})
