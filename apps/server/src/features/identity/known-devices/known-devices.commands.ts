/**
 * Devices in which a member signed in before. Each holds a token, in a cookie that no script reads; the database has its hash. All that
 * it proves is that its guesses are not a stranger's: they are counted apart. It signs nobody in.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Db, Tx } from '@aval/db'
import { deleteDevices, isKnown, putDevice, renameDevice } from './known-devices.sql.ts'

const TOKEN_BYTES = 32
const TOKEN = /^[\w-]{43}$/
/** Of a member. A client without a memory for cookies is another device at each sign-in. */
const MOST_DEVICES = 20

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** @param memberId 0 where there is no such account: asked all the same @returns the device's hash; null where it is not known */
export async function findKnownDevice(
  db: Db,
  memberId: bigint,
  token: string | null,
): Promise<string | null> {
  if (token === null || !TOKEN.test(token)) return null
  const hash = hashOf(token)
  return (await isKnown(db, memberId, hash)) ? hash : null
}

/**
 * Remembers the device of a sign-in that succeeded. Its token is a new one each time, so that a copy of the one before is of no use; it
 * also replaces that one for other members who use the device.
 * @param token what the device holds so far @returns what it is to hold
 */
export async function rememberDevice(
  tx: Tx,
  memberId: bigint,
  token: string | null,
  now: Date,
): Promise<string> {
  const next = randomBytes(TOKEN_BYTES).toString('base64url')
  const tokenHash = hashOf(next)
  if (token !== null && TOKEN.test(token)) await renameDevice(tx, hashOf(token), tokenHash)
  await putDevice(tx, { memberId, tokenHash, most: MOST_DEVICES }, now)
  return next
}

/** Forgets every device of a member: the password was replaced, so it may have been another person's sign-in that made it known. */
export async function forgetDevices(tx: Tx, memberId: bigint): Promise<void> {
  await deleteDevices(tx, memberId)
}
