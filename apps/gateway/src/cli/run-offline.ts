/** Runs an offline command with the gateway's own environment, database and nodes. */
import { type Connection, connect } from '@aval/db'
import { ownNetwork } from '../chain/network.sql.ts'
import { connectNodes } from '../chain/nodes.ts'
import { type Config, readConfig } from '../config.ts'
import { presentTerm, underTerm } from '../core/lease.sql.ts'
import { createLog, describeError } from '../core/log.ts'
import { waitForInstallation } from '../installation.ts'
import { settingsOf } from '../network-settings.ts'
import { type OfflineContext, OfflineRefusal } from '../outgoing/offline.ts'

type Command = (path: string, context: OfflineContext) => Promise<string>

/** Runs a command on the named file and prints its result; where it throws, the reason, with exit code 1. */
export async function runOffline(usage: string, command: Command): Promise<void> {
  const [path] = process.argv.slice(2)
  const result = readConfig()
  if (path === undefined) return fail(`which file? node apps/gateway/src/cli/${usage}`)
  if (!result.ok) return fail(result.problems.join('\n'))
  try {
    console.log(await run(result.config, path, command))
  } catch (error) {
    fail(describeError(error))
  }
}

async function run(config: Config, path: string, command: Command): Promise<string> {
  const { network, wallets, lifetimeMs, feeLimit } = config
  const connection = await connectBeside(config.databaseUrl)
  const { db } = connection
  const log = createLog((line) => process.stderr.write(line))
  try {
    const usdt = await waitForInstallation(db, network, wallets, log, AbortSignal.timeout(10_000))
    if (usdt === null) throw new OfflineRefusal('the installation is not set up yet')
    const { healthLimits, retry } = settingsOf(network)
    const { nodes } = connectNodes(config.nodes, ownNetwork(db, network, usdt), log)
    const chain = { network, nodes, usdt, hot: wallets.hot }
    return await command(path, { ...chain, db, lifetimeMs, feeLimit, healthLimits, retry, log })
  } finally {
    await connection.close()
  }
}

/** Writes under the term that goes on: when it ends meanwhile, the database refuses the rest, and the command is run again. */
async function connectBeside(databaseUrl: string): Promise<Connection> {
  const name = 'aval gateway, offline'
  const asking = connect(databaseUrl, 1, name)
  const term = await presentTerm(asking.db).finally(() => asking.close())
  return connect(underTerm(databaseUrl, term), 2, name)
}

function fail(why: string): void {
  console.error(why)
  process.exitCode = 1
}
