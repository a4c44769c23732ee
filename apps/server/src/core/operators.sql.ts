import type { Locale } from '@aval/contract'
import type { Db } from '@aval/db'

/** Who gets a mail when something is wrong. */
export async function selectOperators(db: Db): Promise<{ id: bigint; email: string; locale: Locale }[]> {
  const rows = await db
    .selectFrom('member')
    .select(['id', 'email', 'locale'])
    .where('is_operator', '=', true)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, locale: row.locale as Locale }))
}
