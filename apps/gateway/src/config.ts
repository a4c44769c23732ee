/** The environment, read once and in no other file but the signer's. */
import { isEncryptedSite } from '@aval/db/encrypted'
import type { TracingSettings } from '@aval/tracing'
import { presentTracing, tracingSettings } from '@aval/tracing/settings'
import { devnetAddress } from '@aval/tron'
import { z } from 'zod'
import type { NodeSettings } from './chain/nodes.ts'
import {
  nodeContradictions,
  nodeSettings,
  type WalletSettings,
  walletContradictions,
  walletSettings,
} from './core/custody-settings.ts'
import {
  type ConfigResult,
  databaseAddress,
  databaseProblems,
  type Environment,
  filled,
  hasScheme,
  sentence,
} from './core/environment.ts'
import type { Wallets } from './custody/context.ts'
import { NETWORKS, type Network, settingsOf } from './network-settings.ts'

export interface Config {
  /** The gateway's own role. */
  readonly databaseUrl: string
  readonly network: Network
  /** The preferred one first. */
  readonly nodes: readonly NodeSettings[]
  /** How often the chain is polled once everything is read. */
  readonly pollMs: number
  readonly wallets: Wallets
  /** Where the signer listens; null: nothing is signed here, and transfers are exported and imported. */
  readonly signerSocket: string | null
  /** How long a transfer can enter the chain after it was built, by the chain's clock. */
  readonly lifetimeMs: number
  /** The most a transfer may burn, in sun. */
  readonly feeLimit: bigint
  /** Where traces go; null: there are none. */
  readonly tracing: TracingSettings | null
}

const schema = z.object({
  DATABASE_URL: databaseAddress('gateway'),
  TRON_NETWORK: z.enum(NETWORKS, {
    error: (issue) => `TRON_NETWORK must be one of ${NETWORKS.join(', ')}${insteadOf(issue.input)}`,
  }),
  POLL_MS: z
    .string()
    .optional()
    .refine((text) => text === undefined || /^[1-9]\d{1,4}$/.test(text), {
      error: (issue) => `POLL_MS must be a whole number from 10 to 99999${insteadOf(issue.input)}`,
    }),
  ...walletSettings,
  ...nodeSettings,
  SIGNER_SOCKET: z.string().optional(),
  ...tracingSettings,
})

/**
 * Reads the whole environment; reports all problems together, a line each, without repeating secrets. The address of the database,
 * which holds a password, and what nodes and a collector know us by are removed from it.
 */
export function readConfig(environment: Environment = process.env): ConfigResult<Config> {
  const values = filled(environment)
  if (environment === process.env)
    for (const name of ['DATABASE_URL', 'OTEL_EXPORTER_OTLP_HEADERS', 'TRON_API_KEYS'])
      delete environment[name]
  const parsed = schema.safeParse(values)
  const nodes = nodeList(values)
  const problems = [
    ...(parsed.error?.issues.map(sentence) ?? []),
    ...nodeProblems(nodes, values['TRON_NETWORK']),
    ...databaseProblems(values),
    ...collectorProblems(values),
    ...(parsed.data === undefined
      ? []
      : [
          ...walletContradictions(parsed.data.TRON_NETWORK, parsed.data),
          ...nodeContradictions(nodes.length, parsed.data),
        ].map((problem) => problem.join(' '))),
  ]
  if (parsed.data === undefined || problems.length > 0) return { ok: false, problems }
  const { TRON_NETWORK: network, POLL_MS: pollMs, TRANSFER_SECONDS: seconds, ...rest } = parsed.data
  const settings = settingsOf(network)
  return {
    ok: true,
    config: {
      databaseUrl: rest.DATABASE_URL,
      network,
      nodes: nodes.map((url, place) => ({
        url,
        headers: rest.TRON_API_KEYS?.[place] ?? {},
        callsPerDay: rest.TRON_CALLS_PER_DAY?.[place] ?? null,
      })),
      pollMs: pollMs === undefined ? settings.pollMs : Number.parseInt(pollMs, 10),
      wallets: walletsOf(rest),
      signerSocket: rest.SIGNER === 'offline' ? null : (rest.SIGNER_SOCKET ?? null),
      lifetimeMs: seconds === undefined ? settings.lifetimeMs : 1_000 * seconds,
      feeLimit: rest.FEE_LIMIT_TRX,
      tracing: presentTracing(rest),
    },
  }
}

/** On the development chain the two wallets are known. */
function walletsOf(values: WalletSettings): Wallets {
  return {
    hot: values.TRON_HOT_ADDRESS ?? devnetAddress('hotWallet'),
    cold: values.TRON_COLD_ADDRESS ?? devnetAddress('coldWallet'),
    sweepFrom: values.SWEEP_FROM,
    hotMaximum: values.HOT_MAXIMUM,
    hotTarget: values.HOT_TARGET,
  }
}

/** TRON_NODES, or on the development network the one node that the supervisor started. */
function nodeList(values: Environment): string[] {
  const own = values['TRON_NETWORK'] === 'devnet' ? values['DEVNET_URL'] : undefined
  return (values['TRON_NODES'] ?? own ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
}

function nodeProblems(nodes: readonly string[], network: string | undefined): string[] {
  if (nodes.length === 0) {
    return ['TRON_NODES is missing: the addresses of one or more Tron nodes, separated by commas']
  }
  return nodes.flatMap((text, index) => {
    const entry = `TRON_NODES: entry ${index + 1}`
    if (!hasScheme(text, ['http:', 'https:'])) return [`${entry} is not an http(s):// address`]
    if (network === 'devnet' || isEncryptedSite(text)) return []
    return [`${entry} has to begin with https://, unless it is on this machine`]
  })
}

function collectorProblems({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  TRON_NETWORK: network,
}: Environment): string[] {
  if (network === 'devnet' || url === undefined || !hasScheme(url, ['http:', 'https:'])) return []
  return isEncryptedSite(url)
    ? []
    : ['OTEL_EXPORTER_OTLP_ENDPOINT has to begin with https://, unless it is on this machine']
}

function insteadOf(input: unknown): string {
  return typeof input === 'string' ? `, not ${JSON.stringify(input.slice(0, 40))}` : ', and is missing'
}
