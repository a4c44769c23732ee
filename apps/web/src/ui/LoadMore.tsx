import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './Button.tsx'

/** How long it says that it loads; what it loads is shown as soon as it is there. */
const SAID_MS = 2000

/** Goes on with a list that grows. It says so for two seconds at least: a list that jumps is not pressed twice by mistake. */
export function LoadMore({ busy, onLoad }: { busy: boolean; onLoad: () => void }) {
  const { t } = useTranslation('ui')
  const [pressed, setPressed] = useState(0)
  const [resting, setResting] = useState(false)
  useEffect(() => {
    if (pressed === 0) return
    setResting(true)
    const timer = setTimeout(() => setResting(false), SAID_MS)
    return () => clearTimeout(timer)
  }, [pressed])
  const press = () => {
    setPressed((times) => times + 1)
    onLoad()
  }
  const isLoading = busy || resting
  return (
    <Button size="small" busy={isLoading} onClick={press}>
      {t(isLoading ? 'loadingMore' : 'loadMore')}
    </Button>
  )
}
