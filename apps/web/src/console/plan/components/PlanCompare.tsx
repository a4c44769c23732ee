import type { PlanVersion } from '@aval/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SelectField } from '../../../ui/Field.tsx'
import { formats } from '../../../ui/format.ts'
import { planDiff } from '../planFields.ts'
import { firstDayOf } from '../planRates.ts'
import { PlanDiff } from './PlanView.tsx'

/** Any two versions beside each other: what differs from the one to the other. */
export function PlanCompare({ versions }: { versions: PlanVersion[] }) {
  const { t } = useTranslation('console/plan')
  const sorted = [...versions].sort((left, right) => right.version - left.version)
  const [from, setFrom] = useState(sorted[1]?.version ?? 0)
  const [to, setTo] = useState(sorted[0]?.version ?? 0)
  if (sorted.length < 2) return null
  const document = (version: number) => sorted.find((each) => each.version === version)?.document ?? {}
  const changes = planDiff(document(from), document(to))
  const choices = sorted.map((plan) => {
    const day = firstDayOf(plan)
    const since = day === null ? t('fromStart') : formats.day(day)
    return { version: plan.version, text: `${t('version', { version: plan.version })} · ${since}` }
  })
  const select = (label: string, value: number, onChoose: (version: number) => void) => (
    <SelectField label={label} value={value} onChange={(event) => onChoose(Number(event.target.value))}>
      {choices.map(({ version, text }) => (
        <option key={version} value={version}>
          {text}
        </option>
      ))}
    </SelectField>
  )
  return (
    <section className="card card-pad stack-12">
      <h2>{t('compare.title')}</h2>
      <div className="plan-compare">
        {select(t('compare.from'), from, setFrom)}
        {select(t('compare.to'), to, setTo)}
      </div>
      {changes.length === 0 ? <p className="muted">{t('compare.same')}</p> : <PlanDiff changes={changes} />}
    </section>
  )
}
