/** The environment, read and checked once; every problem is reported at the same time. */
import { z } from 'zod'

const wholeMs = (least: number, most: number) => z.coerce.number().int().min(least).max(most)

const environment = z.object({
  DATA_DIR: z.string().min(1).default('.data'),
  HOST: z.string().min(1).default('127.0.0.1'),
  DEVNET_PORT: z.coerce.number().int().min(0).max(65_535).default(3001),
  DEVNET_BLOCK_MS: wholeMs(0, 3_600_000).default(3000),
  DEVNET_SOLID_LAG: z.coerce.number().int().min(0).max(1_000).default(19),
  DEVNET_NODES: z.coerce.number().int().min(1).max(10).default(1),
  DEVNET_GENESIS_OFFSET_MS: wholeMs(-3_153_600_000_000, 3_153_600_000_000).default(0),
})

export interface Config {
  readonly dataDir: string
  readonly host: string
  readonly port: number
  readonly nodes: number
  readonly blockMs: number
  readonly solidLag: number
  readonly genesisOffsetMs: number
}

/** Problems of the environment, one line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Reads the configuration.
 * @throws ConfigError
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  // An empty value is what an unset one looks like in many shells and files.
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new ConfigError(lines.join('\n'))
  }
  const values = parsed.data
  return {
    dataDir: values.DATA_DIR,
    host: values.HOST,
    port: values.DEVNET_PORT,
    nodes: values.DEVNET_NODES,
    blockMs: values.DEVNET_BLOCK_MS,
    solidLag: values.DEVNET_SOLID_LAG,
    genesisOffsetMs: values.DEVNET_GENESIS_OFFSET_MS,
  }
}
