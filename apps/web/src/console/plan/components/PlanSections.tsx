import { ratioToPercentText } from '@aval/money'
import { useTranslation } from 'react-i18next'
import { formats } from '../../../ui/format.ts'
import { type PlanField, SECTIONS, type SectionKey, thresholdOf, valueAt } from '../planFields.ts'
import { dailyRateOf } from '../planRates.ts'
import { usePlanValue } from './usePlanValue.ts'

/** A plan in sections that can be read, each setting under its name. */
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
    <section className="card card-pad plan-section">
      <h3>{t(`section.${name}.title`)}</h3>
      <p className="muted small">{t(`section.${name}.text`)}</p>
      <dl className="figures">
        {fields.map((field) =>
          field.kind === 'levels' ? (
            <Levels key={field.path} document={document} />
          ) : field.kind === 'approvals' ? (
            <Approvals key={field.path} document={document} />
          ) : (
            <Setting key={field.path} field={field} document={document} />
          ),
        )}
      </dl>
      {name === 'passive' ? <DailyTarget document={document} /> : null}
    </section>
  )
}

function Setting({ field, document }: { field: PlanField; document: unknown }) {
  const { t } = useTranslation('console/plan')
  const say = usePlanValue()
  return (
    <div>
      <dt>{t(`field.${field.path}`)}</dt>
      <dd>{say(field.kind, valueAt(document, field.path))}</dd>
    </div>
  )
}

function Levels({ document }: { document: unknown }) {
  const { t } = useTranslation('console/plan')
  const say = usePlanValue()
  const levels = valueAt(document, 'direct.levels')
  const percents = Array.isArray(levels) ? (levels as readonly string[]) : []
  return percents.map((percent, index) => {
    const level = index + 1
    return (
      <div key={level}>
        <dt>{t('level', { level })}</dt>
        <dd>{say('percent', percent)}</dd>
      </div>
    )
  })
}

function Approvals({ document }: { document: unknown }) {
  const { t } = useTranslation('console/plan')
  const say = usePlanValue()
  const stored = valueAt(document, 'withdrawals.approvals')
  const thresholds = Array.isArray(stored) ? (stored as readonly string[]).map(thresholdOf) : []
  return thresholds.map(({ from, operators }) => (
    <div key={from}>
      <dt>{t('approvedFrom', { amount: say('amount', from) })}</dt>
      <dd>{t('operators', { count: Number(operators) })}</dd>
    </div>
  ))
}

function DailyTarget({ document }: { document: unknown }) {
  const { t } = useTranslation('console/plan')
  const target = dailyRateOf(document)
  if (target === null) return null
  const rate = formats.percent(ratioToPercentText(target))
  return <p className="muted small plan-daily">{t('daily', { rate })}</p>
}
