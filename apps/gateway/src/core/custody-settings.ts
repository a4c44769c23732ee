/**
 * The settings of the company's wallets and of the signer's limits. `npm start` parses them before anything runs, the
 * gateway and the signer parse them again: what one accepts, all accept. Messages follow the name of the setting.
 */
import { DEVNET_ROLES, devnetAddress, parseAddress, type TronAddress } from '@aval/tron'
import { z } from 'zod'

const MILLION = 1_000_000n

/** A whole number of USDT or TRX, in its millionths. */
const units = (least: 0 | 1, standard: bigint) =>
  z
    .string()
    .regex(least === 0 ? /^(0|[1-9]\d{0,8})$/ : /^[1-9]\d{0,8}$/, {
      error: `is no whole number from ${least} to 999999999`,
    })
    .transform((text) => BigInt(text) * MILLION)
    .default(standard * MILLION)

const address = z
  .string()
  .transform((text, context): TronAddress => {
    const parsed = parseAddress(text)
    if (parsed !== null) return parsed
    context.addIssue({ code: 'custom', message: 'is no Tron address' })
    return z.NEVER
  })
  .optional()

const SECONDS = 'is no whole number from 10 to 43200'

/** Read by the gateway. */
export const walletSettings = {
  TRON_HOT_ADDRESS: address,
  TRON_COLD_ADDRESS: address,
  SWEEP_FROM: units(1, 100n),
  HOT_MAXIMUM: units(1, 50_000n),
  HOT_TARGET: units(1, 25_000n),
  FEE_LIMIT_TRX: units(1, 100n),
  TRANSFER_SECONDS: z
    .string()
    .regex(/^[1-9]\d{1,4}$/, SECONDS)
    .transform((text) => Number.parseInt(text, 10))
    .refine((value) => value <= 43_200, SECONDS)
    .optional(),
  SIGNER: z.enum(['on', 'apart', 'offline'], 'is "on", "apart" or "offline"').default('on'),
}
export type WalletSettings = z.output<z.ZodObject<typeof walletSettings>>

const DEFAULT_HEADER = 'TRON-PRO-API-KEY'
const KEY_WITH_HEADER = /^(?:([A-Za-z][A-Za-z0-9-]{0,60}):)?([\x21-\x2b\x2d-\x7e]{1,500})$/

const list = (text: string) => text.split(',').map((entry) => entry.trim())

/** In the order of TRON_NODES, separated by commas; an empty entry is for a node without. Keys are secret: no message repeats one. */
export const nodeSettings = {
  TRON_API_KEYS: z
    .string()
    .transform(list)
    .refine((keys) => keys.every((key) => key === '' || KEY_WITH_HEADER.test(key)), {
      error: 'is no list of keys, or of Header:key, separated by commas',
    })
    .transform((keys) =>
      keys.map((entry): Readonly<Record<string, string>> => {
        const [, header = DEFAULT_HEADER, key] = KEY_WITH_HEADER.exec(entry) ?? []
        return key === undefined ? {} : { [header]: key }
      }),
    )
    .optional(),
  TRON_CALLS_PER_DAY: z
    .string()
    .transform(list)
    .refine((counts) => counts.every((count) => count === '' || /^[1-9]\d{2,8}$/.test(count)), {
      error: 'is no list of whole numbers from 100 to 999999999, separated by commas',
    })
    .transform((counts) => counts.map((count) => (count === '' ? null : Number.parseInt(count, 10))))
    .optional(),
}
export type NodeListSettings = z.output<z.ZodObject<typeof nodeSettings>>

/** A list that is longer than that of the nodes: its entries would be of other nodes than was meant. */
export function nodeContradictions(
  nodes: number,
  values: Partial<NodeListSettings>,
): (readonly [string, string])[] {
  return (['TRON_API_KEYS', 'TRON_CALLS_PER_DAY'] as const).flatMap((name) =>
    (values[name]?.length ?? 0) > nodes
      ? [[name, `has more entries than TRON_NODES (${nodes})`] as const]
      : [],
  )
}

/** Read by the signer: limits that it does not exceed. */
export const signerLimits = {
  SIGNER_FEE_LIMIT_TRX: units(0, 100n),
  SIGNER_FUEL_TRX: units(0, 50n),
}

/** Settings of earlier versions. One that is still set is a limit that no longer holds, so nothing starts until it is moved. */
export const movedSettings = {
  SIGNER_DAILY_CAP: z
    .undefined({
      error:
        'is a setting no longer: the limit is in the key file (npm run keys -- limits <file> --per-day …)',
    })
    .optional(),
}

/** What is wrong only in combination: the name of a setting, and the rest of the sentence. */
export function walletContradictions(
  network: string,
  values: Partial<WalletSettings>,
): (readonly [name: string, problem: string])[] {
  const { TRON_HOT_ADDRESS: hot, TRON_COLD_ADDRESS: cold, HOT_TARGET: target, HOT_MAXIMUM: maximum } = values
  const problems: [string, string][] = []
  if (target !== undefined && maximum !== undefined && target > maximum)
    problems.push(['HOT_TARGET', 'is above HOT_MAXIMUM'])
  if (hot !== undefined && hot === cold)
    problems.push(['TRON_COLD_ADDRESS', 'is the same as TRON_HOT_ADDRESS'])
  if (network === 'devnet') return problems
  const known = new Set<TronAddress>(DEVNET_ROLES.map(devnetAddress))
  for (const [name, value] of [['TRON_HOT_ADDRESS', hot] as const, ['TRON_COLD_ADDRESS', cold] as const]) {
    if (value === undefined)
      problems.push([name, `is missing: with TRON_NETWORK=${network} the company's wallets have to be known`])
    else if (known.has(value))
      problems.push([name, `is the development chain's, whose keys everybody knows; not for ${network}`])
  }
  return problems
}
