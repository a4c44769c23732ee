import type { PlanVersion } from '@aval/contract'
import { parseMicro, ratioToPercentText } from '@aval/money'
import { useTranslation } from 'react-i18next'
import { type Column, column, DataTable, figureColumn } from '../../../ui/DataTable.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import { IconChevronRight } from '../../../ui/icons.ts'
import {
  type FieldKind,
  type PlanChange,
  type PlanField,
  type PlanPath,
  type PlanValue,
  planDiff,
  SECTIONS,
  type SectionKey,
  thresholdOf,
  valueAt,
} from '../planFields.ts'
import { currentOf, dailyRateOf, firstDayOf } from '../planRates.ts'

export function PlanSections({ document }: { document: unknown }) {
  return (
    <div className="plan-sections">
      {SECTIONS.map(({ key, fields }) => (
        <PlanSection key={key} name={key} fields={fields} document={document} />
      ))}
    </div>
  )
}

interface PlanSectionProps {
  name: SectionKey
  fields: readonly PlanField[]
  document: unknown
}

function PlanSection({ name, fields, document }: PlanSectionProps) {
  const { t } = useTranslation('console/plan')
  return (
    <section className="card card-pad stack-6">
      <h3>{t(`section.${name}.title`)}</h3>
      <p className="muted small">{t(`section.${name}.text`)}</p>
      <dl className="figures">
        {fields.map((field) => (
          <Setting key={field.path} field={field} document={document} />
        ))}
      </dl>
      {name === 'passive' ? <DailyTarget document={document} /> : null}
    </section>
  )
}

/** A setting by its name; a list of levels or thresholds item by item. */
function Setting({ field, document }: { field: PlanField; document: unknown }) {
  const { t } = useTranslation('console/plan')
  const say = usePlanValue()
  const value = valueAt(document, field.path)
  if (field.kind !== 'levels' && field.kind !== 'approvals')
    return <Fact name={t(`field.${field.path}`)}>{say(field.kind, value)}</Fact>
  const items = Array.isArray(value) ? (value as readonly string[]) : []
  return items.map((item, index) => {
    const { from, operators } = thresholdOf(item)
    return field.kind === 'levels' ? (
      <Fact key={item} name={t('level', { level: index + 1 })}>
        {say('percent', item)}
      </Fact>
    ) : (
      <Fact key={item} name={t('approvedFrom', { amount: say('amount', from) })}>
        {t('operators', { count: Number(operators) })}
      </Fact>
    )
  })
}

function DailyTarget({ document }: { document: unknown }) {
  const { t } = useTranslation('console/plan')
  const target = dailyRateOf(document)
  if (target === null) return null
  const rate = formats.percent(ratioToPercentText(target))
  return <p className="muted small below-line">{t('daily', { rate })}</p>
}

interface Row {
  plan: PlanVersion
  /** The version before it; undefined for the first. */
  before: PlanVersion | undefined
}

export function VersionsTable({ versions }: { versions: PlanVersion[] }) {
  const { t } = useTranslation('console/plan')
  const sorted = [...versions].sort((left, right) => right.version - left.version)
  const rows = sorted.map((plan, index): Row => ({ plan, before: sorted[index + 1] }))
  const current = currentOf(versions)
  const stateOf = ({ plan }: Row) => {
    if (plan.version === current?.version) return 'current'
    return current !== undefined && plan.starts_at > current.starts_at ? 'upcoming' : 'past'
  }
  const columns: Column<Row>[] = [
    column(t('column.version'), ({ plan }) => t('version', { version: plan.version })),
    column(t('column.starts'), ({ plan }) => {
      const day = firstDayOf(plan)
      return day === null ? t('fromStart') : formats.day(day)
    }),
    column(t('column.state'), (row) => {
      const state = stateOf(row)
      const tone = state === 'current' ? 'badge-ok' : state === 'upcoming' ? 'badge-accent' : ''
      return <span className={`badge ${tone}`}>{t(`state.${state}`)}</span>
    }),
    figureColumn(t('column.changes'), ({ plan, before }) =>
      before === undefined ? '–' : t('changes', { count: planDiff(before.document, plan.document).length }),
    ),
  ]
  return (
    <DataTable
      caption={t('versions')}
      columns={columns}
      rows={rows}
      rowKey={({ plan }) => plan.version}
      detail={(row) => <VersionDetail row={row} />}
    />
  )
}

function VersionDetail({ row: { plan, before } }: { row: Row }) {
  const { t } = useTranslation('console/plan')
  if (before === undefined) return <p className="muted">{t('first')}</p>
  const changes = planDiff(before.document, plan.document)
  if (changes.length === 0) return <p className="muted">{t('noChanges')}</p>
  return (
    <div className="row-detail box">
      <PlanDiff changes={changes} />
    </div>
  )
}

const sectionOf = (path: PlanPath) =>
  SECTIONS.find(({ fields }) => fields.some((field) => field.path === path))?.key ?? 'general'

/** What changes, setting by setting: what it was, and what it becomes. */
export function PlanDiff({ changes }: { changes: PlanChange[] }) {
  const { t } = useTranslation('console/plan')
  const say = usePlanValue()
  return (
    <dl className="diff">
      {changes.map(({ path, kind, before, after }) => (
        <div key={path}>
          <dt>
            <span className="muted small">{t(`section.${sectionOf(path)}.title`)}</span>
            <span>{t(`field.${path}`)}</span>
          </dt>
          <dd>
            <del>
              <span className="visually-hidden">{`${t('diff.before')}: `}</span>
              <span>{say(kind, before)}</span>
            </del>
            <IconChevronRight size={14} stroke={1.8} aria-hidden="true" />
            <ins>
              <span className="visually-hidden">{`${t('diff.after')}: `}</span>
              <span>{say(kind, after)}</span>
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Says a setting of a plan in words: amounts with their currency, spans with their unit. */
function usePlanValue(): (kind: FieldKind, value: PlanValue) => string {
  const { t } = useTranslation('console/plan')
  const percent = (text: string) => (/^\d+(\.\d+)?$/.test(text) ? formats.exactPercent(text) : text)
  const whole = (text: string) => (/^\d{1,9}$/.test(text) ? formats.count(Number(text)) : text)
  const text = (kind: FieldKind, value: string): string => {
    switch (kind) {
      case 'amount':
        return parseMicro(value) === null ? value : `$${formats.exact(value)}`
      case 'percent':
        return percent(value)
      case 'multiple':
        return `${value}×`
      case 'days':
      case 'minutes':
        return t(`${kind}`, { count: Number(value), shown: whole(value) })
      case 'count':
        return whole(value)
      default:
        return value
    }
  }
  const threshold = (stored: string): string => {
    const { from, operators } = thresholdOf(stored)
    const count = /^\d$/.test(operators) ? Number(operators) : 0
    return `${text('amount', from)}: ${t('operators', { count })}`
  }
  return (kind, value) => {
    if (kind === 'toggle') return t(value === true ? 'on' : 'off')
    if (kind === 'multiple' && (value === null || value === undefined)) return t('none')
    if (value === null || value === undefined || typeof value === 'boolean') return t('unsaid')
    if (typeof value === 'string') return text(kind, value)
    return kind === 'approvals' ? value.map(threshold).join(' · ') : value.map(percent).join(' · ')
  }
}
