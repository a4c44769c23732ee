import type { Db } from '@aval/db/connect'

export interface Installation {
  readonly network: string
  readonly usdt: string
  readonly xpub: string
}

/** What this database was set up for; null until the server has written it. */
export async function findInstallation(db: Db): Promise<Installation | null> {
  const row = await db
    .selectFrom('installation')
    .select(['network', 'usdt_contract as usdt', 'deposit_xpub as xpub'])
    .executeTakeFirst()
  return row ?? null
}
