/**
 * The local socket between the gateway and the signer. The gateway names a transfer; the signer reads from the database
 * what to sign.
 *
 * On the wire: a line of JSON each way. `{id, txid}` is answered by `{id, signature}` or by
 * `{id, refused: {code, message}}`, in any order. Anything else ends the connection.
 */
import { mkdir, stat } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { z } from 'zod'
import type { Log } from '../core/log.ts'
import { lockSocket } from '../core/socket-lock.ts'

/** The signature, which is already stored; or why there is none. `code` is a stable name, `message` a sentence. */
export type SignerReply =
  | { readonly signed: true; readonly signature: Uint8Array }
  | { readonly signed: false; readonly code: string; readonly message: string }

export interface SignerPort {
  /**
   * Signs the prepared transfer with this txid; gives the stored signature where it is signed already. Never throws: when
   * the signer cannot be reached or does not answer, the code is `signer_unavailable`, and a signature may be stored even so.
   */
  sign(txid: string): Promise<SignerReply>
}

/** The longest line either side accepts, in bytes. */
const LINE_LIMIT = 2_048
/** The longest socket path: the system cuts at 107 bytes (103 on macOS), and the lock's own name is longer. */
export const PATH_LIMIT = 92

const id = z.int().min(1)

const signRequest = z.strictObject({ id, txid: z.string().regex(/^[0-9a-f]{64}$/) })

const signAnswer = z.union([
  z.strictObject({ id, signature: z.string().regex(/^[0-9a-f]{130}$/) }),
  z.strictObject({
    id,
    refused: z.strictObject({ code: z.string().regex(/^[a-z_]{1,64}$/), message: z.string().max(500) }),
  }),
])
type SignAnswer = z.infer<typeof signAnswer>

/** Null for a line that is no JSON, or not of this form. */
function parseLine<Value>(schema: z.ZodType<Value>, line: string): Value | null {
  try {
    return schema.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}

/** Splits a stream of bytes into lines, and never keeps more than one line of LINE_LIMIT bytes. */
function createLineReader(onLine: (line: string) => void) {
  let partial: Buffer = Buffer.alloc(0)
  let tooLong = false
  return {
    /** Takes the next bytes and passes on whole lines. False when a line is too long; nothing is read after that. */
    push(part: Buffer): boolean {
      let rest = part
      while (!tooLong) {
        const end = rest.indexOf(10)
        const piece = end === -1 ? rest : rest.subarray(0, end)
        if (partial.length + piece.length > LINE_LIMIT) {
          tooLong = true
          partial = Buffer.alloc(0)
          break
        }
        const line = partial.length === 0 ? piece : Buffer.concat([partial, piece])
        if (end === -1) {
          partial = line.length === 0 ? line : Buffer.from(line)
          break
        }
        partial = Buffer.alloc(0)
        rest = rest.subarray(end + 1)
        onLine(line.toString('utf8'))
      }
      return !tooLong
    },
    /** Whether a line has started and not ended. */
    get isPartial(): boolean {
      return partial.length > 0
    },
  }
}

/** How many requests of the gateway may be open at once. */
const CLIENT_OPEN_LIMIT = 1_000

const unavailable = (message: string): SignerReply => ({ signed: false, code: 'signer_unavailable', message })

/**
 * The gateway's end: one connection, opened when needed and again after it broke.
 * @param path of the signer's socket
 * @param options.timeoutMs how long an answer may take
 */
export function createSignerClient(path: string, { timeoutMs = 10_000 } = {}) {
  const waiting = new Map<number, { answer: (reply: SignerReply) => void; late: NodeJS.Timeout }>()
  let socket: Socket | null = null
  let last = 0

  const resolve = (id: number, reply: SignerReply): void => {
    const known = waiting.get(id)
    waiting.delete(id)
    clearTimeout(known?.late)
    known?.answer(reply)
  }
  const disconnect = (why: string) => {
    const ended = socket
    socket = null
    ended?.destroy()
    for (const id of [...waiting.keys()]) resolve(id, unavailable(why))
  }
  const open = (): Socket => {
    const opened = connect(path)
    const ended = (why: string) => {
      if (socket === opened) disconnect(why)
    }
    const lines = createLineReader((line) => {
      if (socket !== opened) return
      const answer = parseLine(signAnswer, line)
      // A late answer belongs to a request that timed out.
      if (answer === null || answer.id > last) return ended('the signer sent an unexpected answer')
      resolve(answer.id, replyOf(answer))
    })
    opened.on('data', (part) => {
      if (!lines.push(part)) ended('the signer sent a line that is too long')
    })
    opened.on('error', (error) => ended(`the signer cannot be reached: ${error.message}`))
    opened.on('close', () => ended('the signer closed the connection'))
    // An idle connection keeps no process alive; an open request does, by its timer.
    opened.unref()
    return opened
  }
  return {
    sign(txid: string): Promise<SignerReply> {
      if (waiting.size >= CLIENT_OPEN_LIMIT)
        return Promise.resolve(unavailable('too many requests to the signer are open'))
      socket ??= open()
      const id = ++last
      const line = `${JSON.stringify({ id, txid })}\n`
      return new Promise((answer) => {
        const late = setTimeout(
          () => resolve(id, unavailable('the signer did not answer in time')),
          timeoutMs,
        )
        waiting.set(id, { answer, late })
        socket?.write(line)
      })
    },
    /** Closes the connection; open requests are answered as unavailable. */
    close: () => disconnect('the connection to the signer was closed'),
  }
}

function replyOf(answer: SignAnswer): SignerReply {
  if ('signature' in answer)
    return { signed: true, signature: new Uint8Array(Buffer.from(answer.signature, 'hex')) }
  return { signed: false, ...answer.refused }
}

/** Why the signer cannot listen, in one line. */
export class SocketRefusal extends Error {
  override readonly name = 'SocketRefusal'
}

const CONNECTIONS = 8
/** Requests of one connection that are handled at a time; further ones are not read yet. */
const SERVER_OPEN_LIMIT = 64
/** How many bytes of answers may wait to be read. */
const UNREAD_LIMIT = 262_144
/** How long a line may take from its start to its end. */
const LINE_MS = 5_000

/**
 * The signer's end: open to its own user only, in a folder that only this user can enter; or, where it is shared, to the group of that
 * folder, which may enter and change nothing there. Requests are not trusted: every length, number and time has a limit.
 * @throws SocketRefusal when the path is taken or not private
 */
export async function serveSigner(options: {
  path: string
  signer: SignerPort
  log: Log
  isShared?: boolean
  lineMs?: number
}) {
  const { path, signer, log, isShared = false, lineMs = LINE_MS } = options
  const sockets = new Set<Socket>()
  let isClosing = false
  const server = createServer((socket) => {
    if (isClosing) return socket.destroy()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serve(socket, signer, lineMs, (why) => log.warn('socket.disconnected', { why }))
  })
  server.maxConnections = CONNECTIONS
  const group = await ensurePrivateFolder(dirname(path), isShared)
  const lock = await lockSocket(path, server, {
    greets: false,
    group,
    refuse: (holder) =>
      new SocketRefusal(
        holder === null
          ? `the signer's socket ${path} could not be taken`
          : `another signer listens at ${path} already`,
      ),
  })
  return {
    /** Closes all connections, and frees the path. */
    close: async () => {
      isClosing = true
      for (const socket of sockets) socket.destroy()
      await lock.release()
    },
  }
}

/** @returns the group that the socket is for, where it is shared */
async function ensurePrivateFolder(folder: string, isShared: boolean): Promise<number | null> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { mode, uid, gid } = await stat(folder)
  if (uid !== process.getuid?.() || (mode & (isShared ? 0o027 : 0o077)) !== 0) {
    throw new SocketRefusal(
      `the folder ${folder} of the signer's socket must be its user's own and closed to others`,
    )
  }
  return isShared ? gid : null
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
    if (open >= SERVER_OPEN_LIMIT) socket.pause()
    void signer.sign(request.txid).then((reply) => {
      open -= 1
      if (open < SERVER_OPEN_LIMIT) socket.resume()
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
