/**
 * A Unix socket as a lock: the process that listens at a path holds it. The system closes the socket however the process ends, so
 * no stale lock remains; only its file has to be cleared away.
 */
import { randomBytes } from 'node:crypto'
import { chmod, chown, link, rename, rm, stat } from 'node:fs/promises'
import { connect, type Server } from 'node:net'

const ATTEMPTS = 5
const ANSWER_MS = 2_000

export interface SocketLock {
  /** Stops listening and removes the file, unless another process has taken the path since. */
  release(): Promise<void>
}

export interface SocketLockOptions {
  /** Whether a holder says something when it is connected to; otherwise nothing is waited for. */
  readonly greets: boolean
  /** May connect as well; null, or not said: its user alone. */
  readonly group?: number | null
  /** The error for a path that is held, with what its holder said, or that cannot be taken (null). */
  readonly refuse: (holder: string | null) => Error
}

/** Listens at `path`; the file is open to its user only, or to a group besides. */
export async function lockSocket(
  path: string,
  server: Server,
  options: SocketLockOptions,
): Promise<SocketLock> {
  // First under a name of its own, then linked to the real one: `link` is atomic and never replaces.
  const own = `${path}.${randomBytes(4).toString('hex')}`
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(own, resolve))
  try {
    const { group = null } = options
    const { ino, gid } = await stat(own)
    // A service of its own begins with that group, and the system refuses it any change of owners (deploy/systemd).
    if (group !== null && gid !== group) await chown(own, process.getuid?.() ?? -1, group)
    await chmod(own, group === null ? 0o600 : 0o660)
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (await claim(own, path)) return { release: () => release(path, ino, server) }
      await removeDead(path, own, options)
    }
    throw options.refuse(null)
  } catch (error) {
    server.close()
    throw error
  } finally {
    await rm(own, { force: true })
  }
}

async function claim(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function removeDead(path: string, own: string, { greets, refuse }: SocketLockOptions): Promise<void> {
  const before = await stat(path).catch(() => null)
  if (before === null) return
  const answer = await ask(path, greets)
  if (answer !== null) throw refuse(answer)
  const aside = `${own}.dead`
  await rename(path, aside).catch(() => undefined)
  const moved = await stat(aside).catch(() => null)
  // Another process may have put its live socket there since the check: that one is put back.
  if (moved !== null && moved.ino !== before.ino) await link(aside, path).catch(() => undefined)
  await rm(aside, { force: true })
}

/** What the holder says first, '' when it says nothing, null when nobody listens. */
function ask(path: string, greets: boolean): Promise<string | null> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(path)
    const done = () => {
      socket.destroy()
      resolve(text)
    }
    socket.setTimeout(ANSWER_MS, done)
    if (!greets) socket.once('connect', done)
    socket.on('data', (part) => {
      text += part.toString('utf8')
    })
    socket.on('end', done)
    socket.on('error', (error: NodeJS.ErrnoException) => {
      resolve(['ECONNREFUSED', 'ENOENT'].includes(error.code ?? '') ? null : '')
    })
  })
}

async function release(path: string, ino: number, server: Server): Promise<void> {
  const present = await stat(path).catch(() => null)
  if (present?.ino === ino) await rm(path, { force: true })
  await new Promise((resolve) => server.close(resolve))
}
