/** The environment of the server, read and checked once. Nothing else reads `process.env`. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { problemOfAddress, problemOfReplica } from '@aval/db/address'
import {
  isEncryptedDatabase,
  isEncryptedSite,
  isThisMachine,
  REACHED_PLAINLY,
  UNENCRYPTED_DATABASE,
} from '@aval/db/encrypted'
import { presentTracing, tracingSettings } from '@aval/tracing/settings'
import { DEVNET, isAccountXpub, USDT_CONTRACTS } from '@aval/tron'
import { z } from 'zod'
import { LIMITS, type Limits } from './core/limits.ts'
import { readSender, readSmtpUrl } from './core/mail-settings.ts'

export const NETWORKS = ['devnet', 'nile', 'shasta', 'mainnet'] as const
export type Network = (typeof NETWORKS)[number]

/** Where a person looks up a transaction; the path of one follows as `/transaction/<txid>`. */
const EXPLORERS: Readonly<Record<Exclude<Network, 'devnet'>, string>> = {
  nile: 'https://nile.tronscan.org/#',
  shasta: 'https://shasta.tronscan.org/#',
  mainnet: 'https://tronscan.org/#',
}

const HEX_KEY = /^[0-9a-f]{64}$/i
const onOff = z.enum(['on', 'off'], 'is either "on" or "off"').transform((text) => text === 'on')
const webAddress = z
  .url({ protocol: /^https?$/, error: 'is no address beginning with http:// or https://' })
  .transform((text) => text.replace(/\/+$/, ''))
const key = z
  .string('is missing: 64 hexadecimal characters, for example from "openssl rand -hex 32"')
  .regex(HEX_KEY, 'is not 64 hexadecimal characters')
  .transform((text): Uint8Array => new Uint8Array(Buffer.from(text, 'hex')))
const smtpUrl = z.string().transform((text, issues) => {
  const server = readSmtpUrl(text)
  if (server === null) issues.addIssue('is no address of the form smtp://user:password@host:587, or smtps://')
  return server ?? z.NEVER
})
const sender = z.string().transform((text, issues) => {
  const read = readSender(text)
  if (read === null)
    issues.addIssue('is no sender of the form office@example.com, or Aval <office@example.com>')
  return read ?? z.NEVER
})
const replicaUrl = z.string().superRefine((text, issues) => {
  const problem = problemOfReplica(text)
  if (problem !== null) issues.addIssue(problem)
})
const wholeNumber = (max: number, min = 0) => {
  const problem = `is no whole number from ${min} to ${max}`
  const isWithin = (value: number) => value >= min && value <= max
  return z
    .string()
    .regex(/^\d{1,5}$/, problem)
    .transform(Number)
    .refine(isWithin, problem)
}

const environment = z.object({
  ROLE: z.enum(['api', 'worker'], 'is either "api" or "worker"'),
  PORT: wholeNumber(65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PLAIN_HTTP: onOff.default(false),
  METRICS_PORT: wholeNumber(65_535).optional(),
  SHARED_PORT: onOff.default(false),
  SECURITY_CONTACT: z
    .url({ protocol: /^(mailto|https)$/, error: 'is no address beginning with mailto: or https:' })
    .optional(),
  DATABASE_URL: z.string('is missing: the address of a PostgreSQL database').superRefine((text, issues) => {
    const problem = problemOfAddress(text)
    if (problem !== null) issues.addIssue(problem)
  }),
  DATABASE_REPLICA_URL: replicaUrl.optional(),
  PUBLIC_URL: webAddress.optional(),
  APPROVALS_URL: webAddress.optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  JWT_KEY: key,
  CAPTCHA_KEY: key,
  SEAL_KEY: key,
  CAPTCHA: onOff.default(true),
  TRON_NETWORK: z.enum(NETWORKS, `is none of ${NETWORKS.join(', ')}`).default('devnet'),
  TRON_XPUB: z.string().refine(isAccountXpub, "is no account xpub (m/44'/195'/0')").optional(),
  DEVNET_URL: webAddress.optional(),
  EXPLORER_URL: webAddress.optional(),
  DEVNET_SOLID_LAG: wholeNumber(100).default(19),
  DEMO: onOff.default(false),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: sender.optional(),
  COOLING_HOURS: wholeNumber(720).default(24),
  UNBOUND_CODES: onOff.optional(),
  RETENTION_YEARS: wholeNumber(30, 1).default(10),
  WEB_DIST: z.string().min(1).optional(),
  PICTURES_SOCKET: z.string().min(1).optional(),
  BREACHED_PASSWORDS_URL: z
    .url({ protocol: /^https$/, error: 'is no address beginning with https://' })
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], 'is no log level').default('info'),
  TRUST_PROXY: wholeNumber(9).default(0),
  ...tracingSettings,
})
type Environment = z.output<typeof environment>

export type Config = Readonly<ReturnType<typeof present>>

/** A broken configuration: every problem, a line each. */
export class ConfigRefusal extends Error {
  readonly lines: readonly string[]

  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.name = 'ConfigRefusal'
    this.lines = lines
  }
}

/** What is wrong only in combination, most of it with the network. */
function contradictions(values: Partial<Environment>): string[] {
  const { ROLE, TRON_NETWORK: network = 'devnet', WEB_DIST } = values
  const lines: string[] = []
  if (ROLE === 'api' && WEB_DIST !== undefined && !existsSync(join(WEB_DIST, 'index.html')))
    lines.push('WEB_DIST: has no index.html; the web app is not built there')
  if (network === 'devnet') return lines
  if (ROLE === 'api' && !values.PLAIN_HTTP && !isThisMachine(values.HOST ?? 'localhost'))
    lines.push(`HOST: ${REACHED_PLAINLY}`)
  if (values.COOLING_HOURS === 0) lines.push(`COOLING_HOURS: cannot be 0 on a public network (${network})`)
  if (values.CAPTCHA === false) lines.push(`CAPTCHA: cannot be off on a public network (${network})`)
  if (values.DEMO === true) lines.push(`DEMO: nothing of the demo can start on a public network (${network})`)
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector } = values
  if (collector !== undefined && !isEncryptedSite(collector))
    lines.push('OTEL_EXPORTER_OTLP_ENDPOINT: has to begin with https://, unless it is on this machine')
  if (values.TRON_XPUB === undefined)
    lines.push(`TRON_XPUB: is missing: deposit addresses on ${network} are derived from it`)
  if (values.PUBLIC_URL === undefined)
    lines.push(`PUBLIC_URL: is missing: the address at which people reach the product on ${network}`)
  else if (!isEncryptedSite(values.PUBLIC_URL))
    lines.push(`PUBLIC_URL: has to begin with https:// on a public network (${network})`)
  if (values.DATABASE_URL !== undefined && !isEncryptedDatabase(values.DATABASE_URL))
    lines.push(`DATABASE_URL: ${UNENCRYPTED_DATABASE}`)
  const { DATABASE_REPLICA_URL: replica } = values
  if (replica !== undefined && !isEncryptedDatabase(replica))
    lines.push(`DATABASE_REPLICA_URL: ${UNENCRYPTED_DATABASE}`)
  if (values.SMTP_URL === undefined)
    lines.push(`SMTP_URL: is missing: members on ${network} get their secret codes by mail`)
  if (values.TRON_XPUB === DEVNET.xpub)
    lines.push(`TRON_XPUB: is the development chain's, whose keys everybody knows; not for ${network}`)
  return lines
}

/** Empty values count as absent, so that a line `NAME=` in a file means the default. */
function given(env: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== '')
  return Object.fromEntries(entries.map(([name, value]) => [name, (value ?? '').trim()]))
}

/** What could be read of a broken environment, so that contradictions are reported together with the rest. */
function readable(env: Record<string, string>): Partial<Environment> {
  const values = Object.entries(environment.shape).flatMap(([name, schema]) => {
    const result = schema.safeParse(env[name])
    return result.success && result.data !== undefined ? [[name, result.data]] : []
  })
  return Object.fromEntries(values) as Partial<Environment>
}

/** A line each, by the name to change. */
const problemsOf = (error: z.ZodError): string[] =>
  error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`)

/** @throws ConfigRefusal naming all problems at once. */
export function parseConfig(env: NodeJS.ProcessEnv): Config {
  const texts = given(env)
  const parsed = environment.safeParse(texts)
  const broken = parsed.success ? [] : problemsOf(parsed.error)
  const lines = [...broken, ...contradictions(readable(texts)).filter((line) => !isNamed(line, broken))]
  if (!parsed.success || lines.length > 0) throw new ConfigRefusal(lines)
  return present(parsed.data)
}

function isNamed(line: string, broken: readonly string[]): boolean {
  return broken.some((other) => other.split(':')[0] === line.split(':')[0])
}

function present(values: Environment) {
  const network = values.TRON_NETWORK
  const isPublic = network !== 'devnet'
  const limits: Limits = isPublic ? LIMITS.public : LIMITS.devnet
  const usdtContract: string = USDT_CONTRACTS[network]
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`
  return {
    role: values.ROLE,
    port: values.PORT,
    host: values.HOST,
    /** Whether other API processes of this machine listen on the same port; the system shares connections out. */
    sharedPort: values.SHARED_PORT,
    /** Where this machine reads the metrics; null: nowhere. */
    metricsPort: values.METRICS_PORT ?? null,
    securityContact: values.SECURITY_CONTACT ?? null,
    databaseUrl: values.DATABASE_URL,
    /** Of a stand-by of that database, which answers reads; null: there is none. */
    replicaUrl: values.DATABASE_REPLICA_URL ?? null,
    /** Where people reach the product, without a slash at the end. */
    publicUrl,
    /** Where operators approve withdrawals; null where nobody said. */
    approvalsUrl: values.APPROVALS_URL ?? null,
    dataDir: resolve(values.DATA_DIR),
    jwtKey: values.JWT_KEY,
    captchaKey: values.CAPTCHA_KEY,
    /** Seals the secrets of two-factor; without it they are lost. */
    sealKey: values.SEAL_KEY,
    captcha: values.CAPTCHA,
    network,
    usdtContract,
    /** Extended public key from which every deposit address is derived. */
    depositXpub: values.TRON_XPUB ?? DEVNET.xpub,
    /** The development chain; null on a public network. */
    devnetUrl: isPublic ? null : (values.DEVNET_URL ?? null),
    /** Blocks on top of a transfer until it is solidified and counts. */
    confirmsNeeded: isPublic ? 19 : values.DEVNET_SOLID_LAG,
    explorerUrl: values.EXPLORER_URL ?? (isPublic ? EXPLORERS[network] : (values.DEVNET_URL ?? null)),
    demo: values.DEMO,
    /** Where mail is handed over; null: every message is a file in the data folder's outbox. */
    smtp: values.SMTP_URL ?? null,
    mailFrom: values.MAIL_FROM ?? { name: 'Aval', address: `no-reply@${new URL(publicUrl).hostname}` },
    /** Hours after a change of wallet, e-mail, password, two-factor or passkeys in which no money leaves. */
    coolingHours: values.COOLING_HOURS,
    /** Whether a withdrawal code may be made, and used, for any amount: a stolen one takes all that is there. */
    unboundCodes: values.UNBOUND_CODES ?? !isPublic,
    /** Years for which it is kept to whom a closed account's money was paid. */
    retentionYears: values.RETENTION_YEARS,
    /** Who is asked whether a new password was in a leak; null: nobody. */
    breachedPasswordsUrl: values.BREACHED_PASSWORDS_URL ?? null,
    /** Folder of the built web app; null when something else serves it. */
    webDist: values.WEB_DIST === undefined ? null : resolve(values.WEB_DIST),
    /** Where the program listens that draws uploaded pictures again; null: there is none, and pictures are refused. */
    picturesSocket: values.PICTURES_SOCKET ?? null,
    logLevel: values.LOG_LEVEL,
    /** How many proxies in front of us are believed about the client's address. */
    trustedProxies: values.TRUST_PROXY,
    /** Where traces go; null: there are none. */
    tracing: presentTracing(values),
    limits,
  }
}

const SECRETS = [
  'DATABASE_URL',
  'JWT_KEY',
  'CAPTCHA_KEY',
  'SEAL_KEY',
  'SMTP_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const

/**
 * This process's configuration. Secrets are removed from the environment, so that nothing this process does later passes them on
 * or reports them.
 *
 * @throws ConfigRefusal
 */
export function readConfig(): Config {
  const config = parseConfig(process.env)
  for (const name of SECRETS) delete process.env[name]
  return config
}

/** Settings of a tool that needs no others. @throws ConfigRefusal */
function readOnly<Shape extends z.ZodRawShape>(shape: Shape) {
  const parsed = z.object(shape).safeParse(process.env)
  if (!parsed.success) throw new ConfigRefusal(problemsOf(parsed.error))
  return parsed.data
}

/** For tools that need nothing but the database. @throws ConfigRefusal */
export const readDatabaseUrl = (): string =>
  readOnly({ DATABASE_URL: environment.shape.DATABASE_URL }).DATABASE_URL

/** For tools that set two-factor up. @throws ConfigRefusal */
export const readSealKey = (): Uint8Array => readOnly({ SEAL_KEY: key }).SEAL_KEY

/** For tools that write to members: what their links are signed with, and where they lead. @throws ConfigRefusal */
export function readLetterConfig(): Pick<Config, 'jwtKey' | 'publicUrl' | 'coolingHours'> {
  const { JWT_KEY, PUBLIC_URL, COOLING_HOURS } = environment.shape
  const read = readOnly({ JWT_KEY, PUBLIC_URL: PUBLIC_URL.unwrap(), COOLING_HOURS })
  return { jwtKey: read.JWT_KEY, publicUrl: read.PUBLIC_URL, coolingHours: read.COOLING_HOURS }
}

/** What the demo's members sign in with; 8 to 128 characters, as for everybody; the demo may have a common one. @throws ConfigRefusal */
export function readDemoPassword(): string {
  const problem = 'is no password of 8 to 128 characters'
  return readOnly({ DEMO_PASSWORD: z.string(problem).min(8, problem).max(128, problem) }).DEMO_PASSWORD
}
