/** Clients of streams, in a process of their own: bare sockets that count the events they get. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { z } from 'zod'
import { signAccess } from '../apps/server/src/core/access-token.ts'
import { forEachAtOnce } from './measures.ts'
import { answerParent } from './processes.ts'

const AT_ONCE = 50
const MONEY = 'event: money'

const request = z.discriminatedUnion('ask', [
  z.object({
    ask: z.literal('open'),
    port: z.int(),
    /** What the tokens are signed with. */
    key: z.instanceof(Uint8Array),
    sessions: z.array(z.object({ memberId: z.bigint(), sessionId: z.string() })),
  }),
  z.object({ ask: z.literal('heard'), count: z.int() }),
])

const sockets: Socket[] = []
let heard = 0
let wanted = { count: Number.POSITIVE_INFINITY, done: (_at: number) => {} }

const wallNow = () => performance.timeOrigin + performance.now()

function hear(data: Buffer): void {
  const text = data.toString('latin1')
  for (let place = text.indexOf(MONEY); place >= 0; place = text.indexOf(MONEY, place + 1)) heard += 1
  if (heard >= wanted.count) wanted.done(wallNow())
}

async function open(port: number, access: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.write(`GET /api/core/events/ HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${access}\r\n\r\n`)
  const [head] = await once(socket, 'data')
  if (!String(head).startsWith('HTTP/1.1 200')) throw new Error(`not opened: ${String(head).slice(0, 200)}`)
  socket.on('data', hear)
}

answerParent(async (message) => {
  const asked = request.parse(message)
  if (asked.ask === 'open') {
    const { port, key, sessions } = asked
    await forEachAtOnce(sessions, AT_ONCE, async (session) =>
      open(port, await signAccess(key, session, new Date())),
    )
    return sockets.length
  }
  // When so many events of money were heard since the last question, in milliseconds of the wall clock.
  return new Promise((resolve) => {
    const done = (at: number) => {
      wanted = { count: Number.POSITIVE_INFINITY, done: () => undefined }
      heard -= asked.count
      resolve(at)
    }
    wanted = { count: asked.count, done }
    if (heard >= asked.count) done(wallNow())
  })
})
