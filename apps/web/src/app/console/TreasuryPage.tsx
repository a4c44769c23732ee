import { OverviewTab } from '../../console/overview/components/OverviewTab.tsx'
import { HeldRunsNotice } from '../../console/payout-runs/components/RunsTab.tsx'

export function TreasuryPage() {
  return <OverviewTab notice={<HeldRunsNotice />} deposits={null} />
}
