import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formats } from '../../../ui/format.ts'
import { IconBell } from '../../../ui/icons.ts'
import { usePolling } from '../../shared/useLive.ts'
import { useNotificationsQuery } from '../api.ts'
import { NotificationsDialog } from './NotificationsDialog.tsx'
import './notifications.css'

/** The worker looks once a minute. */
const EVERY = 30_000

/** What needs somebody: how much of it is unread, and the way to it. */
export function NotificationBell() {
  const { t } = useTranslation('console/notifications')
  const { data } = useNotificationsQuery(undefined, usePolling(EVERY))
  const [open, setOpen] = useState(false)
  const unread = data?.unread ?? 0
  return (
    <>
      <button
        type="button"
        className="icon-button bell"
        aria-haspopup="dialog"
        aria-label={unread === 0 ? t('title') : t('unread', { count: unread })}
        onClick={() => setOpen(true)}
      >
        <IconBell size={20} stroke={1.6} aria-hidden="true" />
        {unread === 0 ? null : (
          <span className="bell-count" aria-hidden="true">
            {unread > 49 ? '49+' : formats.count(unread)}
          </span>
        )}
      </button>
      {open ? <NotificationsDialog onClose={() => setOpen(false)} /> : null}
    </>
  )
}
