/** The environment, read once and in no other file but the signer's. */
import { DEVNET_ROLES, devnetAddress, parseAddress, type TronAddress } from '@aval/tron'
import { z } from 'zod'
import type { Wallets } from './custody/context.ts'
import { NETWORKS, type Network, settingsOf } from './network-settings.ts'

export interface Config {
  /** The gateway's own role. */
  readonly databaseUrl: string
  readonly network: Network
  /** Base addresses of the nodes, the preferred one first. */
  readonly nodes: readonly string[]
  /** How often the chain is polled once everything is read. */
  readonly pollMs: number
  readonly wallets: Wallets
  /** Where the signer listens; null: nothing is signed here, and transfers are exported and imported. */
  readonly signerSocket: string | null
  /** How long a transfer can enter the chain after it was built, by the chain's clock. */
  readonly lifetimeMs: number
  /** The most a transfer may burn, in sun. */
  readonly feeLimit: bigint
}

export type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly string[] }

type Environment = Readonly<Record<string, string | undefined>>

const MILLION = 1_000_000n

const given = (problem: string) => z.string({ error: problem }).min(1, problem)

/** A whole number of USDT or TRX, in its millionths. */
const whole = (name: string, standard: bigint) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, {
      error: (issue) => `${name} must be a whole number from 1 to 999999999${insteadOf(issue.input)}`,
    })
    .transform((text) => BigInt(text) * MILLION)
    .default(standard * MILLION)

const address = (name: string) =>
  z
    .string()
    .transform((text, context): TronAddress => {
      const parsed = parseAddress(text)
      if (parsed !== null) return parsed
      context.addIssue({ code: 'custom', message: `${name} is no Tron address` })
      return z.NEVER
    })
    .optional()

const schema = z.object({
  DATABASE_URL: given('DATABASE_URL is missing: the gateway needs a postgres:// address').refine(
    (text) => text === '' || hasScheme(text, ['postgres:', 'postgresql:']),
    'DATABASE_URL is not a postgres:// address',
  ),
  TRON_NETWORK: z.enum(NETWORKS, {
    error: (issue) => `TRON_NETWORK must be one of ${NETWORKS.join(', ')}${insteadOf(issue.input)}`,
  }),
  POLL_MS: z
    .string()
    .optional()
    .refine((text) => text === undefined || /^[1-9]\d{1,4}$/.test(text), {
      error: (issue) => `POLL_MS must be a whole number from 10 to 99999${insteadOf(issue.input)}`,
    }),
  TRON_HOT_ADDRESS: address('TRON_HOT_ADDRESS'),
  TRON_COLD_ADDRESS: address('TRON_COLD_ADDRESS'),
  SWEEP_FROM: whole('SWEEP_FROM', 100n),
  HOT_MAXIMUM: whole('HOT_MAXIMUM', 50_000n),
  HOT_TARGET: whole('HOT_TARGET', 25_000n),
  FEE_LIMIT_TRX: whole('FEE_LIMIT_TRX', 100n),
  TRANSFER_SECONDS: z
    .string()
    .regex(/^[1-9]\d{1,4}$/, {
      error: (issue) => `TRANSFER_SECONDS must be a whole number from 10 to 43200${insteadOf(issue.input)}`,
    })
    .transform((text) => Number.parseInt(text, 10))
    .refine((value) => value <= 43_200, 'TRANSFER_SECONDS must be a whole number from 10 to 43200')
    .optional(),
  SIGNER: z.enum(['on', 'offline'], 'SIGNER is either "on" or "offline"').default('on'),
  SIGNER_SOCKET: z.string().optional(),
})
type Values = z.output<typeof schema>

/** Reads the whole environment; reports all problems together, a line each, without repeating secrets. */
export function readConfig(environment: Environment = process.env): ConfigResult {
  const values = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(values)
  const nodes = nodeList(values)
  const problems = [
    ...(parsed.error?.issues.map((issue) => issue.message) ?? []),
    ...nodeProblems(nodes),
    ...(parsed.data === undefined ? [] : walletProblems(parsed.data)),
  ]
  if (parsed.data === undefined || problems.length > 0) return { ok: false, problems }
  const { TRON_NETWORK: network, POLL_MS: pollMs, TRANSFER_SECONDS: seconds, ...rest } = parsed.data
  const settings = settingsOf(network)
  return {
    ok: true,
    config: {
      databaseUrl: rest.DATABASE_URL,
      network,
      nodes,
      pollMs: pollMs === undefined ? settings.pollMs : Number.parseInt(pollMs, 10),
      wallets: walletsOf(rest),
      signerSocket: rest.SIGNER === 'offline' ? null : (rest.SIGNER_SOCKET ?? null),
      lifetimeMs: seconds === undefined ? settings.lifetimeMs : 1_000 * seconds,
      feeLimit: rest.FEE_LIMIT_TRX,
    },
  }
}

/** On the development chain the two wallets are known. */
function walletsOf(
  values: Pick<
    Values,
    'TRON_HOT_ADDRESS' | 'TRON_COLD_ADDRESS' | 'SWEEP_FROM' | 'HOT_MAXIMUM' | 'HOT_TARGET'
  >,
): Wallets {
  return {
    hot: values.TRON_HOT_ADDRESS ?? devnetAddress('hotWallet'),
    cold: values.TRON_COLD_ADDRESS ?? devnetAddress('coldWallet'),
    sweepFrom: values.SWEEP_FROM,
    hotMaximum: values.HOT_MAXIMUM,
    hotTarget: values.HOT_TARGET,
  }
}

function walletProblems(values: Values): string[] {
  const { TRON_HOT_ADDRESS: hot, TRON_COLD_ADDRESS: cold } = values
  const problems = values.HOT_TARGET > values.HOT_MAXIMUM ? ['HOT_TARGET is above HOT_MAXIMUM'] : []
  if (hot !== undefined && hot === cold) problems.push('TRON_HOT_ADDRESS and TRON_COLD_ADDRESS are the same')
  if (values.TRON_NETWORK === 'devnet') return problems
  const published = new Set<TronAddress>(DEVNET_ROLES.map(devnetAddress))
  for (const [name, value] of Object.entries({ TRON_HOT_ADDRESS: hot, TRON_COLD_ADDRESS: cold })) {
    if (value === undefined)
      problems.push(`${name} is missing: the company's wallet on ${values.TRON_NETWORK}`)
    else if (published.has(value)) {
      problems.push(`${name} is the development chain's, whose keys everybody knows`)
    }
  }
  return problems
}

/** TRON_NODES, or on the development network the one node that the supervisor started. */
function nodeList(values: Environment): string[] {
  const own = values['TRON_NETWORK'] === 'devnet' ? values['DEVNET_URL'] : undefined
  return (values['TRON_NODES'] ?? own ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
}

function nodeProblems(nodes: readonly string[]): string[] {
  if (nodes.length === 0) {
    return ['TRON_NODES is missing: the addresses of one or more Tron nodes, separated by commas']
  }
  return nodes.flatMap((text, index) =>
    hasScheme(text, ['http:', 'https:'])
      ? []
      : [`TRON_NODES: entry ${index + 1} is not an http(s):// address`],
  )
}

function hasScheme(text: string, schemes: readonly string[]): boolean {
  return schemes.includes(URL.parse(text)?.protocol ?? '')
}

function insteadOf(input: unknown): string {
  return typeof input === 'string' ? `, not ${JSON.stringify(input.slice(0, 40))}` : ', and is missing'
}
