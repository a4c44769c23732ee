/** Which gateway leads (migration 0041). */

import type { Db } from '@aval/db'
import { withSetting } from '@aval/db/address'
import { sql } from 'kysely'

/** Takes the lease or renews it. Answers the epoch in which this holder leads; null where another one does. */
export async function holdLease(db: Db, holder: string, seconds: number): Promise<bigint | null> {
  const { rows } = await sql<{
    epoch: bigint | null
  }>`SELECT hold_gateway_lease(${holder}, ${seconds}) AS epoch`.execute(db)
  return rows[0]?.epoch ?? null
}

export async function releaseLease(db: Db, holder: string): Promise<void> {
  await sql`SELECT release_gateway_lease(${holder})`.execute(db)
}

/** The term that goes on now, for a command that a person runs beside the gateway that leads. */
export async function presentTerm(db: Db): Promise<string> {
  const { epoch, holder } = await db
    .selectFrom('gateway_lease')
    .select(['epoch', 'holder'])
    .executeTakeFirstOrThrow()
  return termOf(epoch, holder)
}

/** How a connection names the term under which it writes. */
export const termOf = (epoch: bigint, holder: string): string => `${epoch}:${holder}`

/** The address of a database whose connections write under a term, and are refused what they write after it. */
export const underTerm = (databaseUrl: string, term: string): string =>
  withSetting(databaseUrl, 'aval.gateway_term', term)

/** What the database refuses a gateway that leads no longer. */
export const isFenced = (error: unknown): boolean => {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown }
  return code === 'AV069' || (cause !== undefined && isFenced(cause))
}
