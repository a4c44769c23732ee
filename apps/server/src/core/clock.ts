import type { Database } from '@aval/db'

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
