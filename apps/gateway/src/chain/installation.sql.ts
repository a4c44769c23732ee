import type { Db } from '@aval/db'

/** What this installation was set up for; null until the server has written it. */
export async function findInstallation(db: Db): Promise<{ network: string; usdt: string } | null> {
  const row = await db
    .selectFrom('installation')
    .select(['network', 'usdt_contract as usdt'])
    .executeTakeFirst()
  return row ?? null
}
