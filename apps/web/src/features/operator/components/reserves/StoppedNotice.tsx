import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { IconAlertTriangle } from '../../../../ui/icons.ts'
import { placeLink } from '../../place.ts'
import { useLastComparisonQuery } from '../../reservesApi.ts'

/** On every other tab: that nothing is paid at the moment, and where to look. */
export function StoppedNotice() {
  const { t } = useTranslation('operator')
  const { data } = useLastComparisonQuery()
  if (data?.verdict !== 'unexplained') return null
  return (
    <p className="notice notice-bad">
      <IconAlertTriangle size={18} stroke={1.6} aria-hidden="true" />
      <span>
        {t('reserves.attention')} <Link to={placeLink('reserves')}>{t('reserves.see')}</Link>
      </span>
    </p>
  )
}
