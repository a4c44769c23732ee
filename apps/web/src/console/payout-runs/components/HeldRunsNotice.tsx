import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { IconAlertTriangle } from '../../../ui/icons.ts'
import { placeLink } from '../../shared/place.ts'
import { useRunsQuery } from '../api.ts'

/** Says that a run waits for a decision; nothing while none does, and while that is not known. */
export function HeldRunsNotice() {
  const { t } = useTranslation('console/payout-runs')
  const { data } = useRunsQuery({ page: 1, open: true })
  if (data?.results.some(({ state }) => state === 'held') !== true) return null
  return (
    <p className="notice notice-wait">
      <IconAlertTriangle size={18} stroke={1.6} aria-hidden="true" />
      <span>
        {t('attention')} <Link to={placeLink('runs', { state: 'open' })}>{t('see')}</Link>
      </span>
    </p>
  )
}
