import { Suspense } from 'react'
import { DashboardPage } from '../features/dashboard/components/DashboardPage.tsx'
import type { MemberContext } from './memberContext.ts'
import { PendingInvestments, ReservesDialog, ReservesLine, ReservesNotice } from './memberParts.ts'

/** Where one pending investment will stand: most who have any have one. */
const HOLD = <div className="card pending-hold" />

/** The dashboard, and the proof under its greeting. */
export function MemberDashboard(props: MemberContext) {
  return (
    <DashboardPage
      {...props}
      proof={(otherwise) => (
        <Suspense fallback={otherwise}>
          <ReservesLine>{otherwise}</ReservesLine>
        </Suspense>
      )}
      notice={
        <Suspense fallback={null}>
          <ReservesNotice
            dialog={(figures) => (
              <Suspense fallback={null}>
                <ReservesDialog {...figures} />
              </Suspense>
            )}
          />
        </Suspense>
      }
      pending={
        <Suspense fallback={HOLD}>
          <PendingInvestments
            hold={HOLD}
            onContinue={(txnId) => props.onInvestAt({ txnId })}
            onInvestBalance={() => props.onInvestAt('balance')}
          />
        </Suspense>
      }
    />
  )
}
