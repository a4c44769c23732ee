/**
 * The approvals page's process. It tells the process that started it `{ready}` or `{fatal: line}` and ends with it.
 */
import { connect, IMPATIENT } from '@aval/db'
import { type Config, readConfig } from './config.ts'
import { selectNetwork } from './installation.sql.ts'
import { openPinnedFiles, type PinnedFiles } from './pinned-files.ts'
import { buildServer } from './server.ts'

const STOP_MS = 1_500

function say(level: 'info' | 'error', event: string, fields: object = {}): void {
  process.stdout.write(
    `${JSON.stringify({ at: new Date().toISOString(), level, part: 'approvals', event, ...fields })}\n`,
  )
}

function tell(message: object): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve()
    else process.send(message, undefined, {}, () => resolve())
  })
}

async function giveUp(lines: readonly string[]): Promise<never> {
  process.stderr.write(`${lines.join('\n')}\n`)
  await tell({ fatal: lines.join('\n') })
  process.exit(1)
}

async function pinned(config: Config): Promise<PinnedFiles> {
  try {
    return await openPinnedFiles(config.pageDist)
  } catch (error) {
    return giveUp([`The approvals page is not as it was built: ${lineOf(error)}`])
  }
}

const lineOf = (error: unknown): string =>
  (error instanceof Error ? error.message || error.name : String(error)).replace(/\s+/g, ' ').slice(0, 300)

async function run(config: Config): Promise<void> {
  const files = await pinned(config)
  const connection = connect(config.databaseUrl, 4, 'aval-approvals', IMPATIENT)
  const report = (what: string) => say('error', what)
  const app = buildServer({ config, db: connection.db, files, now: Date.now, report })
  const stop = (why: string) => {
    say('info', 'stopping', { why })
    setTimeout(() => process.exit(0), STOP_MS).unref()
    void app
      .close()
      .then(() => connection.close())
      .then(() => process.exit(0))
  }
  process.once('SIGTERM', () => stop('SIGTERM'))
  process.once('SIGINT', () => stop('SIGINT'))
  process.once('disconnect', () => stop('the starting process is gone'))
  const network = await selectNetwork(connection.db).catch((error: unknown) =>
    giveUp([`DATABASE_URL: the database cannot be read: ${lineOf(error)}`]),
  )
  if (network !== null && network !== config.network)
    await giveUp([`TRON_NETWORK: is ${config.network}, and this database belongs to ${network}.`])
  await app
    .listen({ port: config.port, host: config.host })
    .catch((error: unknown) =>
      giveUp([`APPROVALS_PORT: cannot listen on ${config.host}:${config.port}: ${lineOf(error)}`]),
    )
  say('info', 'started', { url: config.url.origin, page: files.fingerprint })
  await tell({ ready: true, url: config.url.origin })
}

const result = readConfig()
if (result.ok) await run(result.config)
else await giveUp(result.problems)
