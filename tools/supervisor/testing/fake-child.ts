/** What every stand-in shares with a real process: says when it is ready, leaves when the channel closes. */
import { channel } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

/** Tests steer a stand-in by a file in its data folder: `{ "api": "fatal" }`. */
export function orders(name: string, dataDir: string | undefined): string {
  try {
    return JSON.parse(readFileSync(join(dataDir ?? '', 'orders.json'), 'utf8'))[name] ?? ''
  } catch {
    return ''
  }
}

export function behave(order: string, port?: string, host = '127.0.0.1', reusePort = false): void {
  process.on('disconnect', () => {
    console.log('left in order')
    process.exit(0)
  })
  if (order === 'floods') {
    const line = (n: number) => `${JSON.stringify({ level: 30, n, text: 'x'.repeat(2_000) })}\n`
    for (let n = 0; n < 12_000; n += 1) process.stdout.write(line(n))
    process.send?.({ ready: true })
  } else if (order === 'waits') {
    channel('aval.step').publish('waits for its turn')
  } else if (order === 'fatal') {
    process.send?.({ fatal: 'a stand-in that cannot start' }, () => process.exit(1))
  } else if (order === 'crash') {
    throw new Error(`a stand-in that crashes (${process.pid})`)
  } else if (port === undefined) {
    process.send?.({ ready: true })
  } else {
    createServer((_, response) => response.end(JSON.stringify({ pid: process.pid })))
      .listen({ port: Number(port), host, reusePort })
      .on('listening', () => process.send?.({ ready: true }))
  }
}
