import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { session } from '../api/browserSession.ts'
import { useSignedIn } from '../api/useSignedIn.ts'
import { BrandMark } from '../ui/Brand.tsx'
import { Button } from '../ui/Button.tsx'

/** The full-screen loader; the same one that index.html shows before any script has run. */
export function Boot() {
  const { t } = useTranslation('ui')
  return (
    <div className="boot" role="status" aria-label={t('loading')}>
      <span className="boot-mark">
        <BrandMark size={48} />
      </span>
    </div>
  )
}

/** Nothing is shown before the session is renewed. Where the server could not be reached, says so and offers to try again. */
export function BootGate({ children }: { children: ReactNode }) {
  const { t } = useTranslation(['app', 'ui'])
  const signedIn = useSignedIn()
  const [isTrying, setTrying] = useState(false)
  const tryAgain = async () => {
    setTrying(true)
    await session.start()
    setTrying(false)
  }

  if (signedIn !== null) return children
  if (isTrying) return <Boot />
  return (
    <main className="boot">
      <h1>{t('app:unreached.title')}</h1>
      <p className="muted">{t(navigator.onLine ? 'ui:failure.unreached' : 'ui:failure.offline')}</p>
      <Button kind="primary" onClick={tryAgain}>
        {t('ui:retry')}
      </Button>
    </main>
  )
}
