/** The environment, read and checked once; every problem is reported at the same time. */
import { z } from 'zod'

const whole = (least: number, most: number) => z.coerce.number().int().min(least).max(most)

const environment = z
  .object({
    DATA_DIR: z.string().min(1).default('.data'),
    HOST: z.string().min(1).default('127.0.0.1'),
    DEVNET_PORT: whole(0, 65_535).default(3001),
    DEVNET_NODES: whole(1, 10).default(1),
    DEVNET_BLOCK_MS: whole(0, 3_600_000).default(3000),
    DEVNET_SOLID_LAG: whole(0, 1_000).default(19),
    DEVNET_GENESIS_OFFSET_MS: whole(-3_153_600_000_000, 3_153_600_000_000).default(0),
  })
  .transform((given) => ({
    dataDir: given.DATA_DIR,
    host: given.HOST,
    port: given.DEVNET_PORT,
    nodes: given.DEVNET_NODES,
    blockMs: given.DEVNET_BLOCK_MS,
    solidLag: given.DEVNET_SOLID_LAG,
    genesisOffsetMs: given.DEVNET_GENESIS_OFFSET_MS,
  }))

/** Problems of the environment, one line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Reads the configuration.
 * @throws ConfigError
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  // An empty value is what an unset one looks like in many shells and files.
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = environment.safeParse(given)
  if (parsed.success) return parsed.data
  throw new ConfigError(
    parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'),
  )
}
