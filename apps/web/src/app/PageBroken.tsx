import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Button } from '../ui/Button.tsx'
import { IconAlertTriangle, IconRefresh } from '../ui/icons.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { errorText } from './errorText.ts'
import { PageLoadError } from './lazyPage.ts'

const UNEXPECTED = 'Unexpected Application Error!'

/** What broke a page may still lie in the store: begin anew. */
const reload = () => window.location.reload()

/** In the place of a page that broke, or whose code did not come; what is around it stays. */
export function PageBroken({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation(['app', 'ui'])
  const isMissing = error instanceof PageLoadError
  const title = isMissing ? t('app:pageMissing.title') : UNEXPECTED
  usePageTitle(title)
  return (
    <div className="state" role="alert">
      <IconAlertTriangle size={28} stroke={1.5} aria-hidden="true" />
      <h1>{title}</h1>
      <p className="state-text">
        {isMissing ? t(navigator.onLine ? 'app:pageMissing.text' : 'ui:failure.offline') : errorText(error)}
      </p>
      <div className="state-actions">
        <Button
          kind="primary"
          icon={<IconRefresh size={17} stroke={1.7} aria-hidden="true" />}
          onClick={isMissing ? onRetry : reload}
        >
          {t('ui:retry')}
        </Button>
        <Link to="/" className="button button-secondary">
          {t('app:notFound.home')}
        </Link>
      </div>
    </div>
  )
}
