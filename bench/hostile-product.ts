/** The API and the worker of a public network, and its members, for the benchmark of hostile traffic. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@aval/db'
import { accountXpub } from '@aval/tron'
import { parseConfig } from '../apps/server/src/config.ts'
import { systemClock } from '../apps/server/src/core/context.ts'
import { hashPassword } from '../apps/server/src/features/identity/members/password-hash.ts'
import { registerMember } from '../apps/server/src/features/identity/registration/registration.commands.ts'
import { newTotpSecret } from '../apps/server/src/features/identity/second-factor/totp.ts'
import { assignTotpSecret } from '../apps/server/src/features/identity/second-factor/totp-setup.commands.ts'
import { execArguments } from '../tools/supervisor/processes.ts'
import { freePort } from '../tools/testing/free-port.ts'
import { accountsOf, type Crowd } from './hostile-people.ts'
import { startProgram } from './processes.ts'
import { chanceFrom } from './random.ts'

/** As the supervisor runs them. */
const HEAP_MB = 256
const PROGRAM = 'apps/server/src/main.ts'

export interface Databases {
  readonly ownerUrl: string
  readonly serverUrl: string
  readonly apiUrl: string
  readonly workerUrl: string
}

export type HostileProduct = Awaited<ReturnType<typeof startHostileProduct>>

const newKey = () => randomBytes(32).toString('hex')

/** A public network's, for its limits: those of the development chain are for journeys. Nothing of it speaks to a chain. */
function settings(port: number, smtpPort: number, dataDir: string) {
  return {
    PORT: String(port),
    TRON_NETWORK: 'nile',
    TRON_XPUB: accountXpub('legal winner thank year wave sausage worth useful legal winner thank yellow'),
    PUBLIC_URL: 'https://aval.hostile.example',
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    TRUST_PROXY: '1',
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir,
    JWT_KEY: newKey(),
    CAPTCHA_KEY: newKey(),
    SEAL_KEY: newKey(),
  }
}

/** Both processes, ready. @param smtpPort where mail is handed over */
export async function startHostileProduct(databases: Databases, smtpPort: number) {
  const port = await freePort()
  const dataDir = await mkdtemp(join(tmpdir(), 'aval-hostile-'))
  const shared = settings(port, smtpPort, dataDir)
  const start = (role: 'api' | 'worker', url: string) =>
    startProgram(PROGRAM, { ...shared, ROLE: role, DATABASE_URL: url }, execArguments(HEAP_MB))
  const api = await start('api', databases.apiUrl)
  const worker = await start('worker', databases.workerUrl)
  const server = connect(databases.serverUrl, 4, 'bench')
  const config = parseConfig({ ...shared, ROLE: 'api', DATABASE_URL: databases.serverUrl })
  return {
    url: `http://127.0.0.1:${port}`,
    api,
    worker,
    context: { db: server.db, clock: systemClock, config },
    async stop() {
      await server.close()
      await Promise.all([api.stop(), worker.stop()])
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * Registers everybody. The passwords are hashed as the product hashes them, each once.
 * @returns the members in the order of their accounts, and the secret of all authenticator apps
 */
export async function registerCrowd({ context }: HostileProduct, crowd: Crowd) {
  const { db } = context
  const hashes = new Map<string, string>()
  const chance = chanceFrom(1)
  const secret = newTotpSecret()
  const ids: bigint[] = []
  const root = await db.selectFrom('sponsorship').select('member_id').limit(1).executeTakeFirstOrThrow()
  for (const { username, email, password, isGuarded } of accountsOf(crowd)) {
    const passwordHash = hashes.get(password) ?? (await hashPassword(password))
    hashes.set(password, passwordHash)
    const sponsorId = ids.length === 0 ? root.member_id : (ids[chance.below(ids.length)] as bigint)
    const member = { username, email, passwordHash, locale: 'en', sponsorId } as const
    const id = await registerMember(db, member, new Date())
    if (isGuarded) await assignTotpSecret(context, id, secret, new Date())
    ids.push(id)
  }
  return { ids, secret }
}
