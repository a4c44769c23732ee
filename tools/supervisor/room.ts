/**
 * Room on the disk of the data folder. PostgreSQL ends when its log finds none, and then nobody can read either: before that happens,
 * the database takes no more writes, which members are told in a sentence, and reads go on. With room again it takes them by itself.
 */
import { rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openClient } from '@aval/db/client'

const LEAST_FREE_BYTES = 64_000_000
const FREE_AGAIN_BYTES = 128_000_000
/** Given up when the disk is full at once: the change of a setting is a file, and so is what a recovery writes. */
const RESERVE_BYTES = 32_000_000
const LOOK_EVERY_MS = 2_000

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** @param say takes a line for the output of `npm start` */
export function watchRoom(
  dataDir: string,
  superuserUrl: string,
  say: (line: string) => void,
  free: () => Promise<number> = () => freeBytes(dataDir),
) {
  const reserve = join(dataDir, 'reserve')
  /** Null: as a start that was killed may have left it. */
  let takesWrites: boolean | null = null
  const set = async (isOn: boolean): Promise<void> => {
    const client = openClient(superuserUrl, { options: '-c default_transaction_read_only=off' })
    try {
      await client.connect()
      await client.query(
        `ALTER SYSTEM ${isOn ? 'RESET' : 'SET'} default_transaction_read_only${isOn ? '' : ' = on'}`,
      )
      await client.query('SELECT pg_reload_conf()')
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  /** A database that is away is told the next time. */
  const look = async (): Promise<void> => {
    const left = await free()
    const isLow = left < LEAST_FREE_BYTES
    if (isLow) await rm(reserve, { force: true })
    if (takesWrites === null || (takesWrites ? isLow : left >= FREE_AGAIN_BYTES)) {
      await set(!isLow)
      const mb = Math.round(left / 1e6)
      if (isLow)
        say(`The disk of ${dataDir} has ${mb} MB left: nothing is written until it has 128 MB again.`)
      else if (takesWrites === false) say(`There is room on the disk again (${mb} MB).`)
      takesWrites = !isLow
    }
    if (takesWrites && (await stat(reserve).catch(() => null)) === null && left > 2 * FREE_AGAIN_BYTES)
      await writeFile(reserve, Buffer.alloc(RESERVE_BYTES), { mode: 0o600 })
  }
  let looking: Promise<void> | null = null
  const begin = (): Promise<void> => {
    looking ??= look()
      .catch(() => undefined)
      .finally(() => {
        looking = null
      })
    return looking
  }
  const timer = setInterval(() => void begin(), LOOK_EVERY_MS)
  return {
    look: begin,
    async stop(): Promise<void> {
      clearInterval(timer)
      await looking
    },
  }
}
