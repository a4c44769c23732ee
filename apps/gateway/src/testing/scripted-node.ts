/** A node on loopback that answers from a scripted chain, or incorrectly where a test wants it. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { ScriptedChain } from './scripted-chain.ts'

/** Changes an answer; undefined leaves it as it is. */
export type Distort = (path: string, body: Readonly<Record<string, unknown>>) => unknown

export interface ScriptedNode {
  readonly url: string
  /** Called first for every request; what it returns is the answer. */
  distort: Distort
  /** Paths asked so far. */
  readonly asked: string[]
  close(): Promise<void>
}

export async function startScriptedNode(chain: ScriptedChain): Promise<ScriptedNode> {
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const path = request.url ?? ''
      node.asked.push(path)
      const distorted = node.distort(path, body)
      const answer = distorted === undefined ? chain.answer(path, body) : distorted
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer ?? { Error: 'no such path' })
      response.writeHead(200, { 'content-type': 'application/json' }).end(text)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const node: ScriptedNode = {
    url: `http://127.0.0.1:${port}`,
    distort: () => undefined,
    asked: [],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return node
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Record<string, unknown>
}
