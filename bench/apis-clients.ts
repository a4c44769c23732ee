/** Members who look at their dashboards, in a process of their own: each connection asks again as soon as it is answered. */
import { Agent, get } from 'node:http'
import { z } from 'zod'
import { signAccess } from '../apps/server/src/core/access-token.ts'
import { msSince, spreadOf } from './measures.ts'
import { answerParent } from './processes.ts'

const request = z.object({
  port: z.int(),
  /** What the tokens are signed with. */
  key: z.instanceof(Uint8Array),
  sessions: z.array(z.object({ memberId: z.bigint(), sessionId: z.string() })),
  connections: z.int(),
  seconds: z.int(),
})

/** @throws where it is not answered with 200 */
function look(port: number, agent: Agent, access: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${access}` }
    const asked = get({ port, host: '127.0.0.1', path: '/api/core/dashboard/', headers, agent }, (answer) => {
      answer.on('end', () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`answered ${answer.statusCode}`)),
      )
      answer.resume()
    })
    asked.on('error', reject)
  })
}

answerParent(async (message) => {
  const { port, key, sessions, connections, seconds } = request.parse(message)
  const tokens = await Promise.all(sessions.map((session) => signAccess(key, session, new Date())))
  const times: number[] = []
  const begun = performance.now()
  const member = async (place: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let turn = place; msSince(begun) < seconds * 1000; turn += connections) {
      const asked = performance.now()
      await look(port, agent, tokens[turn % tokens.length] ?? '')
      times.push(msSince(asked))
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: connections }, (_, place) => member(place)))
  const processor = process.cpuUsage()
  return { perSecond: (times.length / msSince(begun)) * 1000, answered: spreadOf(times), processor }
})
