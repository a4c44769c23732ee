/** A server on a database of its own, for tests that speak to it as clients do. */
import { type Connection, connect, inTransaction } from '@aval/db'
import { createTestDatabase, type TestDatabase } from '@aval/db/testing'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { type Config, parseConfig } from '../config.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import type { Context } from '../core/context.ts'
import { ensureInstallation } from '../features/accounts/installation.commands.ts'
import { createRoot, type NewMember, registerMember } from '../features/accounts/registration.commands.ts'
import { openSession } from '../features/accounts/sessions.commands.ts'
import { type Api, buildServer, type FeatureRoutes } from './server.ts'

export interface TestServer {
  readonly api: Api
  readonly context: Context
  readonly database: TestDatabase
  readonly connection: Connection
  readonly rootId: bigint
  call(options: InjectOptions): Promise<LightMyRequestResponse>
  close(): Promise<void>
}

/** A hash that is fast to make and to check; the password is `secret-password`. */
export const TEST_PASSWORD = 'secret-password'
const TEST_HASH =
  '$argon2id$v=19$m=64,t=1,p=1$2phtWjfZAmGYZUw2TvATkw$74fRJEsw3EF4B/OQ+ZLjN5JJ0jQMmHkMyTqg2Q4ZXHY'

let members = 0

/** A member nobody else is called like. */
export function someone(overrides: Partial<NewMember> = {}): NewMember {
  members += 1
  return {
    username: `member${members}`,
    email: `member${members}@example.com`,
    passwordHash: TEST_HASH,
    locale: 'es',
    ...overrides,
  }
}

export function testConfig(databaseUrl: string, overrides: Partial<Config> = {}): Config {
  const config = parseConfig({
    ROLE: 'api',
    DATABASE_URL: databaseUrl,
    JWT_KEY: '11'.repeat(32),
    CAPTCHA_KEY: '22'.repeat(32),
    CAPTCHA: 'off',
    PUBLIC_URL: 'http://localhost:3000',
    LOG_LEVEL: 'silent',
  })
  return { ...config, ...overrides }
}

/** A pinned installation with its first member, and a server with these features that does not listen. */
export async function createTestServer(
  adminUrl: string,
  features: readonly FeatureRoutes[],
  overrides: Partial<Config> = {},
  clock: Clock = systemClock,
): Promise<TestServer> {
  const database = await createTestDatabase(adminUrl)
  const connection = connect(database.serverUrl)
  const config = testConfig(database.serverUrl, overrides)
  const context: Context = { db: connection.db, clock, config }
  await ensureInstallation(context)
  const rootId = await createRoot(connection.db, someone({ username: 'root', firstName: 'Raíz' }), new Date())
  const api = await buildServer(context, features)
  await api.ready()
  return {
    api,
    context,
    database,
    connection,
    rootId,
    call: (options) => api.inject(options),
    close: async () => {
      await api.close()
      await connection.close()
      await database.drop()
    },
  }
}

/** A new member under a sponsor, the first member where none is named. */
export function join(
  server: TestServer,
  overrides: Partial<NewMember> = {},
  sponsorId: bigint = server.rootId,
  at = new Date(),
): Promise<bigint> {
  return registerMember(server.context.db, { ...someone(overrides), sponsorId }, at)
}

/** An access token of a new session of this member. */
export async function accessOf(server: TestServer, memberId: bigint): Promise<string> {
  const pair = await inTransaction(server.context.db, (tx) =>
    openSession(server.context, tx, { memberId, userAgent: 'test' }, new Date()),
  )
  return pair.access
}
