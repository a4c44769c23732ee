/** Making, changing and removing ready texts. Every change is a version, and the trail has what was before and after. */
import { LOCALES, MOST_SUPPORT_TEMPLATES } from '@aval/contract'
import type { Tx } from '@aval/db'
import { recordAudit } from '../../core/audit.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Handling } from './support.commands.ts'
import { unknownPlaceholder } from './support.rules.ts'
import * as store from './templates.sql.ts'

type Editor = Pick<Handling, 'operator' | 'now'>

interface Texts {
  readonly name: string
  readonly text_es: string
  readonly text_en: string
}

const textsOf = ({ name, text_es, text_en }: Texts): Texts => ({ name, text_es, text_en })

/** @throws Refusal `support_placeholder_unknown` */
function requirePlaceholders(texts: Texts): void {
  for (const path of ['text_es', 'text_en'] as const) {
    const placeholder = unknownPlaceholder(texts[path])
    if (placeholder === null) continue
    const key = 'support_placeholder_unknown'
    throw new Refusal(key, { placeholder }, [{ path, key, params: { placeholder } }])
  }
}

async function record(
  tx: Tx,
  { operator, now }: Editor,
  verb: 'add' | 'change' | 'remove',
  id: bigint,
  change: { before: Texts | null; after: Texts | null },
): Promise<void> {
  await recordAudit(tx, {
    at: now,
    actorId: operator.id,
    action: `support_template.${verb}`,
    outcome: 'done',
    subject: `support_template:${id}`,
    details: change,
  })
}

/** @returns the new one @throws Refusal `support_placeholder_unknown`, `support_too_many_templates` */
export async function addTemplate(tx: Tx, editor: Editor, texts: Texts): Promise<store.TemplateRow> {
  requirePlaceholders(texts)
  const { length } = await store.selectTemplates(tx, LOCALES[0])
  if (length >= MOST_SUPPORT_TEMPLATES)
    throw new Refusal('support_too_many_templates', { most: MOST_SUPPORT_TEMPLATES })
  const row = { ...textsOf(texts), version: 1, removed: false, at: editor.now }
  const id = await store.insertVersion(tx, { ...row, operator_id: editor.operator.id })
  if (id === undefined) throw new Error('a new template has a number of its own')
  await record(tx, editor, 'add', id, { before: null, after: textsOf(texts) })
  return { id, ...row, operator: editor.operator.username }
}

const changedBy = ({ operator, at }: store.TemplateRow) =>
  new Refusal('support_template_changed', { operator, at })

interface Edit {
  readonly id: bigint | null
  /** The version that was read. */
  readonly version: number
  /** Null removes it. */
  readonly texts: Texts | null
}

/**
 * Changes a template, or removes it.
 *
 * @throws Refusal `support_template_not_found`, `support_placeholder_unknown`; `support_template_changed` where another operator was first
 */
export async function changeTemplate(tx: Tx, editor: Editor, edit: Edit): Promise<store.TemplateRow> {
  const { id, version, texts } = edit
  if (texts !== null) requirePlaceholders(texts)
  const before = id === null ? undefined : await store.selectTemplate(tx, id)
  if (id === null || before === undefined) throw new Refusal('support_template_not_found')
  if (before.version !== version || before.removed) throw changedBy(before)
  const removed = texts === null
  const row = { id, ...textsOf(texts ?? before), version: version + 1, removed, at: editor.now }
  const made = await store.insertVersion(tx, { ...row, operator_id: editor.operator.id })
  // Both read the same version at once: the key let one of them through.
  if (made === undefined) throw changedBy((await store.selectTemplate(tx, id)) ?? before)
  const change = { before: textsOf(before), after: texts === null ? null : textsOf(texts) }
  await record(tx, editor, removed ? 'remove' : 'change', id, change)
  return { ...row, operator: editor.operator.username }
}
