/** The settings around the company's wallets and the signer. Part of the environment that `config.ts` reads. */
import { resolve } from 'node:path'
import { DEVNET_ROLES, devnetAddress, parseAddress } from '@aval/tron'
import { z } from 'zod'

/** Whole USDT or TRX. */
const units = z.string().regex(/^(0|[1-9]\d{0,8})$/, 'is no whole number from 0 to 999999999')
const address = z.string().refine((text) => parseAddress(text) !== null, 'is no Tron address')

export const custodySettings = {
  TRON_HOT_ADDRESS: address.optional(),
  TRON_COLD_ADDRESS: address.optional(),
  SWEEP_FROM: units.optional(),
  HOT_MAXIMUM: units.optional(),
  HOT_TARGET: units.optional(),
  FEE_LIMIT_TRX: units.optional(),
  TRANSFER_SECONDS: z
    .string()
    .regex(/^[1-9]\d{1,4}$/, 'is no whole number from 10 to 43200')
    .optional(),
  SIGNER: z.enum(['on', 'offline'], 'is either "on" or "offline"').default('on'),
  SIGNER_KEYS: z.string().optional(),
  SIGNER_PASSPHRASE: z.string().optional(),
  SIGNER_DAILY_CAP: units.optional(),
  SIGNER_FEE_LIMIT_TRX: units.optional(),
  SIGNER_FUEL_TRX: units.optional(),
}
type Settings = z.output<z.ZodObject<typeof custodySettings>>

export interface Custody {
  /** What the gateway alone is told, by name. */
  readonly gateway: Readonly<Record<string, string>>
  readonly signer: Signer
}

export interface Signer {
  /** `offline`: no process of this product reads a key; prepared transfers are signed on another machine. */
  readonly mode: 'on' | 'offline'
  /** Absolute. Null: the development chain's own, in the data folder. */
  readonly keyFile: string | null
  /** Null: to be asked for, where a key file is given. */
  readonly passphrase: string | null
  /** What the signer alone is told, by name. */
  readonly limits: Readonly<Record<string, string>>
}

const forGateway = [
  ...(['TRON_HOT_ADDRESS', 'TRON_COLD_ADDRESS', 'SWEEP_FROM', 'HOT_MAXIMUM', 'HOT_TARGET'] as const),
  ...(['FEE_LIMIT_TRX', 'TRANSFER_SECONDS', 'SIGNER'] as const),
]
const forSigner = ['SIGNER_DAILY_CAP', 'SIGNER_FEE_LIMIT_TRX', 'SIGNER_FUEL_TRX'] as const

/** What is wrong only in combination. */
export function custodyContradictions(network: string, values: Partial<Settings>): string[] {
  const lines: string[] = []
  const { SIGNER: mode = 'on', SIGNER_KEYS: keys, SIGNER_PASSPHRASE: passphrase } = values
  const { TRON_HOT_ADDRESS: hot, TRON_COLD_ADDRESS: cold } = values
  if (mode === 'offline' && keys !== undefined) lines.push('SIGNER_KEYS: is set while SIGNER is offline')
  if (passphrase !== undefined && keys === undefined) {
    lines.push('SIGNER_PASSPHRASE: is set without SIGNER_KEYS, the key file that it opens')
  }
  if (hot !== undefined && hot === cold) lines.push('TRON_COLD_ADDRESS: is the same as TRON_HOT_ADDRESS')
  if (network === 'devnet') return lines
  const needed = `is missing: with TRON_NETWORK=${network}`
  if (mode === 'on' && keys === undefined) {
    lines.push(`SIGNER_KEYS: ${needed} the signer needs a key file (npm run keys), or SIGNER=offline`)
  }
  const everybodys = new Set<string>(DEVNET_ROLES.map(devnetAddress))
  for (const [name, value] of [['TRON_HOT_ADDRESS', hot] as const, ['TRON_COLD_ADDRESS', cold] as const]) {
    if (value === undefined) lines.push(`${name}: ${needed} the company's wallets have to be known`)
    else if (everybodys.has(value)) {
      lines.push(`${name}: is the development chain's, whose keys everybody knows; not for ${network}`)
    }
  }
  return lines
}

/** @param root what a relative path of the key file starts from */
export function presentCustody(values: Settings, root: string): Custody {
  const { SIGNER_KEYS: keys } = values
  return {
    gateway: given(values, forGateway),
    signer: {
      mode: values.SIGNER,
      keyFile: keys === undefined ? null : resolve(root, keys),
      passphrase: values.SIGNER_PASSPHRASE ?? null,
      limits: given(values, forSigner),
    },
  }
}

function given(values: Settings, names: readonly (keyof Settings)[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = values[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
