/** What both commands of the offline way need: the gateway's own environment, its database, its nodes. */
import { connect } from '@aval/db'
import { nodesOf } from '../chain/nodes.ts'
import { connectNodes } from '../chain/nodes.ts'
import { readPins } from '../chain/pins.ts'
import { readConfig } from '../config.ts'
import { createLog, describeError } from '../core/log.ts'
import type { PayoutParts } from '../payouts/parts.ts'
import { tempoOf } from '../tempo.rules.ts'

export type OfflineParts = Omit<PayoutParts, 'view' | 'signer'>

/** Runs a command on the file that is named, prints what it says, and ends with exit code 1 where it throws. */
export async function withOffline(
  usage: string,
  command: (path: string, parts: OfflineParts) => Promise<string>,
): Promise<void> {
  const [path] = process.argv.slice(2)
  const result = readConfig()
  const problems = result.ok ? [] : result.problems
  if (path === undefined) problems.push(`which file? ${usage}`)
}
