import { useTranslation } from 'react-i18next'
import { Button } from '../ui/Button.tsx'
import { IconAlertTriangle, IconRefresh } from '../ui/icons.ts'
import { Link } from '../ui/Link.tsx'
import { PartLoadError } from '../ui/lazyPart.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'

const UNEXPECTED = 'Unexpected Application Error!'

/** What broke a page may still lie in the store: begin again. */
const reload = () => window.location.reload()

/** In the place of a page that broke, or whose code did not come; what is around it stays. */
export function PageBroken({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation(['app', 'ui'])
  const isMissing = error instanceof PartLoadError
  const title = isMissing ? t('ui:pageMissing.title') : UNEXPECTED
  usePageTitle(title)
  return (
    <div className="state" role="alert">
      <IconAlertTriangle size={28} stroke={1.5} aria-hidden="true" />
      <h1>{title}</h1>
      <p className="state-text">
        {isMissing ? t(navigator.onLine ? 'ui:pageMissing.text' : 'ui:failure.offline') : errorText(error)}
      </p>
      <div className="row-8 row-center">
        <Button
          kind="primary"
          icon={<IconRefresh size={17} stroke={1.7} aria-hidden="true" />}
          onClick={isMissing ? onRetry : reload}
        >
          {t('ui:retry')}
        </Button>
        <Link to="/" className="button button-secondary">
          {t('app:errors.notFound.action')}
        </Link>
      </div>
    </div>
  )
}

/** The last resort. Its heading is the same in both languages, and it uses nothing that may itself be broken. */
export function Unexpected({ error }: { error: unknown }) {
  return (
    <main className="boot">
      <h1>{UNEXPECTED}</h1>
      <p className="muted">{errorText(error)}</p>
      <a href="/" className="button button-secondary">
        Aval
      </a>
    </main>
  )
}

/** What an error says of itself: the status text of an answer, else its message. */
export function errorText(error: unknown): string {
  if (typeof error === 'object' && error !== null) {
    if ('statusText' in error && typeof error.statusText === 'string' && error.statusText !== '')
      return error.statusText
    if ('message' in error && typeof error.message === 'string' && error.message !== '') return error.message
  }
  return String(error)
}
