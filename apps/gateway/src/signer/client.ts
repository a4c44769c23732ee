/** The gateway's end of the signer's socket: one connection, made when it is needed and again after it broke. */
import { connect, type Socket } from 'node:net'
import { createLineReader } from './lines.ts'
import {
  LINE_LIMIT,
  parseLine,
  type SignAnswer,
  type SignerPort,
  type SignerReply,
  signAnswer,
} from './protocol.ts'

export interface SignerClient extends SignerPort {
  /** Hangs up; what is still open is answered as unavailable. */
  close(): void
}

interface Waiting {
  readonly answer: (reply: SignerReply) => void
  readonly late: NodeJS.Timeout
}

/** How many questions may be open at once. */
const OPEN_LIMIT = 1_000

const unavailable = (message: string): SignerReply => ({ signed: false, code: 'signer_unavailable', message })

/**
 * @param path of the signer's socket
 * @param options `timeoutMs`: how long an answer may take; ten seconds when not said
 */
export function createSignerClient(
  path: string,
  options: { readonly timeoutMs?: number } = {},
): SignerClient {
  const timeoutMs = options.timeoutMs ?? 10_000
  const waiting = new Map<number, Waiting>()
  let socket: Socket | null = null
  let last = 0

  const settle = (id: number, reply: SignerReply): void => {
    const known = waiting.get(id)
    waiting.delete(id)
    clearTimeout(known?.late)
    known?.answer(reply)
  }
  const hangUp = (why: string) => {
    const ended = socket
    socket = null
    ended?.destroy()
    for (const id of [...waiting.keys()]) settle(id, unavailable(why))
  }
  const dial = (): Socket => {
    const dialled = connect(path)
    const ended = (why: string) => {
      if (socket === dialled) hangUp(why)
    }
    const lines = createLineReader(LINE_LIMIT, (line) => {
      if (socket !== dialled) return
      const answer = parseLine(signAnswer, line)
      // An answer that came too late is of a question that was given up.
      if (answer === null || answer.id > last) return ended('the signer answered what was not asked')
      settle(answer.id, replyOf(answer))
    })
    dialled.on('data', (part) => {
      if (!lines.push(part)) ended('the signer answered at a length that was not agreed')
    })
    dialled.on('error', (error) => ended(`the signer cannot be reached: ${error.message}`))
    dialled.on('close', () => ended('the signer hung up'))
    // An idle line keeps no process alive; a question under way does, by its timer.
    dialled.unref()
    return dialled
  }
  return {
    sign(txid) {
      if (waiting.size >= OPEN_LIMIT)
        return Promise.resolve(unavailable('too much is asked of the signer at once'))
      socket ??= dial()
      const id = ++last
      const line = `${JSON.stringify({ id, txid })}\n`
      return new Promise((answer) => {
        const late = setTimeout(() => settle(id, unavailable('the signer did not answer in time')), timeoutMs)
        waiting.set(id, { answer, late })
        socket?.write(line)
      })
    },
    close: () => hangUp('the line to the signer was closed'),
  }
}

function replyOf(answer: SignAnswer): SignerReply {
  if ('signature' in answer)
    return { signed: true, signature: new Uint8Array(Buffer.from(answer.signature, 'hex')) }
  return { signed: false, ...answer.refused }
}
