import { randomBytes } from 'node:crypto'
import type { Db } from '@aval/db'
import { findRoot } from '../../genealogy/genealogy.commands.ts'
import { hashPassword } from '../passwords/password-hash.ts'
import { createRoot } from './registration.commands.ts'

/**
 * Makes sure there is a member at the top of both trees: the company itself, under which everybody joins whom nobody
 * referred. Nobody knows its password.
 */
export async function ensureRoot(db: Db, at: Date): Promise<void> {
  if ((await findRoot(db)) !== null) return
  const passwordHash = await hashPassword(randomBytes(10).toString('hex'))
  await createRoot(
    db,
    { username: 'Aval', email: 'root@aval.invalid', passwordHash, firstName: 'Aval', locale: 'es' },
    at,
  )
}
