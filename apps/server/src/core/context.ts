import type { Database } from '@aval/db'
import type { Config } from '../config.ts'
import type { Clock } from './clock.ts'

/** What commands and routes are given: where things are stored, what time it is, and how this process was started. */
export interface Context {
  readonly db: Database
  readonly clock: Clock
  readonly config: Config
}
