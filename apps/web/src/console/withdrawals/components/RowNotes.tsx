import type { QueuedWithdrawal, WithdrawalRisk } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { formats } from '../../../ui/format.ts'
import { IconAlertTriangle, IconClock } from '../../../ui/icons.ts'
import { Notice } from '../../../ui/Notice.tsx'

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
        <Notice kind="wait" icon={IconClock}>
          {t(`delay.${delay.code}`)}{' '}
          <span className="muted">
            {t('since', { time: formats.shortStamp(delay.since) })}
            {delay.detail === '' ? '' : ` · ${delay.detail}`}
          </span>
        </Notice>
      )}
      {short === null ? null : <Notice kind="bad">{t('short', { amount: formats.exact(short) })}</Notice>}
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
