/** The environment of the approvals page's process, read once and in no other file. */
import { join } from 'node:path'
import { problemOfAddress } from '@aval/db/address'
import {
  isEncryptedDatabase,
  isEncryptedSite,
  isThisMachine,
  REACHED_PLAINLY,
  UNENCRYPTED_DATABASE,
} from '@aval/db/encrypted'
import { z } from 'zod'

export interface Config {
  /** The page's own role: it reads what the page shows, and hands in approvals. */
  readonly databaseUrl: string
  /** Where operators open the page. Their passkeys belong to this origin, and to no other. */
  readonly url: URL
  readonly port: number
  readonly host: string
  readonly network: string
  /** Signatures are made on another machine: an approval has a day to get there. */
  readonly offline: boolean
  /** Folder of the built page. */
  readonly pageDist: string
}

export type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly string[] }

const schema = z.object({
  DATABASE_URL: z.string('is no postgres:// address').superRefine((text, issues) => {
    const problem = problemOfAddress(text)
    if (problem !== null) issues.addIssue(problem)
  }),
  APPROVALS_URL: z.url({ protocol: /^https?$/, error: 'is no address beginning with http:// or https://' }),
  APPROVALS_PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'is no port')
    .transform(Number)
    .refine((port) => port <= 65_535, 'is no port'),
  APPROVALS_HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'is no host name or address')
    .default('localhost'),
  PLAIN_HTTP: z.enum(['on', 'off'], 'is either "on" or "off"').default('off'),
  TRON_NETWORK: z.enum(['devnet', 'nile', 'shasta', 'mainnet'], 'is no network'),
  SIGNER: z.enum(['on', 'offline'], 'is either "on" or "offline"').default('on'),
  APPROVALS_DIST: z.string().default(join(import.meta.dirname, '../dist')),
})

/** On the development network both may be anywhere. */
function unencrypted(values: z.output<typeof schema>): string[] {
  const { TRON_NETWORK, DATABASE_URL, APPROVALS_URL, APPROVALS_HOST, PLAIN_HTTP } = values
  if (TRON_NETWORK === 'devnet') return []
  return [
    ...(isEncryptedDatabase(DATABASE_URL) ? [] : [`DATABASE_URL ${UNENCRYPTED_DATABASE}`]),
    ...(isEncryptedSite(APPROVALS_URL) ? [] : ['APPROVALS_URL has to begin with https://']),
    ...(PLAIN_HTTP === 'on' || isThisMachine(APPROVALS_HOST) ? [] : [`APPROVALS_HOST ${REACHED_PLAINLY}`]),
  ]
}

/** Reports all problems together, a line each, without repeating values: they may be secret. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): ConfigResult {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(given)
  if (!parsed.success)
    return {
      ok: false,
      problems: parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`),
    }
  const values = parsed.data
  const problems = unencrypted(values)
  if (problems.length > 0) return { ok: false, problems }
  return {
    ok: true,
    config: {
      databaseUrl: values.DATABASE_URL,
      url: new URL(values.APPROVALS_URL),
      port: values.APPROVALS_PORT,
      host: values.APPROVALS_HOST,
      network: values.TRON_NETWORK,
      offline: values.SIGNER === 'offline',
      pageDist: values.APPROVALS_DIST,
    },
  }
}
