import { type CurrentUser, readLocale } from '@aval/contract'
import { micro, microToJsonNumber } from '@aval/money'
import { avatarUrl } from '../../../core/avatar.ts'
import type { findCurrentUser } from './profile.queries.ts'

export function presentCurrentUser(
  user: Awaited<ReturnType<typeof findCurrentUser>>,
  publicUrl: string,
): CurrentUser {
  return {
    id: Number(user.id),
    username: user.username,
    first_name: user.first_name,
    last_name: user.last_name,
    email: user.email,
    avatar: avatarUrl(publicUrl, user),
    ref_code: user.ref_code,
    phone_number: user.phone_number,
    usdt_wallet: user.usdt_wallet,
    is_fundator: user.is_fundator,
    balance: microToJsonNumber(micro(user.balance)),
    is_operator: user.is_operator,
    two_factor: user.two_factor === true,
    locale: readLocale(user.locale),
  }
}
