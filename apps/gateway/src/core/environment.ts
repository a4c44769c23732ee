/** What the gateway and the signer read in the same way, each from its own environment. */
import { problemOfAddress } from '@aval/db/address'
import { isEncryptedDatabase, UNENCRYPTED_DATABASE } from '@aval/db/encrypted'
import { z } from 'zod'

export type Environment = Record<string, string | undefined>

export type ConfigResult<Config> =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly string[] }

export const given = (problem: string) => z.string({ error: problem }).min(1, problem)

export const databaseAddress = (process: 'gateway' | 'signer') =>
  given(`DATABASE_URL is missing: the ${process} needs a postgres:// address`).superRefine((text, issues) => {
    const problem = text === '' ? null : problemOfAddress(text)
    if (problem !== null) issues.addIssue(`DATABASE_URL ${problem}`)
  })

/** On the development network a database may be anywhere. */
export function databaseProblems({ DATABASE_URL: url, TRON_NETWORK: network }: Environment): string[] {
  if (network === 'devnet' || problemOfAddress(url ?? '') !== null) return []
  return isEncryptedDatabase(url ?? '') ? [] : [`DATABASE_URL ${UNENCRYPTED_DATABASE}`]
}

export function hasScheme(text: string, schemes: readonly string[]): boolean {
  return schemes.includes(URL.parse(text)?.protocol ?? '')
}

/** An empty value counts as none. */
export function filled(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
}

/** The messages of amounts, times and wallets lack the name of the setting. */
export function sentence({ path, message }: z.core.$ZodIssue): string {
  const name = String(path[0])
  return message.startsWith(name) ? message : `${name} ${message}`
}
