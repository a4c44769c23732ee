import { useTranslation } from 'react-i18next'
import { usePlace } from '../../shared/place.ts'
import { PERIODS, periodOf } from '../days.ts'

/** How far the charts look back; in the address. */
export function PeriodChips() {
  const { t } = useTranslation('console/today')
  const place = usePlace()
  const current = periodOf(place.days)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would look like a form
    <div className="row-8" role="group" aria-label={t('period')}>
      {PERIODS.map((days) => (
        <button
          key={days}
          type="button"
          className="chip small"
          aria-pressed={days === current}
          onClick={() => place.show('today', { days: String(days) })}
        >
          {t('days', { count: days })}
        </button>
      ))}
    </div>
  )
}
