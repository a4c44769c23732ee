/** The environment of each process: only what that process needs, so that a secret has one reader. */
import { join } from 'node:path'
import { addressesOf, withLogin } from '@aval/db/address'
import type { StartConfig } from '../core/config.ts'
import type { Database } from './database.ts'
import type { Layout } from './layout.ts'
import type { Secrets } from './secrets.ts'

type Env = Readonly<Record<string, string>>

/** What the signer's process needs. */
export interface OpenedSigner {
  readonly keyFile: string
  readonly passphrase: string
  readonly socket: string
}

/** @param name of the process: what one compiled, no other runs */
export function baseEnvironment(config: StartConfig, name: string): Env {
  const { NODE_COMPILE_CACHE = join(config.dataDir, 'cache', 'node') } = config.inherited
  return {
    ...config.inherited,
    // Keeps the stripped and compiled sources: a start costs half the processor time the second time.
    NODE_COMPILE_CACHE: join(NODE_COMPILE_CACHE, name),
    NODE_ENV: 'production',
  }
}

export function devnetEnvironment(config: StartConfig): Env {
  return {
    ...baseEnvironment(config, 'devnet'),
    HOST: config.host,
    DEVNET_PORT: String(config.devnet.port),
    DATA_DIR: config.dataDir,
    DEVNET_BLOCK_MS: String(config.devnet.blockMs),
    DEVNET_SOLID_LAG: String(config.devnet.solidLag),
    // The demo's history begins thirty days ago, and a chain only goes forward: its first block stands before that.
    ...(config.demo && { DEVNET_GENESIS_OFFSET_MS: String(-31 * 86_400_000) }),
  }
}

export function serverEnvironment(
  role: 'api' | 'worker',
  config: StartConfig,
  secrets: Secrets,
  database: Database,
  layout: Layout,
): Env {
  return {
    // People who try the demo change a wallet and want to see money leave today, unless a setting says otherwise.
    ...(config.demo && { COOLING_HOURS: '0' }),
    ...baseEnvironment(config, role),
    ...config.server,
    ...config.tracing,
    ...devnetAddresses(config),
    DEVNET_SOLID_LAG: String(config.devnet.solidLag),
    ROLE: role,
    PORT: String(config.port),
    HOST: config.host,
    DATABASE_URL: role === 'api' ? database.apiUrl : database.workerUrl,
    ...(role === 'api' && replicaOf(config, database)),
    PUBLIC_URL: config.publicUrl,
    APPROVALS_URL: config.approvals.url,
    DATA_DIR: config.dataDir,
    JWT_KEY: secrets.jwtKey,
    CAPTCHA_KEY: secrets.captchaKey,
    SEAL_KEY: secrets.sealKey,
    CAPTCHA: config.captcha,
    TRON_NETWORK: config.network,
    ...(config.xpub !== null && { TRON_XPUB: config.xpub }),
    DEMO: config.demo ? 'on' : 'off',
    ...(layout.web !== null && { WEB_DIST: join(layout.web, 'dist') }),
  }
}

/** The replica has the roles of the primary, with their passwords. */
function replicaOf({ replicaUrl }: StartConfig, { apiUrl }: Database): Env {
  if (replicaUrl === null) return {}
  const { username, password } = new URL(addressesOf(apiUrl)[0] ?? '')
  return {
    DATABASE_REPLICA_URL: withLogin(replicaUrl, decodeURIComponent(username), decodeURIComponent(password)),
  }
}

/** What each API process is started with; the first is called `api`, as where there is one alone. */
export function apiEnvironments(
  config: StartConfig,
  secrets: Secrets,
  database: Database,
  layout: Layout,
): { readonly name: string; readonly env: Env }[] {
  const { apis, metricsPort } = config
  const env = serverEnvironment('api', config, secrets, database, layout)
  return Array.from({ length: apis }, (_, index) => ({
    name: index === 0 ? 'api' : `api-${index + 1}`,
    env: {
      ...env,
      ...(apis > 1 && { SHARED_PORT: 'on' }),
      ...(metricsPort !== null && { METRICS_PORT: String(metricsPort + index) }),
    },
  }))
}

/** No secret, and no database. */
export const picturesEnvironment = (config: StartConfig, socket: string): Env => ({
  ...baseEnvironment(config, 'pictures'),
  // Memory of large pictures goes back to the system: otherwise nine of them left 266 MB, and the process would end for an innocent one.
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
  PICTURES_SOCKET: socket,
})

/** @param socket where the signer listens; null without one */
export function gatewayEnvironment(config: StartConfig, database: Database, socket: string | null): Env {
  return {
    ...baseEnvironment(config, 'gateway'),
    ...devnetAddresses(config),
    ...config.custody.gateway,
    ...config.tracing,
    DATABASE_URL: database.gatewayUrl,
    TRON_NETWORK: config.network,
    ...(config.nodes !== null && { TRON_NODES: config.nodes }),
    ...(socket !== null && { SIGNER_SOCKET: socket }),
  }
}

/** Its role of the database, and nothing else that is secret. */
export function approvalsEnvironment(config: StartConfig, database: Database): Env {
  return {
    ...baseEnvironment(config, 'approvals'),
    DATABASE_URL: database.approvalsUrl,
    TRON_NETWORK: config.network,
    SIGNER: config.custody.signer.mode === 'offline' ? 'offline' : 'on',
    APPROVALS_URL: config.approvals.url,
    APPROVALS_PORT: String(config.approvals.port),
    APPROVALS_HOST: config.approvals.host,
    PLAIN_HTTP: config.approvals.plainHttp,
  }
}

/** Its role of the database, and nothing else. */
export const auditorEnvironment = (config: StartConfig, database: Database): Env => ({
  ...baseEnvironment(config, 'auditor'),
  DATABASE_URL: database.auditorUrl,
  TRON_NETWORK: config.network,
})

/** The only process that gets what opens the key file. */
export function signerEnvironment(config: StartConfig, database: Database, opened: OpenedSigner): Env {
  return {
    ...baseEnvironment(config, 'signer'),
    ...config.custody.signer.limits,
    DATABASE_URL: database.signerUrl,
    TRON_NETWORK: config.network,
    SIGNER_KEYS: opened.keyFile,
    ...(config.custody.signer.journal !== null && { SIGNER_JOURNAL: config.custody.signer.journal }),
    SIGNER_PASSPHRASE: opened.passphrase,
    // Its only node of the chain there; elsewhere the key file names them.
    ...(config.network === 'devnet' && { DEVNET_URL: devnetAddresses(config)['DEVNET_URL'] ?? '' }),
    SIGNER_SOCKET: opened.socket,
  }
}

/** The development chain as our processes reach it, and as a browser does. */
export function devnetAddresses(config: StartConfig): Env {
  if (config.network !== 'devnet') return {}
  const isEveryAddress = ['0.0.0.0', '::'].includes(config.host)
  const host = isEveryAddress ? '127.0.0.1' : config.host.includes(':') ? `[${config.host}]` : config.host
  const { hostname } = new URL(config.publicUrl)
  const { port } = config.devnet
  return { DEVNET_URL: `http://${host}:${port}`, EXPLORER_URL: `http://${hostname}:${port}` }
}
