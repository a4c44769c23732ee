import { useTranslation } from 'react-i18next'
import { IconClock } from '../../../ui/icons.ts'
import { useOpened, useReserves } from '../useReserves.ts'
import { ReservesDialog } from './ReservesDialog.tsx'
import './reserves.css'

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
