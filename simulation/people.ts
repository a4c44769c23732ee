/** Who takes part, and the installation every run begins with. */
import type { TestDatabase } from '@aval/db/testing'
import type { TronAddress } from '@aval/tron'
import type { Config } from '../apps/server/src/config.ts'

/** Far from now, so that nothing passes by chance because it used the real clock. */
export const BEGINNING = Date.UTC(2030, 5, 1, 12)
export const USDT = 1_000_000n

export interface Person {
  readonly memberId: bigint
  readonly sessionId: string
  readonly device: { readonly userAgent: string; readonly ip: string }
}
export interface Investor extends Person {
  readonly wallet: TronAddress
  readonly deposits: TronAddress
}

/** A database to be cloned, and who is in it. */
export interface Template {
  readonly database: TestDatabase
  readonly config: Config
  readonly investors: readonly Investor[]
  readonly operators: readonly Person[]
  /** Where the company pays in. */
  readonly company: TronAddress
  drop(): Promise<void>
}
