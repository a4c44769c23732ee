/** The floor: a bare server of Node that answers with a head and keeps the connection. */
import { createServer } from 'node:http'
import { answerParent } from './processes.ts'

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(': \n\n')
})

answerParent(
  () =>
    new Promise((resolve, reject) => {
      server.once('error', reject).listen({ port: 0, host: '127.0.0.1', backlog: 511 }, () => {
        const address = server.address()
        resolve({ port: typeof address === 'object' ? address?.port : 0, pid: process.pid })
      })
    }),
)
