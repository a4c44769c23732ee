/** The gateway's end of the signer's socket: one connection, opened when needed and again after it broke. */
import { connect, type Socket } from 'node:net'
import {
  createLineReader,
  parseLine,
  type SignAnswer,
  type SignerPort,
  type SignerReply,
  signAnswer,
} from './protocol.ts'

export interface SignerClient extends SignerPort {
  /** Closes the connection; open requests are answered as unavailable. */
  close(): void
}

interface Waiting {
  readonly answer: (reply: SignerReply) => void
  readonly late: NodeJS.Timeout
}

/** How many requests may be open at once. */
const OPEN_LIMIT = 1_000

const unavailable = (message: string): SignerReply => ({ signed: false, code: 'signer_unavailable', message })

/**
 * @param path of the signer's socket
 * @param options `timeoutMs`: how long an answer may take; ten seconds by default
 */
export function createSignerClient(
  path: string,
  options: { readonly timeoutMs?: number } = {},
): SignerClient {
  const timeoutMs = options.timeoutMs ?? 10_000
  const waiting = new Map<number, Waiting>()
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
    sign(txid) {
      if (waiting.size >= OPEN_LIMIT)
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
    close: () => disconnect('the connection to the signer was closed'),
  }
}

function replyOf(answer: SignAnswer): SignerReply {
  if ('signature' in answer)
    return { signed: true, signature: new Uint8Array(Buffer.from(answer.signature, 'hex')) }
  return { signed: false, ...answer.refused }
}
