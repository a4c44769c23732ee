import { type CurrentUser, readLocale } from '@aval/contract'
import { readRegion } from '@aval/contract/regions'
import type { Db } from '@aval/db'
import { micro, microToJsonNumber } from '@aval/money'
import { avatarUrl } from '../../../core/avatar.ts'
import type { Context } from '../../../core/context.ts'
import { Refusal } from '../../../core/refusal.ts'
import { isPayable } from './profile.rules.ts'
import { selectAvatar, selectCurrentUser, selectIsOurs } from './profile.sql.ts'

export async function findCurrentUser(db: Db, memberId: bigint, publicUrl: string): Promise<CurrentUser> {
  const user = await selectCurrentUser(db, memberId)
  if (user === undefined) throw new Error(`member ${memberId} has a session and no row`)
  return {
    id: Number(user.id),
    username: user.username,
    first_name: user.first_name,
    last_name: user.last_name,
    email: user.email,
    email_proven: user.email_proven_at !== null,
    avatar: avatarUrl(publicUrl, user),
    ref_code: user.ref_code,
    phone_number: user.phone_number,
    usdt_wallet: user.usdt_wallet,
    is_fundator: user.is_fundator,
    balance: microToJsonNumber(micro(user.balance)),
    is_operator: user.is_operator,
    two_factor: user.two_factor === true,
    passkey_only: user.passkey_only,
    locale: readLocale(user.locale),
    time_zone: user.time_zone,
    region: readRegion(user.region),
  }
}

/** A member's picture by its name. @throws Refusal `not_found` */
export async function findAvatar(db: Db, memberId: bigint, name: string): Promise<Buffer> {
  const image = await selectAvatar(db, memberId, name)
  if (image === null) throw new Refusal('not_found')
  return image
}

type AboutField = 'email_taken' | 'email_unchanged' | 'phone_moved' | 'wallet_invalid' | 'wallet_ours'

/** A refusal that is about one field of the request. */
export const refusalAt = (path: string, code: AboutField) =>
  new Refusal(code, {}, [{ path, key: code, params: {} }])

/**
 * Whether a member may be paid at this wallet.
 * @throws Refusal `wallet_invalid`: no address, the token's contract, or nobody's; `wallet_ours`: one of this product's
 */
export async function requireWallet(context: Context, db: Db, wallet: string, field: string): Promise<void> {
  if (!isPayable(wallet, context.config.usdtContract)) throw refusalAt(field, 'wallet_invalid')
  if (await selectIsOurs(db, wallet)) throw refusalAt(field, 'wallet_ours')
}
