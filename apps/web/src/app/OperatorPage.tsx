import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DepositsTable } from '../console/deposits/components/DepositsTable.tsx'
import { OverviewTab } from '../console/overview/components/OverviewTab.tsx'
import { InvestmentsTab } from '../console/reversals/components/InvestmentsTab.tsx'
import { SearchButton } from '../console/search/components/SearchButton.tsx'
import { ConfirmProvider } from '../console/shared/ConfirmProvider.tsx'
import { TABS, type Tab, usePlace } from '../console/shared/place.ts'
import { Link } from '../ui/Link.tsx'
import { PageHead } from '../ui/PageHead.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import '../console/shared/console.css'
import { HeldRunsNotice, RunsTab } from '../console/payout-runs/components/RunsTab.tsx'
import { PlanTab } from '../console/plan/components/PlanTab.tsx'
import { RatesTab } from '../console/plan/components/RatesTab.tsx'
import { ReservesTab, StoppedNotice } from '../console/reserves/components/ReservesTab.tsx'
import { SupportTab } from '../console/support/components/SupportTab.tsx'
import { WithdrawalsTab } from '../console/withdrawals/components/WithdrawalsTab.tsx'

const SHOWN: Record<Tab, () => ReactNode> = {
  withdrawals: () => <WithdrawalsTab />,
  overview: () => <OverviewTab notice={<HeldRunsNotice />} deposits={<DepositsTable />} />,
  reserves: () => <ReservesTab />,
  runs: () => <RunsTab />,
  rates: () => <RatesTab />,
  plan: () => <PlanTab />,
  investments: () => <InvestmentsTab />,
  support: () => <SupportTab />,
}

export function OperatorPage() {
  const { t } = useTranslation('console/shared')
  const { tab, show } = usePlace()
  const title = tab === TABS[0] ? t('title') : `${t(`tab.${tab}`)} · ${t('title')}`
  const tabs = TABS.map((key) => ({ key, label: t(`tab.${key}`) }))
  return (
    <div className="page-stack operator">
      <PageHead
        title={title}
        heading={t('title')}
        text={t('text')}
        action={
          <div className="row-8">
            <Link to="/operator/members" className="button button-secondary">
              {t('members')}
            </Link>
            <SearchButton />
          </div>
        }
      />
      <Tabs label={t('title')} tabs={tabs} current={tab} onChange={(next) => show(next)}>
        <ConfirmProvider>
          <div className="page-stack">
            {tab === 'reserves' ? null : <StoppedNotice />}
            {SHOWN[tab]()}
          </div>
        </ConfirmProvider>
      </Tabs>
    </div>
  )
}
