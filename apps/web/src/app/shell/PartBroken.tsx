import { useEffect } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'

interface PartBrokenProps {
  /** Lets what broke be tried again the next time it is opened. */
  onRetry: () => void
  onClose: () => void
}

/** For what opens over the page and could not: says so, and closes. */
export function PartBroken({ onRetry, onClose }: PartBrokenProps) {
  const { t } = useTranslation('app')
  useEffect(() => {
    toast.error(t('pageMissing.text'), { id: 'part-broken' })
    onClose()
    onRetry()
  }, [t, onClose, onRetry])
  return null
}
