/**
 * The place where the gateway finds the signer: a local socket that only our own user can open, in a folder that only our own
 * user can enter. One signer a place; what a killed one left there is cleared away.
 */
import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, rename, rm, stat } from 'node:fs/promises'
import { connect, type Server } from 'node:net'
import { dirname } from 'node:path'

/** Why the signer cannot listen there, in one line. */
export class SocketRefusal extends Error {
  override readonly name = 'SocketRefusal'
}

/** The system cuts longer paths off (107 bytes, 103 on macOS); the names we listen under at first are some bytes longer. */
export const PATH_LIMIT = 92
const ATTEMPTS = 5
const ANSWER_MS = 2_000

/** @returns how to leave: what has taken the place since is left alone. @throws SocketRefusal */
export async function listenAt(path: string, server: Server): Promise<() => Promise<void>> {
  await ensurePrivateFolder(dirname(path))
  // A name of its own first, and then the one that counts: `link` is atomic and never replaces.
  const own = `${path}.${randomBytes(4).toString('hex')}`
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(own, resolve))
  try {
    await chmod(own, 0o600)
    const { ino } = await stat(own)
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (await claim(own, path)) return () => leave(path, ino, server)
      await removeDead(path, own)
    }
    throw new SocketRefusal(`the signer's socket ${path} could not be taken`)
  } catch (error) {
    server.close()
    throw error
  } finally {
    await rm(own, { force: true })
  }
}

async function ensurePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { mode, uid } = await stat(folder)
  if (uid !== process.getuid?.() || (mode & 0o077) !== 0) {
    throw new SocketRefusal(
      `the folder ${folder} of the signer's socket must be its user's own and closed to others`,
    )
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

async function removeDead(path: string, own: string): Promise<void> {
  const before = await stat(path).catch(() => null)
  if (before === null) return
  if (await somebodyListens(path)) throw new SocketRefusal(`another signer listens at ${path} already`)
  const aside = `${own}.dead`
  await rename(path, aside).catch(() => undefined)
  const moved = await stat(aside).catch(() => null)
  // Another start may have put its living socket there since we looked: that one goes back.
  if (moved !== null && moved.ino !== before.ino) await link(aside, path).catch(() => undefined)
  await rm(aside, { force: true })
}

function somebodyListens(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const answer = (listens: boolean) => {
      socket.destroy()
      resolve(listens)
    }
    socket.setTimeout(ANSWER_MS, () => answer(true))
    socket.once('connect', () => answer(true))
    socket.once('error', (error: NodeJS.ErrnoException) => {
      answer(!['ECONNREFUSED', 'ENOENT'].includes(error.code ?? ''))
    })
  })
}

async function leave(path: string, ino: number, server: Server): Promise<void> {
  const present = await stat(path).catch(() => null)
  if (present?.ino === ino) await rm(path, { force: true })
  await new Promise((resolve) => server.close(resolve))
}
