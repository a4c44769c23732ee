/** The environment of the auditor's process, read once and in no other file. */
import { problemOfAddress } from '@aval/db/address'
import { isEncryptedDatabase, UNENCRYPTED_DATABASE } from '@aval/db/encrypted'
import { z } from 'zod'

export interface Config {
  /** The auditor's own role: it reads what runs are computed from, and says what they come to. */
  readonly databaseUrl: string
  readonly network: string
}

export type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly string[] }

const schema = z.object({
  DATABASE_URL: z.string('is no postgres:// address').superRefine((text, issues) => {
    const problem = problemOfAddress(text)
    if (problem !== null) issues.addIssue(problem)
  }),
  TRON_NETWORK: z.enum(['devnet', 'nile', 'shasta', 'mainnet'], 'is no network'),
})

/** Reports all problems together, a line each, without repeating values: they may be secret. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): ConfigResult {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(given)
  if (!parsed.success)
    return {
      ok: false,
      problems: parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`),
    }
  const { DATABASE_URL: databaseUrl, TRON_NETWORK: network } = parsed.data
  // On the development network it may be anywhere.
  if (network !== 'devnet' && !isEncryptedDatabase(databaseUrl))
    return { ok: false, problems: [`DATABASE_URL ${UNENCRYPTED_DATABASE}`] }
  return { ok: true, config: { databaseUrl, network } }
}
