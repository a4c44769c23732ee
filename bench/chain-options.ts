/** What a benchmark of the chain is asked for on the command line. */
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { UsageError } from './options.ts'

export const CHAIN_USAGE = `npm run bench -- catchup [options]      reads a chain from its first block

  --blocks N           catchup: how long the chain is; 5000 when absent
  --nodes N            how many nodes are compared, 1 to 3; 1 when absent
  --port N             the first port of the development chain; 5165 when absent
  --folder DIR, --keep, --database-url URL as above`

const whole = (least: number, most: number, standard: number) =>
  z
    .string()
    .regex(/^\d{1,8}$/, `is no whole number from ${least} to ${most}`)
    .transform((text) => Number.parseInt(text, 10))
    .refine((value) => value >= least && value <= most, `is no whole number from ${least} to ${most}`)
    .default(standard)

const schema = z.object({
  blocks: whole(100, 1_000_000, 5_000),
  nodes: whole(1, 3, 1),
  port: whole(1_024, 65_000, 5_165),
  folder: z.string().min(1, 'is empty').optional(),
  keep: z.boolean().default(false),
  'database-url': z.string().optional(),
})

export interface ChainOptions {
  readonly blocks: number
  readonly nodes: number
  readonly port: number
  readonly folder: string | undefined
  readonly keep: boolean
  readonly databaseUrl: string | undefined
}

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const known = {
  blocks: text,
  nodes: text,
  port: text,
  folder: text,
  keep: flag,
  'database-url': text,
} as const

/** The options after the benchmark's name. @throws UsageError with a line for each problem */
export function parseChainOptions(args: readonly string[]): ChainOptions {
  const parsed = schema.safeParse(readArgs(args))
  if (!parsed.success) {
    throw new UsageError(
      parsed.error.issues.map(({ path, message }) => `--${String(path[0])} ${message}`).join('\n'),
    )
  }
  const { 'database-url': databaseUrl, folder, ...rest } = parsed.data
  return { ...rest, folder, databaseUrl }
}

function readArgs(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: known }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
