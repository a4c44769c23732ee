import type { Db, Tx } from '@aval/db'
import { query, queryValue } from '../../../core/query.sql.ts'

/** Whether a member signed in before in the device that holds this. */
export async function isKnown(db: Db, memberId: bigint, tokenHash: string): Promise<boolean> {
  return queryValue<boolean>(
    db,
  )`SELECT EXISTS (SELECT FROM known_device WHERE member_id = ${memberId} AND token_hash = ${tokenHash})`
}

/** The device holds another token from now on, for everybody who uses it. */
export async function renameDevice(tx: Tx, from: string, to: string): Promise<void> {
  await query(tx)`UPDATE known_device SET token_hash = ${to} WHERE token_hash = ${from}`
}

/** Knows a member's device, and forgets those used longest ago above the most there may be. */
export async function putDevice(
  tx: Tx,
  { memberId, tokenHash, most }: { memberId: bigint; tokenHash: string; most: number },
  now: Date,
): Promise<void> {
  await query(
    tx,
  )`INSERT INTO known_device (member_id, token_hash, used_at) VALUES (${memberId}, ${tokenHash}, ${now})
    ON CONFLICT (member_id, token_hash) DO UPDATE SET used_at = ${now}`
  await query(tx)`DELETE FROM known_device WHERE member_id = ${memberId} AND token_hash IN (
    SELECT token_hash FROM known_device WHERE member_id = ${memberId} ORDER BY used_at DESC, token_hash OFFSET ${most})`
}

export async function deleteDevices(tx: Tx, memberId: bigint): Promise<void> {
  await query(tx)`DELETE FROM known_device WHERE member_id = ${memberId}`
}

export async function deleteDevicesUsedBefore(db: Db, instant: Date, limit: number): Promise<number> {
  const rows = await query(db)`DELETE FROM known_device WHERE (member_id, token_hash) IN (
    SELECT member_id, token_hash FROM known_device WHERE used_at < ${instant} ORDER BY used_at LIMIT ${limit}) RETURNING 1`
  return rows.length
}
