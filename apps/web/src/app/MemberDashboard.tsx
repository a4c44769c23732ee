import { Suspense } from 'react'
import { DashboardPage } from '../features/dashboard/components/DashboardPage.tsx'
import { ReservesLine, ReservesNotice } from '../features/reserves/components/ReservesNotice.tsx'
import type { MemberContext } from './memberContext.ts'
import { PendingInvestments } from './memberParts.ts'

/** The dashboard, and the proof under its greeting. */
export function MemberDashboard(props: MemberContext) {
  return (
    <DashboardPage
      {...props}
      proof={(otherwise) => <ReservesLine>{otherwise}</ReservesLine>}
      notice={<ReservesNotice />}
      pending={
        <Suspense fallback={null}>
          <PendingInvestments
            onContinue={(txnId) => props.onInvestAt({ txnId })}
            onInvestBalance={() => props.onInvestAt('balance')}
          />
        </Suspense>
      }
    />
  )
}
