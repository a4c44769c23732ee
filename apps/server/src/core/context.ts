import type { AuditAction } from '@aval/contract'
import type { Database } from '@aval/db'
import type { Config } from '../config.ts'

/** What commands and routes are given: where things are stored, what time it is, and how this process was started. */
export interface Context {
  readonly db: Database
  readonly clock: Clock
  readonly config: Config
}

/**
 * Business time: what invoices, payments and periods are dated by. Sessions and tokens use the system's time instead, so
 * that advancing the demo signs nobody out.
 */
export interface Clock {
  now(): Promise<Date>
}

export const systemClock: Clock = { now: async () => new Date() }

/** The development network's clock: the system's plus the offset all processes share through the database. */
export function demoClock(db: Database): Clock {
  return {
    async now() {
      const row = await db.selectFrom('demo_clock').select('offset_ms').executeTakeFirst()
      return new Date(Date.now() + Number(row?.offset_ms ?? 0n))
    },
  }
}

/** A call that a code has to confirm, and who makes it. */
export interface Decision {
  readonly memberId: bigint
  readonly sessionId: string
  /** The code as it was typed; null when none came. */
  readonly otp: string | null
  /** The call's hash when it has an Idempotency-Key; null otherwise. */
  readonly attempt: string | null
  /** For the audit trail, `noun.verb`: `pool.fund`. */
  readonly action: AuditAction
  /** For the audit trail, `noun:id`: `pool:profit`. */
  readonly subject: string
}

/** What a feature's job handlers are given. `worker.ts` collects them; each may be run again after a crash. */
export interface JobContext extends Context {
  /** The system's time. */
  readonly systemNow: () => Date
}
