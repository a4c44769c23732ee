import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'
import { queryValue } from '../../../core/query.sql.ts'

export function selectCurrentUser(db: Db, memberId: bigint) {
  return db
    .selectFrom('member')
    .innerJoin('member_balance', 'member_balance.member_id', 'member.id')
    .select([
      'member.id',
      'member.username',
      'member.first_name',
      'member.last_name',
      'member.avatar',
      'member.email',
      'member.email_proven_at',
      'member.ref_code',
      'member.phone_number',
      'member.usdt_wallet',
      'member.is_fundator',
      'member.is_operator',
      'member.locale',
      'member.time_zone',
      'member.region',
      'member_balance.balance',
    ])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('member_totp')
          .select('member_totp.member_id')
          .whereRef('member_totp.member_id', '=', 'member.id')
          .where('member_totp.confirmed_at', 'is not', null),
      ).as('two_factor'),
    )
    .select(
      sql<boolean>`coalesce((SELECT k.kind <> 'off' FROM member_key k WHERE k.member_id = member.id AND k.state = 'sealed'
        ORDER BY k.version DESC LIMIT 1), false)`.as('passkey_only'),
    )
    .where('member.id', '=', memberId)
    .executeTakeFirst()
}

/** Whether an address is a member's deposit address, or one of the company's wallets. */
export async function selectIsOurs(db: Db, address: string): Promise<boolean> {
  return queryValue<boolean>(db)`
    SELECT EXISTS (SELECT FROM deposit_address WHERE address = ${address})
        OR EXISTS (SELECT FROM custody_address WHERE address = ${address}) AS ours`
}

export async function upsertAvatar(
  tx: Tx,
  memberId: bigint,
  avatar: { readonly name: string; readonly image: Buffer; readonly at: Date },
): Promise<void> {
  await tx
    .insertInto('member_avatar')
    .values({ member_id: memberId, ...avatar })
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet(avatar))
    .execute()
}

export async function selectAvatar(db: Db, memberId: bigint, name: string): Promise<Buffer | null> {
  const avatars = db.selectFrom('member_avatar').select('image').where('member_id', '=', memberId)
  return (await avatars.where('name', '=', name).executeTakeFirst())?.image ?? null
}
