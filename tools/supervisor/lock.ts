/**
 * One start per data folder, by a unix socket the supervisor listens on: the system closes it however the supervisor
 * ends, so there is no stale lock, and a second start can ask it where the product runs.
 */
import { createHash } from 'node:crypto'
import { readdir, realpath, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { lockSocket, type SocketLock } from '../../apps/gateway/src/core/socket-lock.ts'
import { Refusal } from '../core/refusal.ts'

/** @throws Refusal when another start holds the folder; its line says where that one runs. */
export async function lockDataFolder(dataDir: string, url: string): Promise<SocketLock> {
  const path = await socketPath(dataDir)
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.end(`${url}\n${process.pid}\n`)
  })
  const lock = await lockSocket(path, server, {
    greets: true,
    refuse: (holder) => {
      if (holder === null) return new Refusal(`The data folder ${dataDir} could not be locked (${path}).`)
      const [runsAt, pid] = holder.split('\n')
      return new Refusal(`Aval already runs on ${dataDir}${runsAt ? `: ${runsAt} (process ${pid})` : ''}.`)
    },
  })
  server.unref()
  await removeLeftovers(path)
  return lock
}

export const socketPath = (dataDir: string): Promise<string> =>
  socketPlace(dataDir, 'run.sock', (folder) => `aval-${folder}.sock`)

/**
 * Beside the data; in the system's folder for temporary files where that path would be longer than a socket's may be (107 bytes,
 * 103 on macOS). The same for the same data folder every time.
 *
 * @param elsewhere of a short name for the data folder
 */
export async function socketPlace(
  dataDir: string,
  beside: string,
  elsewhere: (folder: string) => string,
): Promise<string> {
  const folder = await realpath(dataDir)
  const path = join(folder, beside)
  if (Buffer.byteLength(path) <= 88) return path
  return join(tmpdir(), elsewhere(createHash('sha256').update(folder).digest('hex').slice(0, 16)))
}

/** Removes the temporary names of starts that were killed while they took the lock; a recent one may still be in use. */
async function removeLeftovers(path: string): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(`${basename(path)}.`)) continue
    const file = join(dirname(path), name)
    const info = await stat(file).catch(() => null)
    if (info && Date.now() - info.mtimeMs > 60_000) await rm(file, { force: true })
  }
}
