/** The environment, read once and in no other file. */
import { z } from 'zod'

const NETWORKS = ['devnet', 'nile', 'shasta', 'mainnet'] as const
export type Network = (typeof NETWORKS)[number]

export interface Config {
  /** The gateway's own role. */
  readonly databaseUrl: string
  readonly network: Network
  /** Base addresses of the nodes, the preferred one first. */
  readonly nodes: readonly string[]
  /** How often the chain is looked at once everything is read. */
  readonly pollMs: number
}

export type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly string[] }

type Environment = Readonly<Record<string, string | undefined>>

const POLL_MS = { devnet: 400, nile: 2_000, shasta: 2_000, mainnet: 2_000 } as const

const given = (problem: string) => z.string({ error: problem }).min(1, problem)

const schema = z.object({
  DATABASE_URL: given('DATABASE_URL is missing: the gateway needs a postgres:// address').refine(
    (text) => text === '' || hasScheme(text, ['postgres:', 'postgresql:']),
    'DATABASE_URL is not a postgres:// address',
  ),
  TRON_NETWORK: z.enum(NETWORKS, {
    error: (issue) => `TRON_NETWORK must be one of ${NETWORKS.join(', ')}${butIs(issue.input)}`,
  }),
  POLL_MS: z
    .string()
    .optional()
    .refine((text) => text === undefined || /^[1-9]\d{1,4}$/.test(text), {
      error: (issue) => `POLL_MS must be a whole number from 10 to 99999${butIs(issue.input)}`,
    }),
})

/** Reads the environment whole; all that is wrong is told together, a line each, without repeating secrets. */
export function readConfig(environment: Environment = process.env): ConfigResult {
  const values = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(values)
  const nodes = nodeList(values)
  const problems = [...(parsed.error?.issues.map((issue) => issue.message) ?? []), ...nodeProblems(nodes)]
  if (parsed.data === undefined || problems.length > 0) return { ok: false, problems }
  const { DATABASE_URL, TRON_NETWORK, POLL_MS: pollMs } = parsed.data
  return {
    ok: true,
    config: {
      databaseUrl: DATABASE_URL,
      network: TRON_NETWORK,
      nodes,
      pollMs: pollMs === undefined ? POLL_MS[TRON_NETWORK] : Number.parseInt(pollMs, 10),
    },
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

function butIs(input: unknown): string {
  return typeof input === 'string' ? `, not ${JSON.stringify(input.slice(0, 40))}` : ', and is missing'
}
