/** A throw-away PostgreSQL for tests: in memory or not forced to the disk, and the folder goes with it. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, realpath, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Embedded, type EmbeddedOptions, startEmbedded } from './embedded.ts'
import { clearLeftovers } from './embedded-leftovers.ts'

/** @param options flags and the folder of another PostgreSQL, as `startEmbedded` takes them */
export async function startEphemeral(
  options: Pick<EmbeddedOptions, 'flags' | 'bin'> = {},
): Promise<Embedded> {
  for (const place of [MEMORY, tmpdir()]) await sweepEphemeral(place)
  const place = (await hasRoom(MEMORY)) ? MEMORY : tmpdir()
  const dataDir = await mkdtemp(join(place, `aval-postgres-${process.pid}-`))
  const { flags: more = [], ...others } = options
  const flags = [
    'fsync=off',
    'full_page_writes=off',
    'synchronous_commit=off',
    'max_wal_size=1GB',
    'max_wal_senders=0',
    'wal_level=minimal',
    'unix_socket_directories=.',
    ...more,
  ]
  const remove = () => rm(dataDir, { recursive: true, force: true, maxRetries: 3 })
  try {
    const password = randomBytes(12).toString('hex')
    const running = await startEmbedded({ dataDir, password, flags, ...others })
    const stop = () => running.stop().then(remove)
    // Its socket lies in the cluster's folder, and takes a sixth less of the processor than the loopback network.
    const socket = encodeURIComponent(join(await realpath(dataDir), 'postgres'))
    // Tests plant what no role of the product could.
    const url = running.superuserUrl.replace('@127.0.0.1:', `@${socket}:`)
    return { ...running, url, stop }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Linux's folder in memory: a database is copied there in an eighth of the processor time that a disk's files take. */
const MEMORY = '/dev/shm'
/** The whole test run fills less than half of this. */
const ROOM_BYTES = 4 * 2 ** 30

/** In the folder, which may be a small one as in most containers, and in the machine. */
async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: 0, bsize: 0 }))
  return Math.min(bavail * bsize, process.availableMemory() / 2) > ROOM_BYTES
}

/** Removes throw-away clusters whose maker was killed. */
async function sweepEphemeral(place: string): Promise<void> {
  for (const name of await readdir(place).catch(() => [])) {
    const maker = /^aval-postgres-(\d+)-/.exec(name)?.[1]
    if (maker === undefined || isAlive(Number.parseInt(maker, 10))) continue
    const dir = join(place, name)
    if ((await stat(dir).catch(() => null))?.uid !== process.getuid?.()) continue
    await clearLeftovers(join(await realpath(dir), 'postgres'))
    await rm(dir, { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
