import type { QueuedWithdrawal, WithdrawalRisk } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { formats } from '../../../ui/format.ts'
import { IconAlertTriangle, IconClock } from '../../../ui/icons.ts'

/** What one should know of a withdrawal at a glance: risks, what it waits for, what did not arrive. Null where there is nothing. */
export function rowNotes(row: QueuedWithdrawal) {
  if (row.risks.length === 0 && row.delay === null && row.short_by === null) return null
  return <RowNotes row={row} />
}

function RowNotes({ row }: { row: QueuedWithdrawal }) {
  const { t } = useTranslation('console/withdrawals')
  const { risks, delay, short_by: short } = row
  return (
    <div className="queue-notes">
      {risks.length === 0 ? null : <Risks risks={risks} />}
      {delay === null ? null : (
        <p className="notice notice-wait">
          <IconClock size={18} stroke={1.6} aria-hidden="true" />
          <span>
            {t(`delay.${delay.code}`)}{' '}
            <span className="muted">
              {t('since', { time: formats.shortStamp(delay.since) })}
              {delay.detail === '' ? '' : ` · ${delay.detail}`}
            </span>
          </span>
        </p>
      )}
      {short === null ? null : (
        <p className="notice notice-bad">
          <span>{t('short', { amount: formats.exact(short) })}</span>
        </p>
      )}
    </div>
  )
}

/** What one should look at before approving, in plain words. */
export function Risks({ risks }: { risks: readonly WithdrawalRisk[] }) {
  const { t } = useTranslation('console/withdrawals')
  return (
    <ul className="queue-risks" aria-label={t('risks')}>
      {risks.map((risk) => (
        <li key={risk} className="badge badge-wait">
          <IconAlertTriangle size={13} stroke={1.8} aria-hidden="true" />
          {t(`risk.${risk}`)}
        </li>
      ))}
    </ul>
  )
}
