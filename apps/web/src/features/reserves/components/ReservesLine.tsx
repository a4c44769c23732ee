import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { language } from '../../../api/language.ts'
import { useFormats } from '../../../ui/useFormats.ts'
import { ago } from '../ago.ts'
import { useNow, useOpened, useReserves } from '../useReserves.ts'
import './reserves.css'

/** What the reserves cover, in one line that opens to the figures. `children` stand there while that is not known. */
export function ReservesLine({ children }: { children: ReactNode }) {
  const { t } = useTranslation('reserves')
  const formats = useFormats()
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
