/**
 * Draws the pictures that the API sends, one at a time, and ends the process where one takes too much: native code that decodes cannot be
 * stopped otherwise, and what it took goes back to the system with the process. The supervisor starts the next one.
 */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { BEGUN, type Fault, OUTCOMES } from './answers.ts'

type Draw = (bytes: Buffer) => Promise<Buffer | Fault>

interface Limits {
  readonly drawMs: number
  readonly memoryMb: number
}

/** Largest of what is allowed, 50 megapixels of 16 bits, interlaced, took 5.5 s and 543 MB. */
const LIMITS: Limits = { drawMs: 15_000, memoryMb: 768 }
const LOOK_MS = 20
/** One is drawn. A further connection is closed at once. */
const MOST_CONNECTIONS = 21
const LARGEST_FILE_BYTES = 5 * 1_048_576
/** From the first byte to the last, of a program on this machine. */
const READ_MS = 10_000

/**
 * Not `process.exit`, which waits for the threads that decode.
 * @param why a line for the log
 */
export function endAtOnce(why: string): void {
  process.stderr.write(`${why}\n`)
  process.kill(process.pid, 'SIGKILL')
}

async function within<Result>(work: Promise<Result>, { drawMs, memoryMb }: Limits): Promise<Result> {
  const since = performance.now()
  const looking = setInterval(() => {
    if (performance.now() - since > drawMs) endAtOnce(`ended: a picture took longer than ${drawMs} ms`)
    if (process.memoryUsage.rss() > memoryMb * 1_048_576)
      endAtOnce(`ended: a picture took more than ${memoryMb} MB`)
  }, LOOK_MS)
  return work.finally(() => clearInterval(looking))
}

/** @throws Error when its sender is gone or too slow, or sends too much */
async function read(socket: Socket): Promise<Buffer> {
  const late = setTimeout(() => socket.destroy(new Error('it is not sent in time')), READ_MS)
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of socket.iterator({ destroyOnReturn: false })) {
      bytes += part.length
      if (bytes > LARGEST_FILE_BYTES) throw new Error('it is too large')
      parts.push(part)
    }
    return Buffer.concat(parts)
  } finally {
    clearTimeout(late)
  }
}

async function answer(socket: Socket, draw: Draw, limits: Limits): Promise<void> {
  const bytes = await read(socket)
  await new Promise<void>((resolve, reject) => {
    // Who does not wait any longer is noticed here.
    socket.write(BEGUN, (error) => (error ? reject(error) : resolve()))
  })
  const outcome = await within(draw(bytes), limits)
  if (typeof outcome === 'string') socket.end(OUTCOMES[outcome])
  else socket.end(Buffer.concat([Buffer.from(OUTCOMES.drawn), outcome]))
}

/** @param path of the socket; nothing lies there */
export async function servePictures(path: string, draw: Draw, limits = LIMITS): Promise<void> {
  let last: Promise<void> = Promise.resolve()
  // Who waits is not read, and keeps its file.
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    socket.on('error', () => undefined)
    last = last
      .then(() => answer(socket, draw, limits))
      .catch((error: unknown) => {
        process.stderr.write(`a picture was not drawn: ${error}\n`)
        socket.destroy()
      })
  })
  server.maxConnections = MOST_CONNECTIONS
  server.listen(path)
  await once(server, 'listening')
}
