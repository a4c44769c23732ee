import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { IconAlertTriangle } from '../../../ui/icons.ts'
import { placeLink } from '../../shared/place.ts'
import { useLastComparisonQuery } from '../api.ts'

/** On every other tab: that nothing is paid at the moment, and where to look. */
export function StoppedNotice() {
  const { t } = useTranslation('console/reserves')
  const { data } = useLastComparisonQuery()
  if (data?.verdict !== 'unexplained') return null
  return (
    <p className="notice notice-bad">
      <IconAlertTriangle size={18} stroke={1.6} aria-hidden="true" />
      <span>
        {t('attention')} <Link to={placeLink('reserves')}>{t('see')}</Link>
      </span>
    </p>
  )
}
