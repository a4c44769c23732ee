import type { Db } from '@aval/db'
import type { Context } from '../../../core/context.ts'
import { Refusal } from '../../../core/refusal.ts'
import { isPayable } from './profile.rules.ts'
import { selectAvatar, selectCurrentUser, selectIsOurs } from './profile.sql.ts'

export async function findCurrentUser(db: Db, memberId: bigint) {
  const user = await selectCurrentUser(db, memberId)
  if (user === undefined) throw new Error(`member ${memberId} has a session and no row`)
  return user
}

/** A member's picture by its name. @throws Refusal `not_found` */
export async function findAvatar(db: Db, memberId: bigint, name: string): Promise<Buffer> {
  const image = await selectAvatar(db, memberId, name)
  if (image === null) throw new Refusal('not_found')
  return image
}

/** A refusal that is about one field of the request. */
export const refusalAt = (path: string, code: 'email_taken' | 'wallet_invalid' | 'wallet_ours') =>
  new Refusal(code, {}, [{ path, key: code, params: {} }])

/**
 * Whether a member may be paid at this wallet.
 * @throws Refusal `wallet_invalid`: no address, the token's contract, or nobody's; `wallet_ours`: one of this product's
 */
export async function requireWallet(context: Context, db: Db, wallet: string, field: string): Promise<void> {
  if (!isPayable(wallet, context.config.usdtContract)) throw refusalAt(field, 'wallet_invalid')
  if (await selectIsOurs(db, wallet)) throw refusalAt(field, 'wallet_ours')
}
