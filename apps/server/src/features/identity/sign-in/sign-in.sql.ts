import type { Db } from '@aval/db'

/** @param login an e-mail or a username, folded */
export function selectAccount(db: Db, login: string) {
  return db
    .selectFrom('member_identifier')
    .innerJoin('member', 'member.id', 'member_identifier.member_id')
    .select(['member.id', 'member.password_hash'])
    .where('member_identifier.kind', 'in', ['username', 'email'])
    .where('member_identifier.value', '=', login)
    .executeTakeFirst()
}
