import { type ReactNode, Suspense, useEffect } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { ErrorBoundary } from './ErrorBoundary.tsx'

/** Holds a part that opens over the page and is fetched on demand. If its code does not arrive, it says so and closes. */
export function Overlay({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <ErrorBoundary fallback={(_error, retry) => <Broken onRetry={retry} onClose={onClose} />}>
      <Suspense fallback={null}>{children}</Suspense>
    </ErrorBoundary>
  )
}

/** @param onRetry allows another attempt the next time the part is opened */
function Broken({ onRetry, onClose }: { onRetry: () => void; onClose: () => void }) {
  const { t } = useTranslation('ui')
  useEffect(() => {
    toast.error(t('pageMissing.text'), { id: 'part-broken' })
    onClose()
    onRetry()
  }, [t, onClose, onRetry])
  return null
}
