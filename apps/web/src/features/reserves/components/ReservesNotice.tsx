import { useTranslation } from 'react-i18next'
import { IconClock } from '../../../ui/icons.ts'
import { useNow, useOpened, useReserves } from '../api.ts'
import { ReservesDialog } from './ReservesDialog.tsx'
import './reserves.css'
import type { ReactNode } from 'react'
import { language } from '../../../api/language.ts'
import { formats } from '../../../ui/format.ts'
import { ago } from '../ago.ts'

/** Says calmly that payments are stopped, while they are; and the figures, where they are asked for. */
export function ReservesNotice() {
  const { t } = useTranslation('reserves')
  const { opened, open, close } = useOpened()
  const query = useReserves()
  const stopped = query.data?.verdict === 'unexplained'
  if (!stopped && !opened) return null
  return (
    <>
      {stopped ? (
        <p className="notice notice-wait" role="status">
          <IconClock size={18} stroke={1.7} aria-hidden="true" />
          <span>
            {t('stopped')}{' '}
            <button type="button" className="link-button" onClick={open}>
              {t('seeFigures')}
            </button>
          </span>
        </p>
      ) : null}
      {opened ? <ReservesDialog query={query} onClose={close} /> : null}
    </>
  )
}

/** What the reserves cover, in one line that opens to the figures. `children` stand there while that is not known. */
export function ReservesLine({ children }: { children: ReactNode }) {
  const { t } = useTranslation('reserves')
  const now = useNow()
  const { open } = useOpened()
  const { data } = useReserves()
  if (data === undefined || data.checked_at === null || data.coverage === null) return children
  if (data.verdict === 'unexplained') return children
  const checked = ago(new Date(data.checked_at), now, language, t('justNow'))
  return (
    <button type="button" className="reserves-line" onClick={open}>
      {t(data.verdict === 'waiting' ? 'line.waiting' : 'line.matched', {
        coverage: formats.percent(data.coverage),
        ago: checked,
      })}
    </button>
  )
}
