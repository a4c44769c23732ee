/**
 * `npm run seed -- --members 1000000 [--data-dir DIR] [--seed 1]`: a network of that size in a data folder where nothing runs
 * yet, or in the empty database of DATABASE_URL; on the development chain alone. Started on it afterwards, the product shows it.
 */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parseConfig } from '../apps/server/src/config.ts'
import { childEnvironment, parseStartConfig, type StartConfig } from '../tools/core/config.ts'
import { writePrivate } from '../tools/core/private-file.ts'
import { lineOf, Refusal } from '../tools/core/refusal.ts'
import { continueWithOwnNode } from '../tools/runtime.ts'
import { openDatabase } from '../tools/supervisor/database.ts'
import { serverEnvironment } from '../tools/supervisor/environment.ts'
import { product } from '../tools/supervisor/layout.ts'
import { lockDataFolder } from '../tools/supervisor/lock.ts'
import { readSecrets } from '../tools/supervisor/secrets.ts'
import { type SeededSignIn, seedNetwork } from './seed.ts'

const LEAST = 100
const MOST = 9_000_000

function whole(name: string, text: string, least: number, most: number): number {
  const value = /^\d{1,8}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN
  if (value >= least && value <= most) return value
  throw new Refusal(`--${name} takes a whole number from ${least} to ${most}.`)
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      members: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      'data-dir': { type: 'string' },
    },
  })
  return {
    members: whole('members', values.members, LEAST, MOST),
    seed: whole('seed', values.seed, 0, 99_999_999),
    dataDir: values['data-dir'],
  }
}

/** The demo that `npm start` would make is this network: it finds the sign-ins, and makes no other. */
async function keepSignIns(config: StartConfig, signIns: readonly SeededSignIn[]): Promise<void> {
  if (config.demo) await writePrivate(join(config.dataDir, 'demo.json'), { signIns })
  for (const { role, username, password, totp } of signIns)
    console.log(
      `  ${role.padEnd(9)} ${username.padEnd(12)} ${password}${totp === undefined ? '' : `  codes from ${totp}`}`,
    )
}

async function fill(config: StartConfig, members: number, seed: number): Promise<void> {
  const secrets = await readSecrets(config.dataDir)
  const ignored = () => undefined
  const database = await openDatabase(config, secrets, {
    changed: ignored,
    struggles: console.error,
    say: ignored,
  })
  try {
    const environment = serverEnvironment('worker', config, secrets, database, { ...product, web: null })
    const signIns = await seedNetwork({
      ownerUrl: database.ownerUrl,
      config: parseConfig(environment),
      members,
      seed,
      password: config.demoPassword ?? secrets.demoPassword,
      now: new Date(),
      tell: console.log,
    })
    console.log(`${members.toLocaleString('en')} members, m2 to m${members}, all with the same password:`)
    await keepSignIns(config, signIns)
  } finally {
    await database.stop()
  }
}

async function main(): Promise<void> {
  const options = readOptions()
  const config = parseStartConfig(
    childEnvironment(options.dataDir === undefined ? {} : { DATA_DIR: options.dataDir }),
  )
  if (config.network !== 'devnet')
    throw new Refusal(
      `TRON_NETWORK: made-up members belong on the development chain, not on ${config.network}.`,
    )
  await mkdir(config.dataDir, { recursive: true })
  const lock = await lockDataFolder(config.dataDir, 'the seed')
  try {
    const begun = Date.now()
    await fill(config, options.members, options.seed)
    console.log(
      `Done in ${((Date.now() - begun) / 1000).toFixed(1)} s. Now: DATA_DIR=${config.dataDir} npm start`,
    )
  } finally {
    await lock.release()
  }
}

continueWithOwnNode()
await main().catch((error: unknown) => {
  console.error(lineOf(error))
  process.exitCode = 1
})
