/** Who takes part, and the installation every run begins with. */
import type { Connection } from '@aval/db'
import type { TronAddress } from '@aval/tron'
import type pg from 'pg'
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

/** An installation that can be put back to its beginning, and who is in it. */
export interface Template {
  readonly connections: Connections
  readonly config: Config
  /** Puts every row back, for the next run; the connections stay open. */
  reset(): Promise<void>
  readonly investors: readonly Investor[]
  readonly operators: readonly Person[]
  /** Where the company pays in. */
  readonly company: TronAddress
  drop(): Promise<void>
}

/** Of each role; the owner's is for arranging and auditing. */
export interface Connections {
  readonly owner: pg.Pool
  readonly server: Connection
  readonly gateway: Connection
  readonly signer: Connection
}
