import type { Context } from '../../core/context.ts'
import { askDatabase } from './health.sql.ts'

/** Resolves when this process can serve. @throws what the database's driver throws when it cannot. */
export async function ensureReady(context: Context): Promise<void> {
  await askDatabase(context.db)
}
