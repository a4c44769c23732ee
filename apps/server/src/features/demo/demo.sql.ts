import type { Db } from '@aval/db'
import { sql } from 'kysely'

/** Moves business time `ms` ahead of where it stands; answers the new distance from the system's time. */
export async function setOffset(db: Db, offsetMs: bigint): Promise<void> {
  await sql`INSERT INTO demo_clock (offset_ms) VALUES (${offsetMs})
    ON CONFLICT (singleton) DO UPDATE SET offset_ms = excluded.offset_ms`.execute(db)
}

/** Marks that a day is being advanced; false when somebody else is at it. A mark older than a minute is a dead one's. */
export async function beginAdvance(db: Db, to: Date): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO demo_clock (offset_ms, advancing_to) VALUES (0, ${to})
    ON CONFLICT (singleton) DO UPDATE SET advancing_to = ${to} WHERE demo_clock.advancing_to IS NULL
    RETURNING 1`.execute(db)
  return rows.length === 1
}

export async function endAdvance(db: Db): Promise<void> {
  await db.updateTable('demo_clock').set({ advancing_to: null }).execute()
}

export async function isAdvancing(db: Db): Promise<boolean> {
  const row = await db.selectFrom('demo_clock').select('advancing_to').executeTakeFirst()
  return row !== undefined && row.advancing_to !== null
}

/** Whether both runs of a midnight came to a stop: done, held, or not needed before anybody invested. */
export async function midnightRests(db: Db, day: string, before: string): Promise<boolean> {
  const { rows } = await sql<{ rests: boolean }>`
    SELECT NOT EXISTS (SELECT FROM investment) OR 2 = (
      SELECT count(*) FROM payout_run WHERE state IN ('done', 'held')
        AND ((kind = 'passive' AND period = ${day}) OR (kind = 'binary' AND period = ${before}))) AS rests`.execute(
    db,
  )
  return rows[0]?.rests ?? false
}
