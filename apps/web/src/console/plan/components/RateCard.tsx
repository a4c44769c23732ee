import type { DeclaredRate, PlanVersion } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { nextDay } from '../days.ts'
import { usePlans } from '../usePlans.ts'
import { RateForm } from './RateForm.tsx'

interface RateCardProps {
  /** Declared rates on the page that is shown: those a new one may replace. */
  declared: DeclaredRate[]
  /** The day that a link led here for. */
  wantedDay: string | null
}

/** The form, once it is known what the plan pays and what day it is. */
export function RateCard({ declared, wantedDay }: RateCardProps) {
  const { t } = useTranslation('console/plan')
  const { plans, today } = usePlans()
  const versions: PlanVersion[] | undefined = plans.data
  return (
    <section className="card card-pad rate-card">
      <h2>{t('rates.declare')}</h2>
      <p className="muted small">{t('rates.declareText')}</p>
      {versions !== undefined && today !== undefined ? (
        <RateForm
          key={wantedDay ?? ''}
          versions={versions}
          declared={declared}
          firstDay={wantedDay ?? nextDay(today)}
        />
      ) : plans.isError ? (
        <ErrorState failure={plans.error as Failure} onRetry={plans.refetch} retrying={plans.isFetching} />
      ) : (
        <div className="rate-form" aria-busy="true">
          <Skeleton width="100%" height={70} />
          <Skeleton width="100%" height={108} />
          <Skeleton width="100%" height={62} />
          <Skeleton width={130} height={40} />
        </div>
      )}
    </section>
  )
}
