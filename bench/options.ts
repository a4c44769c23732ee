/** What a benchmark is asked for on the command line. Everything that is wrong is reported at once. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { z } from 'zod'
import { SHAPES } from './network.ts'

export const USAGE = `npm run bench -- payouts --members N [options]
npm run bench -- genealogy [--members N] [options]
npm run bench -- withdrawals [--open N] [options]
npm run bench -- apis [--members N] [options]
npm run bench -- backup [--members N] [options]
npm run bench -- events [--streams N] [options]
npm run bench -- hostile [--minutes N] [options]
npm run bench -- years [--members N] [--days N] [--cap MULTIPLE]
npm run bench -- console [--members N] [--days N] [--kept DIR]
npm run bench -- tree
npm run bench -- pages

  --members N          how many members the network has, 100 to 20000000; when absent,
                       genealogy: 1000000, years: 100000, console: 1000000, backup: 4500000 (10 GB), apis: 10000, withdrawals: one for each withdrawal
  --shape SHAPE        power (the default), chain or star
  --seed N             another network of the same shape; 1 when absent
  --thin, --no-thin    without people, invoices and transfers; the default above 3000000 members
  --open N             withdrawals: how many are open at once, 20 to 100000; 10000 when absent
  --streams N          events: how many are open at once, 100 to 50000; 10000 when absent
  --minutes N          hostile: how long the attack lasts, 1 to 1440; 60 when absent
  --cap MULTIPLE       years: under a plan whose profit ends at this multiple of principal, 0.1 after a month; none when absent
  --days N             years, console: how many are paid, 13 to 3650; 365 and 60 when absent
  --kept DIR           console: what an earlier benchmark left there by --keep, instead of a new network
  --accounts N         hostile: how many members are attacked, 60 to 100000; 1000 when absent
  --addresses N        hostile: from how many networks, 1 to 16384; 10000 when absent
  --calls N            hostile: of attackers, in a second, 1 to 10000; 40 when absent
  --no-readers         without dashboards and deposits during a second day
  --no-registrations   without registrations after the day
  --check              checks the whole ledger at the end
  --folder DIR         where the throw-away PostgreSQL is made; the system's temporary folder when absent
  --keep               leaves it there, stopped
  --database-url URL   an empty database of your own instead, given by its owner; it stays filled

npm run bench -- catchup [options]      reads a chain from its first block

  --blocks N           catchup: how long the chain is; 5000 when absent
  --nodes N            how many nodes are compared, 1 to 3; 1 when absent
  --port N             the first port of the development chain; 5165 when absent
  --folder DIR, --keep, --database-url URL as above`

/** Above, the people alone would take minutes and nothing that is paid reads them. */
const THIN_ABOVE = 3_000_000

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const whole = (min: number, max: number) => {
  const problem = `is no whole number from ${min} to ${max}`
  return z
    .string(`is missing: ${problem.replace('is no', 'a')}`)
    .regex(/^\d{1,8}$/, problem)
    .transform((text) => Number.parseInt(text, 10))
    .refine((value) => value >= min && value <= max, problem)
}

const place = {
  /** Of the throw-away PostgreSQL; the system's temporary folder when absent. */
  folder: z.string().min(1, 'is empty').optional(),
  /** Leaves it behind, stopped. */
  keep: z.boolean().default(false),
  /** An empty database to use instead; it stays filled. */
  'database-url': z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'is no address beginning with postgres://')
    .optional(),
}

const payoutsOptions = z
  .object({
    members: whole(100, 20_000_000),
    shape: z.enum(SHAPES, `is none of ${SHAPES.join(', ')}`).default('power'),
    seed: whole(0, 99_999_999).default(1),
    thin: z.boolean().optional(),
    open: whole(20, 100_000).default(10_000),
    readers: z.boolean().default(true),
    registrations: z.boolean().default(true),
    check: z.boolean().default(false),
    ...place,
  })
  .transform(({ 'database-url': databaseUrl, thin, folder, ...rest }) => ({
    ...rest,
    thin: thin ?? rest.members > THIN_ABOVE,
    folder,
    databaseUrl,
  }))
  .refine(({ check, thin }) => !(check && thin), {
    path: ['check'],
    message: 'needs a whole network: in a thin one nobody knows where the money came from (--no-thin)',
  })
export type PayoutsOptions = z.output<typeof payoutsOptions>

const yearsOptions = z
  .object({
    members: whole(100, 20_000_000).default(100_000),
    shape: z.enum(SHAPES, `is none of ${SHAPES.join(', ')}`).default('power'),
    seed: whole(0, 99_999_999).default(1),
    thin: z.boolean().default(false),
    days: whole(13, 3650).default(365),
    cap: z
      .string()
      .regex(/^\d+(\.\d+)?$/, 'is no multiple')
      .optional(),
    ...place,
  })
  .transform(({ 'database-url': databaseUrl, folder, cap, ...rest }) => ({
    ...rest,
    folder,
    databaseUrl,
    cap,
  }))
export type YearsOptions = z.output<typeof yearsOptions>

const consoleOptions = z
  .object({
    members: whole(100, 20_000_000).default(1_000_000),
    shape: z.enum(SHAPES, `is none of ${SHAPES.join(', ')}`).default('power'),
    seed: whole(0, 99_999_999).default(1),
    thin: z.boolean().default(false),
    days: whole(13, 3650).default(60),
    kept: z.string().min(1, 'is empty').optional(),
    ...place,
  })
  .transform(({ 'database-url': databaseUrl, folder, kept, ...rest }) => ({
    ...rest,
    folder,
    databaseUrl,
    kept,
  }))
export type ConsoleOptions = z.output<typeof consoleOptions>

const eventsOptions = z
  .object({ streams: whole(100, 50_000).default(10_000), ...place })
  .transform(({ 'database-url': databaseUrl, folder, ...rest }) => ({ ...rest, folder, databaseUrl }))
export type EventsOptions = z.output<typeof eventsOptions>

const hostileOptions = z
  .object({
    minutes: whole(1, 1_440).default(60),
    accounts: whole(60, 100_000).default(1_000),
    addresses: whole(1, 16_384).default(10_000),
    calls: whole(1, 10_000).default(40),
    ...place,
  })
  .transform(({ 'database-url': databaseUrl, folder, ...rest }) => ({ ...rest, folder, databaseUrl }))
export type HostileOptions = z.output<typeof hostileOptions>

const chainOptions = z
  .object({
    blocks: whole(100, 1_000_000).default(5_000),
    nodes: whole(1, 3).default(1),
    port: whole(1_024, 65_000).default(5_165),
    ...place,
  })
  .transform(({ 'database-url': databaseUrl, folder, ...rest }) => ({ ...rest, folder, databaseUrl }))
export type ChainOptions = z.output<typeof chainOptions>

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const PLACE = { folder: text, keep: flag, 'database-url': text }
const NETWORK = { members: text, shape: text, seed: text, open: text, thin: flag }
const PARTS = { readers: flag, registrations: flag, check: flag }

/** The benchmark that the command line names, and the rest of it. */
export function nameOf(args: readonly string[], benchmarks: readonly string[]) {
  const [name = '-', ...rest] = args
  if (name.startsWith('-')) throw new UsageError(`which benchmark? ${benchmarks.join(', ')}`)
  if (!benchmarks.includes(name)) throw new UsageError(`${name} is none of ${benchmarks.join(', ')}`)
  return { name, rest }
}

/** @param defaults of this benchmark alone @throws UsageError with a line for each problem */
export const parsePayoutsOptions = (args: readonly string[], defaults: { members?: string } = {}) =>
  parse(payoutsOptions, { ...NETWORK, ...PARTS, ...PLACE }, args, defaults)

/** @throws UsageError with a line for each problem */
export const parseYearsOptions = (args: readonly string[]) =>
  parse(
    yearsOptions,
    { members: text, shape: text, seed: text, thin: flag, days: text, cap: text, ...PLACE },
    args,
  )

/** @throws UsageError with a line for each problem */
export const parseConsoleOptions = (args: readonly string[]) =>
  parse(
    consoleOptions,
    { members: text, shape: text, seed: text, thin: flag, days: text, kept: text, ...PLACE },
    args,
  )

/** @throws UsageError with a line for each problem */
export const parseChainOptions = (args: readonly string[]) =>
  parse(chainOptions, { blocks: text, nodes: text, port: text, ...PLACE }, args)

/** @throws UsageError with a line for each problem */
export const parseEventsOptions = (args: readonly string[]) =>
  parse(eventsOptions, { streams: text, ...PLACE }, args)

/** @throws UsageError with a line for each problem */
export const parseHostileOptions = (args: readonly string[]) =>
  parse(hostileOptions, { minutes: text, accounts: text, addresses: text, calls: text, ...PLACE }, args)

/** @throws UsageError when there are any */
export const parseNoOptions = (args: readonly string[]) => parse(z.object({}), {}, args)

function parse<Options>(
  schema: z.ZodType<Options>,
  options: ParseArgsOptionsConfig,
  args: readonly string[],
  defaults: object = {},
): Options {
  const parsed = schema.safeParse({ ...defaults, ...readArgs(args, options) })
  if (parsed.success) return parsed.data
  throw new UsageError(
    parsed.error.issues.map(({ path, message }) => `--${String(path[0])} ${message}`).join('\n'),
  )
}

function readArgs(args: readonly string[], options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ args: [...args], options, allowNegative: true }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
