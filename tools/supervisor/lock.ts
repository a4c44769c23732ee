/**
 * One start per data folder, by a unix socket the supervisor listens on: the system closes it however the supervisor
 * ends, so there is no stale lock, and a second start can ask it where the product runs.
 */
import { createHash, randomBytes } from 'node:crypto'
import { link, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { codeOf, Refusal } from './refusal.ts'

export interface Lock {
  release(): Promise<void>
}

const attempts = 5
const answerLimitMs = 2_000

/** @throws Refusal when another start holds the folder; its line says where that one runs. */
export async function lockDataFolder(dataDir: string, url: string): Promise<Lock> {
  const path = await socketPath(dataDir)
  const own = `${path}.${randomBytes(4).toString('hex')}`
  const server = await listen(own, url)
  try {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (await claim(own, path)) {
        await sweep(path)
        return { release: () => release(server, path) }
      }
      await removeDead(path, own, dataDir)
    }
    throw new Refusal(`The data folder ${dataDir} could not be locked (${path}).`)
  } catch (error) {
    server.close()
    throw error
  } finally {
    await rm(own, { force: true })
  }
}

/** Beside the data, unless the path would be longer than a socket's may be (107 bytes, 103 on macOS). */
export async function socketPath(dataDir: string): Promise<string> {
  const folder = await realpath(dataDir)
  const beside = join(folder, 'run.sock')
  if (Buffer.byteLength(beside) <= 88) return beside
  return join(tmpdir(), `aval-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.sock`)
}

async function listen(path: string, url: string): Promise<Server> {
  await rm(path, { force: true })
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.end(`${url}\n${process.pid}\n`)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  server.unref()
  return server
}

/** Gives our socket the name that counts, if nobody has it: `link` is atomic and never replaces. */
async function claim(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

async function removeDead(path: string, own: string, dataDir: string): Promise<void> {
  const before = await stat(path).catch(() => null)
  if (!before) return
  const answer = await ask(path)
  if (answer !== null) {
    const [url, pid] = answer.split('\n')
    throw new Refusal(`Aval already runs on ${dataDir}${url ? `: ${url} (process ${pid})` : ''}.`)
  }
  const aside = `${own}.dead`
  await rename(path, aside).catch(() => undefined)
  const moved = await stat(aside).catch(() => null)
  // Another start may have put its living socket there since we looked: that one goes back.
  if (moved && moved.ino !== before.ino) await link(aside, path).catch(() => undefined)
  await rm(aside, { force: true })
}

/** Names that a start killed within the last lines left behind; a fresh one may be another start's, at this moment. */
async function sweep(path: string): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(`${basename(path)}.`)) continue
    const file = join(dirname(path), name)
    const info = await stat(file).catch(() => null)
    if (info && Date.now() - info.mtimeMs > 60_000) await rm(file, { force: true })
  }
}

/** What the holder says, '' when it holds but is silent, null when nobody listens. */
function ask(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(path)
    socket.setTimeout(answerLimitMs, () => {
      socket.destroy()
      resolve(text)
    })
    socket.on('data', (part) => {
      text += part.toString('utf8')
    })
    socket.on('end', () => resolve(text))
    socket.on('error', (error) => resolve(['ECONNREFUSED', 'ENOENT'].includes(codeOf(error)) ? null : ''))
  })
}

async function release(server: Server, path: string): Promise<void> {
  await rm(path, { force: true })
  await new Promise((resolve) => server.close(resolve))
}
