import type { Reserves } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { language } from '../../../api/language.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { ago } from '../ago.ts'
import { barWidths } from '../shares.ts'
import { useNow, type useReserves } from '../useReserves.ts'
import { CustodyPart, OwedPart } from './ReservesParts.tsx'

interface ReservesDialogProps {
  query: Pick<ReturnType<typeof useReserves>, 'data' | 'error' | 'isFetching' | 'refetch'>
  onClose: () => void
}

/** What the company holds on the chain, what it owes to members, and when the two were compared. */
export function ReservesDialog({ query, onClose }: ReservesDialogProps) {
  const { t } = useTranslation('reserves')
  const { data, error, isFetching, refetch } = query
  return (
    <Dialog title={t('title')} width={640} onClose={onClose}>
      {data !== undefined ? (
        <Figures data={data} />
      ) : error !== undefined ? (
        <ErrorState failure={error as Failure} onRetry={refetch} retrying={isFetching} />
      ) : (
        <div className="reserves" aria-busy="true">
          <Skeleton width={220} height={34} />
          <Skeleton width="100%" height={56} />
          <Skeleton width="100%" height={220} />
        </div>
      )}
    </Dialog>
  )
}

const BADGE = { matched: 'badge-ok', unexplained: 'badge-wait', waiting: '', never: '' } as const

function Figures({ data }: { data: Reserves }) {
  const { t } = useTranslation('reserves')
  const formats = useFormats()
  const now = useNow()
  const checked = data.checked_at
  return (
    <div className="reserves">
      <div className="reserves-head">
        <div>
          <p className="figure">{data.coverage === null ? '–' : formats.percent(data.coverage)}</p>
          <p className="muted">{t(data.coverage === null ? 'nothingOwed' : 'covered')}</p>
        </div>
        <div className="reserves-when">
          <span className={`badge ${BADGE[data.verdict]}`}>{t(`verdict.${data.verdict}`)}</span>
          {checked === null ? null : (
            <time className="muted small" dateTime={checked} title={formats.dateTime(checked)}>
              {ago(new Date(checked), now, language, t('justNow'))}
            </time>
          )}
        </div>
      </div>
      {data.verdict === 'unexplained' ? <p className="notice notice-wait">{t('stopped')}</p> : null}
      <Bars data={data} />
      <div className="reserves-parts">
        <CustodyPart data={data} />
        <OwedPart data={data} />
      </div>
      <p className="muted small reserves-how">{t('how')}</p>
    </div>
  )
}

/** The same two sums as lengths; who cannot see them has the figures below. */
function Bars({ data }: { data: Reserves }) {
  const { t } = useTranslation('reserves')
  const widths = barWidths(data.custody, data.owed.total)
  return (
    <div className="reserves-bars" aria-hidden="true">
      <span>{t('custody')}</span>
      <div className="reserves-bar">
        <span className="reserves-held" style={{ width: `${widths.custody}%` }} />
      </div>
      <span>{t('owed')}</span>
      <div className="reserves-bar">
        <span style={{ width: `${widths.owed}%` }} />
      </div>
    </div>
  )
}
