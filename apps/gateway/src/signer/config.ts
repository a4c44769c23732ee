/** The signer's environment, read once and in no other file. */
import { z } from 'zod'
import { movedSettings, signerLimits } from '../core/custody-settings.ts'
import {
  type ConfigResult,
  databaseAddress,
  databaseProblems,
  type Environment,
  filled,
  given,
  hasScheme,
  sentence,
} from '../core/environment.ts'
import { misspeltSettings } from '../core/misspelt.rules.ts'
import type { Limits } from './signing.rules.ts'
import { PATH_LIMIT } from './socket.ts'

export interface SignerConfig {
  /** The signer's own role. */
  readonly databaseUrl: string
  readonly network: string
  readonly keyFile: string
  readonly journal: string
  readonly socket: string
  /** The gateway is another user, who shares the group of the socket's folder. */
  readonly isShared: boolean
  /** Null: to be asked for. */
  readonly passphrase: string | null
  readonly limits: Limits
  /** On the development network, the node that `npm start` knows; null elsewhere. */
  readonly devnetUrl: string | null
}

const schema = z.object({
  DATABASE_URL: databaseAddress('signer'),
  TRON_NETWORK: z.enum(['devnet', 'nile', 'shasta', 'mainnet'], {
    error: 'TRON_NETWORK must be one of devnet, nile, shasta, mainnet',
  }),
  SIGNER_KEYS: given('SIGNER_KEYS is missing: the path of the key file'),
  SIGNER_SOCKET: given('SIGNER_SOCKET is missing: the path of the socket to listen at').refine(
    (text) => Buffer.byteLength(text) <= PATH_LIMIT,
    `SIGNER_SOCKET is longer than ${PATH_LIMIT} bytes`,
  ),
  SIGNER_SOCKET_SHARED: z.enum(['on', 'off'], 'SIGNER_SOCKET_SHARED is either "on" or "off"').default('off'),
  SIGNER_PASSPHRASE: z.string().optional(),
  SIGNER_JOURNAL: z.string().optional(),
  DEVNET_URL: z
    .string()
    .refine((text) => hasScheme(text, ['http:', 'https:']), 'DEVNET_URL is not an http(s):// address')
    .optional(),
  ...signerLimits,
  ...movedSettings,
})

/**
 * Reads the whole environment; reports all problems together, a line each, without repeating secrets. The passphrase and
 * the database's address are removed from it, so that nothing this process does later can pass it on.
 */
export function readSignerConfig(environment: Environment = process.env): ConfigResult<SignerConfig> {
  const filledIn = filled(environment)
  const parsed = schema.safeParse(filledIn)
  for (const name of ['SIGNER_PASSPHRASE', 'DATABASE_URL']) delete environment[name]
  const problems = [
    ...misspeltSettings(Object.keys(filledIn), { ours: Object.keys(schema.shape), prefixes: ['SIGNER_'] }),
    ...(parsed.error?.issues.map(sentence) ?? []),
    ...databaseProblems(filledIn),
  ]
  if (!parsed.success || problems.length > 0) return { ok: false, problems }
  const values = parsed.data
  return {
    ok: true,
    config: {
      databaseUrl: values.DATABASE_URL,
      network: values.TRON_NETWORK,
      keyFile: values.SIGNER_KEYS,
      journal: values.SIGNER_JOURNAL ?? journalOf(values.SIGNER_KEYS),
      socket: values.SIGNER_SOCKET,
      isShared: values.SIGNER_SOCKET_SHARED === 'on',
      passphrase: values.SIGNER_PASSPHRASE ?? null,
      devnetUrl: values.TRON_NETWORK === 'devnet' ? (values.DEVNET_URL ?? null) : null,
      limits: {
        feeLimit: values.SIGNER_FEE_LIMIT_TRX,
        topUp: values.SIGNER_FUEL_TRX,
      },
    },
  }
}

/** What the import of addresses takes from the environment: the database, by the signer's own role. It reads no key. */
export function readImportEnvironment(environment: Environment = process.env): ConfigResult<string> {
  const parsed = schema.pick({ DATABASE_URL: true }).safeParse(filled(environment))
  if (parsed.success) return { ok: true, config: parsed.data.DATABASE_URL }
  return { ok: false, problems: parsed.error.issues.map(sentence) }
}

/** Beside the key file, unless a setting says otherwise. */
export const journalOf = (keyFile: string): string => `${keyFile}.journal`

/** What the key file commands take from the environment: the file, the journal, its passphrase, and the fee limit. */
export function readKeysEnvironment(environment: Environment = process.env): {
  readonly keyFile: string | null
  readonly journal: string | null
  readonly passphrase: string | null
  readonly feeLimit: bigint | null
  /** As the gateway is given them: what providers of nodes know us by. */
  readonly apiKeys: string | null
} {
  const { SIGNER_KEYS, SIGNER_JOURNAL, SIGNER_PASSPHRASE, SIGNER_FEE_LIMIT_TRX, TRON_API_KEYS } =
    filled(environment)
  for (const name of ['SIGNER_PASSPHRASE', 'TRON_API_KEYS']) delete environment[name]
  const feeLimit = schema.shape.SIGNER_FEE_LIMIT_TRX.safeParse(SIGNER_FEE_LIMIT_TRX)
  return {
    keyFile: SIGNER_KEYS ?? null,
    journal: SIGNER_JOURNAL ?? null,
    passphrase: SIGNER_PASSPHRASE ?? null,
    apiKeys: TRON_API_KEYS ?? null,
    feeLimit: feeLimit.success ? feeLimit.data : null,
  }
}
