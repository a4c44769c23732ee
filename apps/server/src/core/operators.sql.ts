import { readLocale } from '@aval/contract'
import { readRegion } from '@aval/contract/regions'
import type { Db } from '@aval/db'
import { type Reader, readerOf } from './messages.ts'

/** Who gets a mail when something is wrong. */
export async function selectOperators(db: Db): Promise<{ id: bigint; email: string; reader: Reader }[]> {
  const rows = await db
    .selectFrom('member')
    .select(['id', 'email', 'locale', 'region'])
    .where('is_operator', '=', true)
    .orderBy('id')
    .execute()
  return rows.map(({ locale, region, ...row }) => ({
    ...row,
    reader: readerOf(readLocale(locale), readRegion(region)),
  }))
}
