/** A server that speaks as much of PostgreSQL's protocol as lets a client in, and behaves as a test wants from one moment to the next. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

export type Behaviour =
  | 'primary'
  | 'standby'
  /** Lets nobody in, and says nothing either. */
  | 'silent'
  /** Lets in, and never answers. */
  | 'hanging'
  /** Hangs at everything but `SELECT`, with which it is asked whether it is there. */
  | 'slow'
  /** Refuses every statement: it became a stand-by under its connections. */
  | 'demoted'
  | 'wrong password'

const message = (type: string, ...parts: (string | Buffer)[]): Buffer => {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)),
  )
  const head = Buffer.alloc(5, type)
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}

const READY = message('Z', Buffer.from('I'))
const refusal = (severity: string, code: string, text: string) =>
  message('E', `S${severity}`, `V${severity}`, `C${code}`, `M${text}`, Buffer.from([0]))

function welcome(behaviour: Behaviour): Buffer | null {
  if (behaviour === 'silent') return null
  if (behaviour === 'wrong password') return refusal('FATAL', '28P01', 'password authentication failed')
  return Buffer.concat([
    message('R', Buffer.alloc(4)),
    message('S', 'in_hot_standby', behaviour === 'standby' ? 'on' : 'off'),
    READY,
  ])
}

function answer(behaviour: Behaviour, text: string): Buffer | null {
  if (behaviour === 'demoted')
    return Buffer.concat([refusal('ERROR', '25006', 'cannot execute in a read-only transaction'), READY])
  if (behaviour === 'hanging' || (behaviour === 'slow' && text !== 'SELECT')) return null
  return Buffer.concat([message('C', 'SELECT 0'), READY])
}

export type FakeServer = Awaited<ReturnType<typeof startFakeServer>>

export async function startFakeServer(behaviour: Behaviour, port = 0) {
  let now = behaviour
  let opened = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    let isIn = false
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    socket.on('data', (data) => {
      if (!isIn) opened += 1
      // A statement and its end; the end of the session says nothing.
      const said = isIn && data[0] === 0x51 ? answer(now, data.toString('utf8', 5, data.length - 1)) : null
      const reply = isIn ? said : welcome(now)
      isIn = true
      if (reply !== null) socket.write(reply)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: at } = server.address() as { port: number }
  return {
    host: `127.0.0.1:${at}`,
    /** How many sessions were asked for. */
    opened: () => opened,
    /** From now on, those that are connected included. */
    become(other: Behaviour) {
      now = other
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}
