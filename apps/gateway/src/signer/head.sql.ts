import type { Db } from '@aval/db/connect'
import { sql } from 'kysely'

/** The first key that is registered stays. @returns whether it is this one */
export async function registerAuditKey(db: Db, publicKey: Buffer): Promise<boolean> {
  const { rows } = await sql<{ own: boolean }>`SELECT register_audit_key(${publicKey}) AS own`.execute(db)
  return rows[0]?.own === true
}

/** @returns false where the seal is not, or no longer, what was signed */
export async function storeHeadSignature(
  db: Db,
  head: { readonly id: bigint; readonly hash: Buffer },
  at: Date,
  signature: Buffer,
): Promise<boolean> {
  const { rows } = await sql<{ stored: boolean }>`
    SELECT store_audit_signature(${head.id}, ${head.hash}, ${at}, ${signature}) AS stored`.execute(db)
  return rows[0]?.stored === true
}

/** Null before one is registered. */
export async function findAuditKey(db: Db): Promise<Buffer | null> {
  const row = await db.selectFrom('audit_key').select('public_key').executeTakeFirst()
  return row?.public_key ?? null
}
