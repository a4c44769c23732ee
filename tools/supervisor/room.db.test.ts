import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPool } from '@aval/db/client'
import { startEphemeral } from '@aval/db/ephemeral'
import { expect, test, vi } from 'vitest'
import { watchRoom } from './room.ts'

test('a disk that is nearly full takes no writes and goes on reading, and takes them again once there is room', async () => {
  const [database, folder] = [await startEphemeral(), mkdtempSync(join(tmpdir(), 'aval-room-'))]
  // As the programs connect: one that was refused a write is replaced by a fresh connection.
  const client = openPool(database.url, { max: 2 })
  let left = 10_000_000_000
  const said: string[] = []
  const room = watchRoom(
    folder,
    database.superuserUrl,
    (line) => void said.push(line),
    async () => left,
  )
  /** The setting reaches an open session a moment later. */
  const write = () =>
    client.query('INSERT INTO kept VALUES (1)').then(
      () => 'written',
      ({ code }) => code,
    )
  const becomes = (outcome: string) =>
    vi.waitFor(async () => expect(await write()).toBe(outcome), { timeout: 240_000, interval: 50 })
  try {
    await client.query('CREATE TABLE kept (n int)')
    await room.look()
    expect(existsSync(join(folder, 'reserve'))).toBe(true)
    left = 63_000_000
    await room.look()
    await becomes('25006')
    expect((await client.query('SELECT count(*)::int AS n FROM kept')).rows).toEqual([{ n: 0 }])
    expect(existsSync(join(folder, 'reserve'))).toBe(false)
    left = 100_000_000
    await room.look()
    expect(await write()).toBe('25006')
    left = 129_000_000
    await room.look()
    await becomes('written')
    expect(said).toEqual([expect.stringContaining('63 MB left'), 'There is room on the disk again (129 MB).'])
  } finally {
    await room.stop()
    await client.end()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
