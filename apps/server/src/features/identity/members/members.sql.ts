import type { Db } from '@aval/db'

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
      'member.ref_code',
      'member.phone_number',
      'member.usdt_wallet',
      'member.is_fundator',
      'member.is_operator',
      'member.locale',
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
    .where('member.id', '=', memberId)
    .executeTakeFirst()
}

export function selectInviter(db: Db, refCode: string) {
  return db
    .selectFrom('member_identifier')
    .innerJoin('member', 'member.id', 'member_identifier.member_id')
    .select(['member.first_name', 'member.username', 'member.ref_code'])
    .where('member_identifier.kind', '=', 'ref_code')
    .where('member_identifier.value', '=', refCode)
    .executeTakeFirst()
}

/** @param username folded */
export async function selectByUsername(db: Db, username: string): Promise<bigint | null> {
  const row = await db
    .selectFrom('member_identifier')
    .select('member_id')
    .where('kind', '=', 'username')
    .where('value', '=', username)
    .executeTakeFirst()
  return row?.member_id ?? null
}
