import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { tabStorage } from '../../../../api/storage.ts'
import type { View } from '../../../../api/view.ts'
import { Button } from '../../../../ui/Button.tsx'
import { formats } from '../../../../ui/format.ts'
import { IconEye } from '../../../../ui/icons.ts'
import './viewBanner.css'

/** The tab is gone; one that the browser keeps is the operator's again. */
function leave({ back }: View): void {
  tabStorage.clear()
  window.close()
  window.location.assign(back)
}

/** At the top of every page of a view: whose account it is, and until when. When the time is over the tab is left. */
export function ViewBanner({ view }: { view: View }) {
  const { t } = useTranslation('identity/views')
  const { username: member, until } = view
  // What stays at the top of the window while the page scrolls.
  const [top] = useState(() => document.querySelector('.shell-top'))
  useEffect(() => {
    const timer = setTimeout(() => leave(view), Math.max(0, Date.parse(until) - Date.now()))
    return () => clearTimeout(timer)
  }, [view, until])
  if (top === null) return null
  return createPortal(
    <section className="view-banner" aria-label={t('label')}>
      <IconEye size={18} stroke={1.7} aria-hidden="true" />
      <p>{t('text', { member, until: formats.time(until) })}</p>
      <Button size="small" onClick={() => leave(view)}>
        {t('leave')}
      </Button>
    </section>,
    top,
  )
}
