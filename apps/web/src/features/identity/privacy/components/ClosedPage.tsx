import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { IconCircleCheck } from '../../../../ui/icons.ts'
import { Link } from '../../../../ui/Link.tsx'
import { usePageTitle } from '../../../../ui/usePageTitle.ts'
import '../../auth.css'

/** Where closing an account leads. Behind the # stands for how many years what the law asks for is kept. */
export function ClosedPage() {
  const { t } = useTranslation('identity/privacy')
  const { hash } = useLocation()
  const years = /^#([1-9]\d?)$/.exec(hash)?.[1]
  usePageTitle(t('closed.title'))
  return (
    <div className="card auth-card not-me stack-16" role="status">
      <IconCircleCheck color="var(--ok)" size={36} stroke={1.5} aria-hidden="true" />
      <h1>{t('closed.title')}</h1>
      <p className="muted">{t('closed.text')}</p>
      {years === undefined ? null : <p className="muted">{t('closed.kept', { count: Number(years) })}</p>}
      <Link to="/auth/login" className="button button-primary button-large">
        {t('closed.home')}
      </Link>
    </div>
  )
}
