/**
 * The signer's end of its socket: open to its own user only, in a folder that only this user can enter. Requests are not
 * trusted: every length, number and time has a limit.
 */
import { mkdir, stat } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import type { Log } from '../core/log.ts'
import { lockSocket } from '../core/socket-lock.ts'
import { createLineReader, parseLine, type SignAnswer, type SignerPort, signRequest } from './protocol.ts'

/** Why the signer cannot listen, in one line. */
export class SocketRefusal extends Error {
  override readonly name = 'SocketRefusal'
}

export interface SignerServer {
  /** Closes all connections, and frees the path. */
  close(): Promise<void>
}

const CONNECTIONS = 8
/** Requests of one connection that are handled at a time; further ones are not read yet. */
const OPEN_LIMIT = 64
/** How many bytes of answers may wait to be read. */
const UNREAD_LIMIT = 262_144
/** How long a line may take from its start to its end. */
const LINE_MS = 5_000

/** @throws SocketRefusal when the path is taken or not private */
export async function serveSigner(options: {
  path: string
  signer: SignerPort
  log: Log
  lineMs?: number
}): Promise<SignerServer> {
  const { path, signer, log, lineMs = LINE_MS } = options
  const sockets = new Set<Socket>()
  let isClosing = false
  const server = createServer((socket) => {
    if (isClosing) return socket.destroy()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serve(socket, signer, lineMs, (why) => log.warn('socket.disconnected', { why }))
  })
  server.maxConnections = CONNECTIONS
  await ensurePrivateFolder(dirname(path))
  const lock = await lockSocket(path, server, {
    greets: false,
    refuse: (holder) =>
      new SocketRefusal(
        holder === null
          ? `the signer's socket ${path} could not be taken`
          : `another signer listens at ${path} already`,
      ),
  })
  return {
    close: async () => {
      isClosing = true
      for (const socket of sockets) socket.destroy()
      await lock.release()
    },
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

function serve(
  socket: Socket,
  signer: SignerPort,
  lineMs: number,
  onDisconnect: (why: string) => void,
): void {
  let open = 0
  let timer: NodeJS.Timeout | undefined
  const disconnect = (why: string) => {
    if (socket.destroyed) return
    onDisconnect(why)
    socket.destroy()
  }
  const answer = (content: SignAnswer) => {
    if (socket.destroyed) return
    socket.write(`${JSON.stringify(content)}\n`)
    if (socket.writableLength > UNREAD_LIMIT) disconnect('answers are not read')
  }
  const lines = createLineReader((line) => {
    if (socket.destroyed) return
    const request = parseLine(signRequest, line)
    if (request === null) return disconnect('a line is no request')
    open += 1
    if (open >= OPEN_LIMIT) socket.pause()
    void signer.sign(request.txid).then((reply) => {
      open -= 1
      if (open < OPEN_LIMIT) socket.resume()
      const { id } = request
      if (reply.signed) answer({ id, signature: Buffer.from(reply.signature).toString('hex') })
      else answer({ id, refused: { code: reply.code, message: reply.message.slice(0, 500) } })
    })
  })
  socket.on('data', (part) => {
    if (!lines.push(part)) return disconnect('a line is too long')
    // Counted from the start of the line: sending a byte now and then gains no time.
    if (lines.isPartial) timer ??= setTimeout(() => disconnect('a line does not end'), lineMs).unref()
    else {
      clearTimeout(timer)
      timer = undefined
    }
  })
  socket.on('close', () => clearTimeout(timer))
  socket.on('error', () => undefined)
}
