/** What both commands of the offline way need: the gateway's own environment, its database, its nodes. */
import { connect } from '@aval/db'
import { connectNodes } from '../chain/nodes.ts'
import { readPins } from '../chain/pins.ts'
import { type Config, readConfig } from '../config.ts'
import { createLog, describeError } from '../core/log.ts'
import { OfflineRefusal } from '../outgoing/offline.ts'
import type { PayoutParts } from '../outgoing/parts.ts'
import { tempoOf } from '../tempo.rules.ts'

type OfflineParts = Omit<PayoutParts, 'view' | 'signer'>
type Command = (path: string, parts: OfflineParts) => Promise<string>

/** Runs a command on the file that is named and prints what it says; where it throws, why, with exit code 1. */
export async function withOffline(usage: string, command: Command): Promise<void> {
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
  const connection = connect(config.databaseUrl, 2, 'aval gateway, offline')
  const { db } = connection
  const log = createLog((line) => process.stderr.write(line))
  try {
    const usdt = await readPins(db, network, wallets, log, AbortSignal.timeout(10_000))
    if (usdt === null) throw new OfflineRefusal('the installation is not set up yet')
    const nodes = connectNodes(config.nodes, log)
    const { soundness, pace } = tempoOf(network)
    const parts = { db, network, nodes, usdt, hot: wallets.hot, lifetimeMs, feeLimit, soundness, pace, log }
    return await command(path, parts)
  } finally {
    await connection.close()
  }
}

function fail(why: string): void {
  console.error(why)
  process.exitCode = 1
}
