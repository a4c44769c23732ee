/** The signer's end of its socket. What comes in is not trusted: every length, number and time has a limit. */
import { createServer, type Socket } from 'node:net'
import type { Log } from '../core/log.ts'
import { createLineReader } from './lines.ts'
import { LINE_LIMIT, parseLine, type SignAnswer, type SignerPort, signRequest } from './protocol.ts'
import { listenAt } from './socket.ts'

export interface SignerServer {
  /** Hangs up on everybody, and frees the place. */
  close(): Promise<void>
}

const CONNECTIONS = 8
/** Questions of one connection that are worked on at a time; further ones are not even read. */
const OPEN_LIMIT = 64
/** Answers that somebody does not read, in bytes. */
const UNREAD_LIMIT = 262_144
/** How long somebody may take from the begin of a line to its end. */
const HALF_LINE_MS = 5_000

/** @throws SocketRefusal when the place is taken or not private */
export async function serveSigner(options: {
  path: string
  signer: SignerPort
  log: Log
  halfLineMs?: number
}): Promise<SignerServer> {
  const { path, signer, log, halfLineMs = HALF_LINE_MS } = options
  const sockets = new Set<Socket>()
  let isClosing = false
  const server = createServer((socket) => {
    if (isClosing) return socket.destroy()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    attend(socket, signer, halfLineMs, (why) => log.warn('socket.hung_up', { why }))
  })
  server.maxConnections = CONNECTIONS
  const leave = await listenAt(path, server)
  return {
    close: async () => {
      isClosing = true
      for (const socket of sockets) socket.destroy()
      await leave()
    },
  }
}

function attend(socket: Socket, signer: SignerPort, halfLineMs: number, tell: (why: string) => void): void {
  let open = 0
  let half: NodeJS.Timeout | undefined
  const hangUp = (why: string) => {
    if (socket.destroyed) return
    tell(why)
    socket.destroy()
  }
  const answer = (content: SignAnswer) => {
    if (socket.destroyed) return
    socket.write(`${JSON.stringify(content)}\n`)
    if (socket.writableLength > UNREAD_LIMIT) hangUp('answers are not read')
  }
  const lines = createLineReader(LINE_LIMIT, (line) => {
    if (socket.destroyed) return
    const request = parseLine(signRequest, line)
    if (request === null) return hangUp('a line is no request')
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
    if (!lines.push(part)) return hangUp('a line is too long')
    // Counted from the line's begin: a byte now and then wins no time.
    if (lines.half) half ??= setTimeout(() => hangUp('a line does not end'), halfLineMs).unref()
    else {
      clearTimeout(half)
      half = undefined
    }
  })
  socket.on('close', () => clearTimeout(half))
  socket.on('error', () => undefined)
}
