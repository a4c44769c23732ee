/** The development chain as a program. */
import { StoreError } from './chain/store.ts'
import { ConfigError, readConfig } from './config.ts'
import { type Devnet, startDevnet } from './start.ts'

async function main(): Promise<void> {
  const config = readConfig()
  const devnet = await startDevnet(config)
  stopWith(devnet)
  const urls = devnet.nodes.map((node) => node.url)
  process.stdout.write(`development chain at ${urls.join(' and ')}\n`)
  process.send?.({ ready: true, url: devnet.url, urls })
}

function stopWith(devnet: Devnet): void {
  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    devnet.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('disconnect', stop)
}

function fail(error: unknown): never {
  process.stderr.write(`devnet: ${explain(error)}\n`)
  process.exit(1)
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return `the configuration is wrong\n${error.message}`
  if (error instanceof StoreError) return error.message
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'EADDRINUSE') {
      return `port ${'port' in error ? error.port : ''} is in use; set DEVNET_PORT to another`
    }
    if (error.code === 'EACCES') return `not permitted: ${error.message}`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

main().catch((error: unknown) => fail(error))
