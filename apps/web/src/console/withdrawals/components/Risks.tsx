import type { WithdrawalRisk } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { IconAlertTriangle } from '../../../ui/icons.ts'

/** What to check before approving, in plain words: each mark stays whole, its sign beside its first line. */
export function Risks({ risks }: { risks: readonly WithdrawalRisk[] }) {
  const { t } = useTranslation('console/withdrawals')
  return (
    <ul className="queue-risks" aria-label={t('risks')}>
      {risks.map((risk) => (
        <li key={risk} className="badge badge-wait">
          <IconAlertTriangle size={13} stroke={1.8} aria-hidden="true" />
          <span>{t(`risk.${risk}`)}</span>
        </li>
      ))}
    </ul>
  )
}
