import type { Db } from '@aval/db'

export async function selectPhone(db: Db, memberId: bigint): Promise<string> {
  const phones = db.selectFrom('member').select('phone_number').where('id', '=', memberId)
  return (await phones.executeTakeFirstOrThrow()).phone_number
}
