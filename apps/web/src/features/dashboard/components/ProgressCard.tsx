import type { Dashboard } from '@aval/contract'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../../ui/useFormats.ts'

export function ProgressCard({ data }: { data: Dashboard }) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  const id = useId()
  const invested = data.investment_amount > 0
  const percent = formats.percent(Math.floor(data.investment_progress * 10) / 10)
  return (
    <section className="card card-pad dashboard-progress">
      <div className="card-head">
        <h2 id={id}>{t('progress.title')}</h2>
        <span className="progress-percent">{percent}</span>
      </div>
      <div
        className="progress"
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={data.investment_progress}
        aria-valuetext={percent}
      >
        <span style={{ width: `${data.investment_progress}%` }} />
      </div>
      <p className="muted small">
        {invested
          ? t('progress.days', { elapsed: formats.count(data.elapsed_days), count: data.term_days })
          : t('progress.none', { count: data.term_days })}
      </p>
      <dl className="counters">
        <div>
          <dt>{t('users.direct')}</dt>
          <dd>{formats.count(data.direct_users)}</dd>
        </div>
        <div>
          <dt>{t('users.indirect')}</dt>
          <dd>{formats.count(data.indirect_users)}</dd>
        </div>
      </dl>
    </section>
  )
}
