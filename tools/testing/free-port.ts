import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A port on which nothing listens. It lies below those that systems give to outgoing connections (from 32768 on), so that
 * no connection takes it by chance before it is used.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 20_000)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
