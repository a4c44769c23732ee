import type { Reserves } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { language } from '../../../api/language.ts'
import { formats } from '../../../ui/format.ts'
import { IconClock } from '../../../ui/icons.ts'
import { Notice } from '../../../ui/Notice.tsx'
import type { QueryState } from '../../../ui/States.tsx'
import { ago } from '../ago.ts'
import { useNow, useOpened, useReserves } from '../api.ts'
import './reserves.css'

export interface ReservesDialogProps {
  query: QueryState<Reserves>
  onClose: () => void
}

interface NoticeProps {
  /** The figures: a part of its own, since few visits ask for them. */
  dialog: (props: ReservesDialogProps) => ReactNode
}

/** Says calmly that payments are stopped, while they are; and the figures, where they are asked for. */
export function ReservesNotice({ dialog }: NoticeProps) {
  const { t } = useTranslation('reserves/line')
  const { opened, open, close } = useOpened()
  const query = useReserves()
  const verdict = query.data?.verdict
  const stopped = verdict === 'unexplained' || verdict === 'paused'
  if (!stopped && !opened) return null
  return (
    <>
      {stopped ? (
        <Notice kind="wait" icon={IconClock} stroke={1.7} role="status">
          <span>{t(verdict === 'paused' ? 'paused' : 'stopped')}</span>{' '}
          <button type="button" className="link-button" onClick={open}>
            {t('seeFigures')}
          </button>
        </Notice>
      ) : null}
      {opened ? dialog({ query, onClose: close }) : null}
    </>
  )
}

/** What the reserves cover, in one line that opens to the figures. `children` stand there while that is not known. */
export function ReservesLine({ children }: { children: ReactNode }) {
  const { t } = useTranslation('reserves/line')
  const now = useNow()
  const { open } = useOpened()
  const { data } = useReserves()
  if (data === undefined || data.checked_at === null || data.coverage === null) return children
  if (data.verdict === 'unexplained' || data.verdict === 'paused') return children
  const checked = ago(new Date(data.checked_at), now, language, t('justNow'))
  return (
    <button type="button" className="link-button reserves-line" onClick={open}>
      {t(data.verdict === 'waiting' ? 'line.waiting' : 'line.matched', {
        coverage: formats.percent(data.coverage),
        ago: checked,
      })}
    </button>
  )
}
