/** Ready texts, by version. */

import type { Locale } from '@aval/contract'
import type { DB, Db, Tx } from '@aval/db'
import { type Insertable, sql } from 'kysely'
import { asRead } from '../../core/names.sql.ts'
import { query, queryFirst } from '../../core/query.sql.ts'

export interface TemplateRow {
  readonly id: bigint
  readonly version: number
  readonly name: string
  readonly text_es: string
  readonly text_en: string
  readonly removed: boolean
  /** The operator who made this version. */
  readonly operator: string
  readonly at: Date
}

const COLUMNS = sql.raw(
  't.id, t.version, t.name, t.text_es, t.text_en, t.removed, o.username AS operator, t.at',
)

/** The templates there are, by name as its reader sorts: the newest version of each. */
export function selectTemplates(db: Db, locale: Locale): Promise<TemplateRow[]> {
  return query<TemplateRow>(db)`
    SELECT ${COLUMNS} FROM (SELECT DISTINCT ON (id) * FROM support_template ORDER BY id, version DESC) t
      JOIN member o ON o.id = t.operator_id WHERE NOT t.removed ORDER BY t.name ${asRead(locale)}, t.id`
}

/** The newest version, also of one that was removed. */
export function selectTemplate(db: Db, id: bigint): Promise<TemplateRow | undefined> {
  return queryFirst<TemplateRow>(db)`
    SELECT ${COLUMNS} FROM support_template t JOIN member o ON o.id = t.operator_id WHERE t.id = ${id}
    ORDER BY t.version DESC LIMIT 1`
}

const MOST_VERSIONS = 50

/** What it said so far, newest first. */
export function selectVersions(db: Db, id: bigint): Promise<TemplateRow[]> {
  return query<TemplateRow>(db)`
    SELECT ${COLUMNS} FROM support_template t JOIN member o ON o.id = t.operator_id WHERE t.id = ${id}
    ORDER BY t.version DESC LIMIT ${MOST_VERSIONS}`
}

/** @returns its number; undefined where somebody made this version already */
export async function insertVersion(
  tx: Tx,
  row: Insertable<DB['support_template']>,
): Promise<bigint | undefined> {
  const inserted = await tx
    .insertInto('support_template')
    .values(row)
    .onConflict((conflict) => conflict.columns(['id', 'version']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

/** What the placeholders of a template stand for; undefined where there is no such member. */
export function selectAddressee(db: Db, memberId: bigint) {
  return db
    .selectFrom('member')
    .select(['username', 'first_name', 'locale'])
    .where('id', '=', memberId)
    .executeTakeFirst()
}
