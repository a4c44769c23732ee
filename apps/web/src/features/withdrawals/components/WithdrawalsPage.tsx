import { useTranslation } from 'react-i18next'
import { PageHead } from '../../../ui/PageHead.tsx'
import { usePageTitle } from '../../../ui/usePageTitle.ts'
import { useLatest } from '../useLatest.ts'
import { CurrentWithdrawal } from './CurrentWithdrawal.tsx'
import { WithdrawalForm } from './WithdrawalForm.tsx'
import { WithdrawalHistory } from './WithdrawalHistory.tsx'
import './withdrawals.css'

export function WithdrawalsPage() {
  const { t } = useTranslation('withdrawals')
  usePageTitle(t('title'))
  const current = useLatest()
  return (
    <div className="page-stack">
      <PageHead title={t('title')} text={t('text')} />
      <div className="withdrawal-columns" data-alone={current === null}>
        <WithdrawalForm />
        {current === null ? null : <CurrentWithdrawal withdrawal={current} />}
      </div>
      <WithdrawalHistory />
    </div>
  )
}
