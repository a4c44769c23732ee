/** The settings around the company's wallets and the signer, as `npm start` passes them on. */
import { resolve } from 'node:path'
import { z } from 'zod'
import {
  movedSettings,
  nodeContradictions,
  nodeSettings,
  signerLimits,
  walletContradictions,
  walletSettings,
} from '../../apps/gateway/src/core/custody-settings.ts'

export const custodySettings = {
  ...walletSettings,
  ...nodeSettings,
  ...signerLimits,
  ...movedSettings,
  SIGNER_KEYS: z.string().optional(),
  SIGNER_SOCKET: z.string().startsWith('/', 'is no absolute path').optional(),
  SIGNER_JOURNAL: z.string().optional(),
  SIGNER_PASSPHRASE: z.string().optional(),
}
/** Refused, with where they hold now. */
export const isMoved = (name: string): boolean => name in movedSettings

type Settings = z.output<z.ZodObject<typeof custodySettings>>
type Texts = Readonly<Record<string, string>>

/** What is wrong only in combination. */
export function custodyContradictions(
  network: string,
  nodes: string | undefined,
  values: Partial<Settings>,
): string[] {
  const count = nodes?.split(',').length ?? 1
  const lines = [...walletContradictions(network, values), ...nodeContradictions(count, values)].map(
    ([name, problem]) => `${name}: ${problem}`,
  )
  const { SIGNER: mode = 'on', SIGNER_KEYS: keys, SIGNER_PASSPHRASE: passphrase } = values
  const { SIGNER_SOCKET: socket } = values
  if (mode !== 'on' && keys !== undefined) lines.push(`SIGNER_KEYS: is set while SIGNER is ${mode}`)
  if (mode === 'apart' && socket === undefined)
    lines.push('SIGNER_SOCKET: is missing: with SIGNER=apart the gateway needs the socket of the signer')
  if (mode !== 'apart' && socket !== undefined) lines.push(`SIGNER_SOCKET: is set while SIGNER is ${mode}`)
  if (passphrase !== undefined && keys === undefined)
    lines.push('SIGNER_PASSPHRASE: is set without SIGNER_KEYS, the key file that it opens')
  if (network !== 'devnet' && mode === 'on' && keys === undefined)
    lines.push(
      `SIGNER_KEYS: is missing: with TRON_NETWORK=${network} the signer needs a key file (npm run keys), or SIGNER=apart or offline`,
    )
  return lines
}

const only = (texts: Texts, settings: object): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([name]) => name in settings))

/**
 * @param texts the environment as it was given: each process parses its part again
 * @param root what a relative path of the key file starts from
 */
export function presentCustody(values: Settings, texts: Texts, root: string) {
  const { SIGNER: mode, SIGNER_KEYS: keys, SIGNER_JOURNAL: journal, SIGNER_SOCKET: socket } = values
  return {
    /** What the gateway alone is given, by name. */
    gateway: { ...only(texts, { ...walletSettings, ...nodeSettings }), SIGNER: mode },
    signer: {
      /** `apart`: a service of its own is the signer, under a user of its own. `offline`: no process of this product reads a key; prepared transfers are signed on another machine. */
      mode,
      /** Where the signer that is apart listens; null without one. */
      socket: socket ?? null,
      /** Absolute. Null: the development chain's own, in the data folder. */
      keyFile: keys === undefined ? null : resolve(root, keys),
      /** Absolute. Null: beside the key file. */
      journal: journal === undefined ? null : resolve(root, journal),
      /** Null: to be asked for, where a key file is given. */
      passphrase: values.SIGNER_PASSPHRASE ?? null,
      /** What the signer alone is given, by name. */
      limits: only(texts, signerLimits),
    },
  }
}
