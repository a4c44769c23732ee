import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Brand } from '../ui/Brand.tsx'
import { usePageTitle } from '../ui/usePageTitle.ts'

export function NotFound() {
  const { t } = useTranslation('app')
  usePageTitle(t('notFound.title'))
  return (
    <div className="state">
      <h1>{t('notFound.title')}</h1>
      <p className="state-text">{t('notFound.text')}</p>
      <Link to="/" className="button button-primary">
        {t('notFound.home')}
      </Link>
    </div>
  )
}

/** For an address that no page has, whoever asks. */
export function NotFoundPage() {
  return (
    <main className="boot">
      <Brand />
      <NotFound />
    </main>
  )
}
