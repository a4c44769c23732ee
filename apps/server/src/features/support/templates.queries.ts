import { type Locale, readLocale } from '@aval/contract'
import type { Db } from '@aval/db'
import { Refusal } from '../../core/refusal.ts'
import { fillTemplate } from './support.rules.ts'
import * as store from './templates.sql.ts'

export type Template = store.TemplateRow

/** The templates there are, by name. */
export const listTemplates = (db: Db, locale: Locale): Promise<Template[]> =>
  store.selectTemplates(db, locale)

/** What a template said so far, newest first. @throws Refusal `support_template_not_found` */
export async function readVersions(db: Db, id: bigint | null) {
  const versions = id === null ? [] : await store.selectVersions(db, id)
  if (versions.length === 0) throw new Refusal('support_template_not_found')
  return versions
}

/** The templates as they would be sent to a member, in the member's language. @throws Refusal `member_not_found` */
export async function fillTemplates(db: Db, memberId: bigint | null, reader: Locale) {
  const member = memberId === null ? undefined : await store.selectAddressee(db, memberId)
  if (member === undefined) throw new Refusal('member_not_found')
  const locale = readLocale(member.locale)
  const { username } = member
  const facts = { username, first_name: member.first_name === '' ? username : member.first_name }
  const templates = await store.selectTemplates(db, reader)
  const results = templates.map(({ id, name, text_es: es, text_en: en }) => ({
    id: Number(id),
    name,
    text: fillTemplate(locale === 'es' ? es : en, facts),
  }))
  return { locale, results }
}
