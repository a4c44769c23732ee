import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHead } from '../../../ui/PageHead.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { usePageTitle } from '../../../ui/usePageTitle.ts'
import { TABS, type Tab, usePlace } from '../place.ts'
import { CodeProvider } from './CodeProvider.tsx'
import { InvestmentsTab } from './investments/InvestmentsTab.tsx'
import { OverviewTab } from './OverviewTab.tsx'
import './operator.css'
import { PlanTab } from './plan/PlanTab.tsx'
import { RatesTab } from './rates/RatesTab.tsx'
import { ReservesTab } from './reserves/ReservesTab.tsx'
import { StoppedNotice } from './reserves/StoppedNotice.tsx'
import { RunsTab } from './runs/RunsTab.tsx'
import { SupportTab } from './support/SupportTab.tsx'
import { WithdrawalsTab } from './withdrawals/WithdrawalsTab.tsx'

const SHOWN: Record<Tab, () => ReactNode> = {
  withdrawals: () => <WithdrawalsTab />,
  overview: () => <OverviewTab />,
  reserves: () => <ReservesTab />,
  runs: () => <RunsTab />,
  rates: () => <RatesTab />,
  plan: () => <PlanTab />,
  investments: () => <InvestmentsTab />,
  support: () => <SupportTab />,
}

export function OperatorPage() {
  const { t } = useTranslation('operator')
  const { tab, show } = usePlace()
  usePageTitle(tab === TABS[0] ? t('title') : `${t(`tab.${tab}`)} · ${t('title')}`)
  const tabs = TABS.map((key) => ({ key, label: t(`tab.${key}`) }))
  return (
    <div className="page-stack operator">
      <PageHead title={t('title')} text={t('text')} />
      <Tabs label={t('title')} tabs={tabs} current={tab} onChange={(next) => show(next)}>
        <CodeProvider>
          <div className="page-stack">
            {tab === 'reserves' ? null : <StoppedNotice />}
            {SHOWN[tab]()}
          </div>
        </CodeProvider>
      </Tabs>
    </div>
  )
}
