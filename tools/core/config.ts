/** The environment of `npm start` and of the tools. Nothing else under tools/ reads `process.env`. */
import { resolve } from 'node:path'
import { problemOfAddress, problemOfReplica } from '@aval/db/address'
import {
  isEncryptedDatabase,
  isEncryptedSite,
  isThisMachine,
  REACHED_PLAINLY,
  UNENCRYPTED_DATABASE,
} from '@aval/db/encrypted'
import { tracingSettings } from '@aval/tracing/settings'
import { DEVNET, isAccountXpub } from '@aval/tron'
import { z } from 'zod'
import { misspeltSettings } from '../../apps/gateway/src/core/misspelt.rules.ts'
import { readSender, readSmtpUrl } from '../../apps/server/src/core/mail-settings.ts'
import { custodyContradictions, custodySettings, isMoved, presentCustody } from './custody-settings.ts'

export const root = resolve(import.meta.dirname, '../..')

const networks = ['devnet', 'nile', 'shasta', 'mainnet'] as const
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const

const onOff = z.enum(['on', 'off'], 'is either "on" or "off"')
const port = whole(1, 65_535)
const webAddress = z
  .url({ protocol: /^https?$/, error: 'is no address beginning with http:// or https://' })
  .transform((text) => text.replace(/\/+$/, ''))

const environment = z.object({
  PORT: port.default(3000),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'is no host name or address')
    .default('localhost'),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: z
    .string()
    .superRefine((text, issues) => {
      const problem = problemOfAddress(text)
      if (problem !== null) issues.addIssue(problem)
    })
    .optional(),
  DATABASE_REPLICA_URL: z
    .string()
    .superRefine((text, issues) => {
      const problem = problemOfReplica(text)
      if (problem !== null) issues.addIssue(problem)
    })
    .optional(),
  PUBLIC_URL: webAddress.optional(),
  APPROVALS_URL: webAddress.optional(),
  APPROVALS_PORT: port.optional(),
  APPROVALS_HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'is no host name or address')
    .optional(),
  PLAIN_HTTP: onOff.default('off'),
  METRICS_PORT: port.optional(),
  SECURITY_CONTACT: z
    .url({ protocol: /^(mailto|https)$/, error: 'is no address beginning with mailto: or https:' })
    .optional(),
  BREACHED_PASSWORDS_URL: z
    .url({ protocol: /^https$/, error: 'is no address beginning with https://' })
    .optional(),
  TRON_NETWORK: z.enum(networks, `is none of ${networks.join(', ')}`).default('devnet'),
  TRON_NODES: z
    .string()
    .refine(
      (text) => text.split(',').every(isWebAddress),
      'is no list of http(s):// addresses, separated by commas',
    )
    .optional(),
  TRON_XPUB: z.string().refine(isAccountXpub, "is no account xpub (m/44'/195'/0')").optional(),
  DEVNET_PORT: port.default(3001),
  DEVNET_BLOCK_MS: whole(100, 60_000).default(1000),
  DEVNET_SOLID_LAG: whole(0, 100).default(3),
  DEMO: onOff.optional(),
  DEMO_PASSWORD: z
    .string()
    .min(8, 'has fewer than 8 characters')
    .max(128, 'has more than 128 characters')
    .optional(),
  CAPTCHA: onOff.default('on'),
  SMTP_URL: z
    .string()
    .refine(
      (text) => readSmtpUrl(text) !== null,
      'is no address of the form smtp://user:password@host:587, or smtps://',
    )
    .optional(),
  MAIL_FROM: z
    .string()
    .refine(
      (text) => readSender(text) !== null,
      'is no sender of the form office@example.com, or Aval <office@example.com>',
    )
    .optional(),
  COOLING_HOURS: whole(0, 720).optional(),
  UNBOUND_CODES: onOff.optional(),
  RETENTION_YEARS: whole(1, 30).optional(),
  BACKUP_DIR: z.string().optional(),
  BACKUP_PASSPHRASE: z.string().min(12, 'has fewer than 12 characters').optional(),
  LOG_LEVEL: z.enum(logLevels, `is none of ${logLevels.join(', ')}`).optional(),
  TRUST_PROXY: whole(0, 9).optional(),
  ...tracingSettings,
  ...custodySettings,
})
type Environment = z.output<typeof environment>

/** What the processes may inherit from the machine; secrets of ours travel by name only. */
const inheritedNames = [
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'TZ',
  'TMPDIR',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'HTTPS_PROXY',
  'NO_PROXY',
]
/** What is the server's alone: SMTP_URL holds a password. */
const serverNames = [
  'PLAIN_HTTP',
  'METRICS_PORT',
  'SECURITY_CONTACT',
  'BREACHED_PASSWORDS_URL',
  'COOLING_HOURS',
  'UNBOUND_CODES',
  'RETENTION_YEARS',
  'SMTP_URL',
  'MAIL_FROM',
  'LOG_LEVEL',
  'TRUST_PROXY',
]

export type StartConfig = Readonly<ReturnType<typeof present>>

/** A broken configuration: every problem, a line each. */
export class ConfigRefusal extends Error {
  override readonly name = 'ConfigRefusal'
  readonly lines: readonly string[]

  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.lines = lines
  }
}

function whole(min: number, max: number) {
  const problem = `is no whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,6}$/, problem)
    .transform(Number)
    .refine((value) => value >= min && value <= max, problem)
}

function isWebAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text.trim())?.protocol ?? '')
}

/** Beside the web app's port and the development chain's. */
const approvalsPort = ({ PORT = 3000, APPROVALS_PORT = PORT + 2 }: Partial<Environment>): number =>
  APPROVALS_PORT

/** On this machine alone it is reached by this machine's own name; else by the name of the product. */
function approvalsUrl(values: Environment, publicUrl: string): string {
  const { hostname } = values.APPROVALS_HOST === undefined ? { hostname: 'localhost' } : new URL(publicUrl)
  return values.APPROVALS_URL ?? `http://${hostname}:${approvalsPort(values)}`
}

function approvalsContradictions(network: string, values: Partial<Environment>): string[] {
  const { APPROVALS_URL: url } = values
  if (network === 'devnet') return []
  if (url === undefined)
    return [
      `APPROVALS_URL: is missing: with TRON_NETWORK=${network} operators need an address to approve at, to which their passkeys belong`,
    ]
  const hostOf = (address: string | undefined) =>
    address === undefined ? null : (URL.parse(address)?.hostname ?? null)
  const host = hostOf(url)
  // Cookies are kept by host, whatever the port, and a passkey belongs to one host.
  if (host !== 'localhost' && host === hostOf(values.PUBLIC_URL))
    return ['APPROVALS_URL: has the host of PUBLIC_URL: what runs on one page must not reach the other']
  if (isEncryptedSite(url)) return []
  return ['APPROVALS_URL: has to begin with https://: browsers use no passkeys elsewhere']
}

/** What would travel so that others can read it: passwords, members' data, what a node says of money. */
function encryptionContradictions(network: string, values: Partial<Environment>): string[] {
  if (network === 'devnet') return []
  const { PUBLIC_URL, TRON_NODES = '', PLAIN_HTTP, OTEL_EXPORTER_OTLP_ENDPOINT } = values
  const hosts = ['HOST', 'APPROVALS_HOST'] as const
  const reached = hosts.filter((name) => PLAIN_HTTP !== 'on' && !isThisMachine(values[name] ?? 'localhost'))
  const lines = reached.map((name) => `${name}: ${REACHED_PLAINLY}`)
  if (PUBLIC_URL !== undefined && !isEncryptedSite(PUBLIC_URL))
    lines.push(`PUBLIC_URL: has to begin with https:// on a public network (${network})`)
  if (TRON_NODES.split(',').some((text) => isWebAddress(text) && !isEncryptedSite(text.trim())))
    lines.push('TRON_NODES: each has to begin with https://, unless it is on this machine')
  if (OTEL_EXPORTER_OTLP_ENDPOINT !== undefined && !isEncryptedSite(OTEL_EXPORTER_OTLP_ENDPOINT))
    lines.push('OTEL_EXPORTER_OTLP_ENDPOINT: has to begin with https://, unless it is on this machine')
  for (const name of ['DATABASE_URL', 'DATABASE_REPLICA_URL'] as const) {
    const url = values[name]
    if (url !== undefined && !isEncryptedDatabase(url)) lines.push(`${name}: ${UNENCRYPTED_DATABASE}`)
  }
  return lines
}

/** Two programs on one port. */
function portContradictions(values: Partial<Environment>): string[] {
  const { PORT = 3000, DEVNET_PORT = 3001, METRICS_PORT, TRON_NETWORK: network = 'devnet' } = values
  const ports = {
    PORT,
    ...(network === 'devnet' && { DEVNET_PORT }),
    APPROVALS_PORT: approvalsPort(values),
    ...(METRICS_PORT !== undefined && { METRICS_PORT }),
  }
  const taken = new Map<number, string>()
  return Object.entries(ports).flatMap(([name, number]) => {
    const other = taken.get(number)
    taken.set(number, other ?? name)
    return other === undefined ? [] : [`${name}: is the same as ${other}`]
  })
}

function replicaContradictions({ DATABASE_REPLICA_URL, DATABASE_URL }: Partial<Environment>): string[] {
  if (DATABASE_REPLICA_URL === undefined || DATABASE_URL !== undefined) return []
  return ['DATABASE_REPLICA_URL: is set without DATABASE_URL: the embedded database has no replica']
}

function backupContradictions({ BACKUP_DIR, DATABASE_URL }: Partial<Environment>): string[] {
  if (BACKUP_DIR === undefined || DATABASE_URL === undefined) return []
  return [
    'BACKUP_DIR: is set with DATABASE_URL: the log of a server of your own is shipped by pgBackRest (docs/runbooks/backups.md)',
  ]
}

/** What is wrong only in combination. */
function contradictions(values: Partial<Environment>): string[] {
  const { TRON_NETWORK: network = 'devnet' } = values
  const lines = [
    ...backupContradictions(values),
    ...replicaContradictions(values),
    ...custodyContradictions(network, values.TRON_NODES, values),
    ...approvalsContradictions(network, values),
    ...encryptionContradictions(network, values),
    ...portContradictions(values),
  ]
  if (network === 'devnet') {
    if (values.DEMO_PASSWORD !== undefined && values.DEMO === 'off')
      lines.push('DEMO_PASSWORD: is set while DEMO is off')
    return lines
  }
  const needed = `is missing: with TRON_NETWORK=${network}`
  if (values.PUBLIC_URL === undefined)
    lines.push(`PUBLIC_URL: ${needed} people need an address to reach the product`)
  if (values.TRON_NODES === undefined)
    lines.push(`TRON_NODES: ${needed} the gateway needs nodes to read from`)
  if (values.TRON_XPUB === undefined) lines.push(`TRON_XPUB: ${needed} deposit addresses are derived from it`)
  if (values.SMTP_URL === undefined) lines.push(`SMTP_URL: ${needed} members get their secret codes by mail`)
  if (values.TRON_XPUB === DEVNET.xpub)
    lines.push(`TRON_XPUB: is the development chain's, whose keys everybody knows; not for ${network}`)
  if (values.COOLING_HOURS === 0) lines.push(`COOLING_HOURS: cannot be 0 on a public network (${network})`)
  if (values.CAPTCHA === 'off') lines.push(`CAPTCHA: cannot be off on a public network (${network})`)
  if (values.DEMO === 'on') lines.push(`DEMO: nothing of the demo can start on a public network (${network})`)
  return lines
}

/** Processes that answer calls on one port: more than a machine has use for to try it, and the database has connections for. */
const MOST_APIS = 4

/** @returns how many API processes `--apis` asks for, or the line that says what is wrong */
export function readApis(
  args: readonly string[],
  platform: NodeJS.Platform = process.platform,
): number | string {
  const [name, value = '', ...others] = args.flatMap((text) => text.split('='))
  if (name === undefined) return 1
  if (name !== '--apis' || others.length > 0)
    return `npm start knows --apis alone: npm start -- --apis 2, not ${args.join(' ')}`
  const apis = /^\d$/.test(value) ? Number(value) : 0
  if (apis < 1 || apis > MOST_APIS) return `--apis: is no whole number from 1 to ${MOST_APIS}`
  if (apis > 1 && platform !== 'linux') return '--apis: more than 1 share a port on Linux alone'
  return apis
}

/** Empty values count as absent, so that a line `NAME=` in a file means the default. */
function given(env: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(env).map(([name, value]) => [name, (value ?? '').trim()] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}

/** What could be read of a broken environment, so that contradictions are reported together with the rest. */
function readable(texts: Record<string, string>): Partial<Environment> {
  const values = Object.entries(environment.shape).flatMap(([name, schema]) => {
    const result = schema.safeParse(texts[name])
    return result.success && result.data !== undefined ? [[name, result.data]] : []
  })
  return Object.fromEntries(values)
}

/** What the development chain and the signer read where they are started alone, and the tests. */
const OTHER_SETTINGS = [
  'DEVNET_NODES',
  'DEVNET_GENESIS_OFFSET_MS',
  'SIGNER_SOCKET_SHARED',
  ...['CHROMIUM_PATH', 'JOURNEYS_ON', 'PICTURES'],
]

const misspelt = (texts: Record<string, string>): string[] =>
  misspeltSettings(Object.keys(texts), {
    ours: Object.keys(environment.shape),
    others: [...inheritedNames, ...OTHER_SETTINGS],
    prefixes: ['TRON_', 'DEVNET_', 'SIGNER_', 'APPROVALS_'],
  })

/** @throws ConfigRefusal naming all problems at once; values are not repeated, they may be secret. */
export function parseStartConfig(env: NodeJS.ProcessEnv, args: readonly string[] = []): StartConfig {
  const texts = given(env)
  const apis = readApis(args)
  const parsed = environment.safeParse(texts)
  const broken = parsed.error?.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`) ?? []
  const named = new Set(broken.map((line) => line.split(':')[0]))
  const lines = [
    ...(typeof apis === 'string' ? [apis] : []),
    ...misspelt(texts),
    ...broken,
    ...contradictions(readable(texts)).filter((line) => !named.has(line.split(':')[0])),
  ]
  if (!parsed.success || typeof apis === 'string' || lines.length > 0) throw new ConfigRefusal(lines)
  return present(parsed.data, texts, apis)
}

const only = (texts: Record<string, string>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([name]) => names.includes(name)))

function present(values: Environment, texts: Record<string, string>, apis: number) {
  const isLocal = values.DATABASE_URL === undefined && values.TRON_NETWORK === 'devnet'
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`
  return {
    port: values.PORT,
    host: values.HOST,
    /** How many API processes share that port. */
    apis,
    /** Of the first of them; each further one has the next. Null: none. */
    metricsPort: values.METRICS_PORT ?? null,
    /** Absolute. */
    dataDir: resolve(root, values.DATA_DIR),
    /** Null: the embedded database. */
    databaseUrl: values.DATABASE_URL ?? null,
    /** Of a stand-by of that database, which answers reads. */
    replicaUrl: values.DATABASE_REPLICA_URL ?? null,
    publicUrl,
    approvals: {
      url: approvalsUrl(values, publicUrl),
      port: approvalsPort(values),
      host: values.APPROVALS_HOST ?? 'localhost',
      plainHttp: values.PLAIN_HTTP,
    },
    network: values.TRON_NETWORK,
    nodes: values.TRON_NODES ?? null,
    xpub: values.TRON_XPUB ?? null,
    devnet: {
      port: values.DEVNET_PORT,
      blockMs: values.DEVNET_BLOCK_MS,
      solidLag: values.DEVNET_SOLID_LAG,
    },
    demo: values.DEMO === undefined ? isLocal : values.DEMO === 'on',
    demoPassword: values.DEMO_PASSWORD ?? null,
    captcha: values.CAPTCHA,
    backup: {
      /** Absolute: where the embedded database's log is shipped to. Null: nowhere. */
      folder: values.BACKUP_DIR === undefined ? null : resolve(root, values.BACKUP_DIR),
      /** Null: backups are not encrypted. */
      passphrase: values.BACKUP_PASSPHRASE ?? null,
    },
    custody: presentCustody(values, texts, root),
    /** Environment that every child gets. */
    inherited: only(texts, inheritedNames),
    /** What those get that trace: API, worker and gateway. The signer and the approvals page do not. */
    tracing: only(texts, Object.keys(tracingSettings)),
    /** What API and worker get besides. */
    server: only(texts, serverNames),
  }
}

/**
 * This process's configuration. Passphrases are taken out of the environment, so that no child inherits them.
 * @throws ConfigRefusal
 */
export function readStartConfig(args: readonly string[] = []): StartConfig {
  const env = { ...process.env }
  delete process.env['SIGNER_PASSPHRASE']
  delete process.env['BACKUP_PASSPHRASE']
  return parseStartConfig(env, args)
}

/** Every setting there is, for the table of the README: those of `npm start`, and the browser of the journeys. */
export const settingNames: readonly string[] = [
  ...Object.keys(environment.shape).filter((name) => !isMoved(name)),
  'CHROMIUM_PATH',
]

/** The database the tests run against instead of a throw-away one. */
export function givenDatabaseUrl(): string | undefined {
  return process.env['DATABASE_URL'] || undefined
}

/** The browser the journeys drive instead of a found one. */
export function givenChromium(): string | undefined {
  return process.env['CHROMIUM_PATH'] || undefined
}

/** The data folder of a running product that the journeys are to use, instead of one of their own. */
export function givenJourneyProduct(): string | undefined {
  return process.env['JOURNEYS_ON'] || undefined
}

/** The folder for pictures of a journey, where somebody wants to look at it. */
export function givenPictures(): string | undefined {
  return process.env['PICTURES'] || undefined
}

/** The environment for a tool that is started as a child, with changes. */
export function childEnvironment(changes: Record<string, string | undefined> = {}): NodeJS.ProcessEnv {
  const merged = { ...process.env, ...changes }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined))
}
