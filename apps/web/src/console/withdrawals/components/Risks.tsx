import type { WithdrawalRisk } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { IconAlertTriangle } from '../../../ui/icons.ts'

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
