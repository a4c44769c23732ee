/** A server on a database of its own, for tests that speak to it as clients do. */
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { connect, inTransaction } from '@aval/db'
import { createTestDatabase } from '@aval/db/testing'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { Secret, TOTP } from 'otpauth'
import { type Config, parseConfig } from '../config.ts'
import { type Clock, type Context, systemClock } from '../core/context.ts'
import { seal, unseal } from '../core/seal.ts'
import { ensureInstallation } from '../features/identity/registration/installation.commands.ts'
import {
  createRoot,
  type NewMember,
  registerMember,
} from '../features/identity/registration/registration.commands.ts'
import { totpOwner } from '../features/identity/second-factor/second-factor.commands.ts'
import { hasSecondFactor } from '../features/identity/second-factor/second-factor.queries.ts'
import { newTotpSecret } from '../features/identity/second-factor/totp.ts'
import { assignTotpSecret } from '../features/identity/second-factor/totp-setup.commands.ts'
import { openSession } from '../features/identity/sessions/sessions.commands.ts'
import { features, parts } from '../features.ts'
import type { FeatureRoutes } from '../http/api.ts'
import { buildServer } from '../http/server.ts'
import { stockAddresses } from './addresses.ts'
import { auditWith } from './audited.ts'

export type TestServer = Awaited<ReturnType<typeof createTestServer>>

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
    SEAL_KEY: '33'.repeat(32),
    CAPTCHA: 'off',
    PUBLIC_URL: 'http://localhost:3000',
    LOG_LEVEL: 'silent',
    DATA_DIR: joinPath(tmpdir(), `aval-data-${new URL(databaseUrl).pathname.slice(1)}`),
  })
  return { ...config, ...overrides }
}

/** A pinned installation with its first member, and a server with these features that does not listen. */
export async function createTestServer(
  adminUrl: string,
  served: readonly FeatureRoutes[] = features,
  overrides: Partial<Config> = {},
  clock: Clock = systemClock,
) {
  const database = await createTestDatabase(adminUrl)
  const connection = connect(database.serverUrl)
  const calls = connect(database.apiUrl)
  const owner = connect(database.ownerUrl, 2)
  const worker = connect(database.workerUrl)
  const auditor = auditWith(database.auditorUrl, [connection.db, worker.db])
  const config = testConfig(database.serverUrl, overrides)
  const context: Context = { db: connection.db, clock, config }
  await ensureInstallation(context)
  await stockAddresses(owner.db)
  const rootId = await createRoot(connection.db, someone({ username: 'root', firstName: 'Raíz' }), new Date())
  // What is called is done with the rights of the API alone, as in the product.
  const api = await buildServer({ ...context, db: calls.db }, served, parts)
  await api.ready()
  return {
    api,
    context,
    database,
    connection,
    /** What the worker is started with, and its rights alone. */
    worker: {
      ...context,
      db: worker.db,
      config: { ...config, databaseUrl: database.workerUrl },
    } satisfies Context,
    /** The owner of the tables, for what the server's own role cannot do. */
    owner,
    rootId,
    call: (options: InjectOptions): Promise<LightMyRequestResponse> => api.inject(options),
    close: async (): Promise<void> => {
      await api.close()
      await Promise.all([connection, calls, worker, owner, auditor].map((each) => each.close()))
      await database.drop()
      if (overrides.dataDir === undefined) await rm(config.dataDir, { recursive: true, force: true })
    },
  }
}

/** A new member under a sponsor, the first member where none is named. */
export function join(
  server: TestServer,
  overrides: Partial<NewMember> & { readonly isOperator?: boolean } = {},
  sponsorId: bigint = server.rootId,
  at = new Date(),
): Promise<bigint> {
  const { isOperator = false, ...overriding } = overrides
  const {
    operatorRole = isOperator ? 'admin' : undefined,
    isFundator = false,
    ...member
  } = someone(overriding)
  return registerMember(server.context.db, { ...member, sponsorId }, at).then(async (id) => {
    const role = { is_operator: operatorRole !== undefined, operator_role: operatorRole ?? null }
    const said = { ...role, is_fundator: isFundator }
    if (operatorRole !== undefined || isFundator)
      await server.owner.db.updateTable('member').set(said).where('id', '=', id).execute()
    return id
  })
}

/** An access token of a new session of this member. An operator has two-factor, and signed in with a code. */
export async function accessOf(server: TestServer, memberId: bigint): Promise<string> {
  const { db } = server.context
  const { is_operator: secondFactor } = await db
    .selectFrom('member')
    .select('is_operator')
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  if (secondFactor && !(await hasSecondFactor(db, memberId)))
    await assignTotpSecret(server.context, memberId, newTotpSecret(), new Date())
  const pair = await inTransaction(db, (tx) =>
    openSession(server.context, tx, { memberId, userAgent: 'test', secondFactor }, new Date()),
  )
  return pair.access
}

export type Headers = Readonly<Record<string, string>>

/** Asks for refusals with their code and field. */
export const PROBLEM = { accept: 'application/problem+json' }

/** The calls of one client, in English unless its headers say otherwise. Paths begin after `/api/`. */
export function clientOf(server: TestServer, headers: Headers = {}) {
  const send = (method: 'GET' | 'POST', path: string, more: Headers, payload?: InjectOptions['payload']) =>
    server.call({
      method,
      url: `/api/${path}`,
      headers: { 'accept-language': 'en', ...headers, ...more },
      ...(payload === undefined ? {} : { payload }),
    })
  return {
    headers,
    get: (path: string, more: Headers = {}) => send('GET', path, more),
    post: (path: string, payload?: InjectOptions['payload'], more: Headers = {}) =>
      send('POST', path, more, payload),
    /** Posts a decision with a fresh code. */
    decide: async (path: string, payload: object = {}, more: Headers = {}) =>
      send('POST', path, more, { otp: await freshCode(server, headers), ...payload }),
  }
}

export type Client = ReturnType<typeof clientOf>

/** A member in a new session. */
export const signedIn = async (server: TestServer, memberId: bigint): Promise<Client> =>
  clientOf(server, { authorization: `Bearer ${await accessOf(server, memberId)}` })

/** A new operator who signed in with a code. */
export const operatorClient = async (server: TestServer, overrides: Partial<NewMember> = {}) =>
  signedIn(server, await join(server, { ...overrides, isOperator: true }))

/** What an authenticator app shows at this moment. */
export function codeOf(secret: string, at: Date): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() })
}

/**
 * A code with which the sender of these headers can decide now; undefined for members without two-factor. Codes that were
 * used before count no more, so no test waits for the next half minute. Calls of one operator at once still send the same
 * code; tests of calls at once have several operators.
 */
export async function freshCode(
  server: TestServer,
  headers: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const payload = headers['authorization']?.split('.')[1]
  if (payload === undefined) return undefined
  const memberId = BigInt(JSON.parse(Buffer.from(payload, 'base64url').toString()).sub)
  const { db, config } = server.context
  const totp = db.selectFrom('member_totp').select('secret').where('member_id', '=', memberId)
  const stored = await totp.executeTakeFirst()
  if (stored === undefined) return undefined
  const secret = unseal(config.sealKey, stored.secret, totpOwner(memberId))
  // Sealed again it counts as another secret, whose codes are all to come.
  const sealed = seal(config.sealKey, secret, totpOwner(memberId))
  const anew = { secret: sealed, last_step: 0n, last_use: null }
  await db.updateTable('member_totp').set(anew).where('member_id', '=', memberId).execute()
  return codeOf(secret, new Date())
}
