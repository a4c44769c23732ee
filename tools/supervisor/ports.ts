/** Looks early whether the ports are free, so that a busy one is reported before anything is started. */
import { lookup } from 'node:dns/promises'
import { createServer } from 'node:net'
import { codeOf, Refusal } from '../core/refusal.ts'

/** @throws Refusal naming the port and the variable that changes it. */
export async function checkPort(host: string, port: number, variable: string): Promise<void> {
  const addresses = await lookup(host, { all: true }).catch(() => [])
  const found = await Promise.all(addresses.map(({ address }) => tryListen(address, port)))
  if (found.includes('EADDRINUSE')) {
    throw new Refusal(`Port ${port} is busy: stop what listens there, or set ${variable} to another port.`)
  }
  if (found.includes('EACCES')) {
    throw new Refusal(`Port ${port} is not allowed for this user: set ${variable} to one above 1023.`)
  }
  // "localhost" may name an address of a family this machine does not have; one that works is enough.
  if (!found.includes('')) throw new Refusal(`HOST: this machine has no address "${host}".`)
}

function tryListen(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(codeOf(error) || 'unknown'))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve('')))
  })
}
