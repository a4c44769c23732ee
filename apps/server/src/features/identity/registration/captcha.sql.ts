import type { Db, Tx } from '@aval/db'

export async function isSpent(db: Db, challenge: string): Promise<boolean> {
  const row = await db
    .selectFrom('spent_captcha')
    .select('challenge')
    .where('challenge', '=', challenge)
    .executeTakeFirst()
  return row !== undefined
}

/** False when it was spent before. */
export async function insertSpent(tx: Tx, challenge: string, expiresAt: Date): Promise<boolean> {
  const row = await tx
    .insertInto('spent_captcha')
    .values({ challenge, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('challenge').doNothing())
    .returning('challenge')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteExpiredCaptchas(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('spent_captcha').where('expires_at', '<', now).execute()
}
