import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { IconMapOff } from '../ui/icons.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'

/** For an address that no page has, whoever asks. */
export function NotFound() {
  const { t } = useTranslation('app')
  usePageTitle(t('notFound.title'))
  return (
    <div className="state">
      <span className="bare-icon">
        <IconMapOff size={28} stroke={1.5} aria-hidden="true" />
      </span>
      <h1>{t('notFound.title')}</h1>
      <p className="state-text">{t('notFound.text')}</p>
      <Link to="/" className="button button-primary">
        {t('notFound.home')}
      </Link>
    </div>
  )
}
