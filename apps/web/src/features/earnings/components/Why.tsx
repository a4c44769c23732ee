import type { BinaryPayment, DirectPayment, PassivePayment } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { useWhyQuery } from '../api.ts'
import { waitingState } from '../earnings.ts'
import './why.css'
import { WhyDetails } from './WhyDetails.tsx'

interface WhyProps {
  payment: Pick<DirectPayment | PassivePayment | BinaryPayment, 'id' | 'state' | 'why'>
}

/** Why a payment is what it is: the row's own sentence at once, and everything behind it as soon as it arrives. */
export function Why({ payment }: WhyProps) {
  const { t } = useTranslation('earnings')
  const { data, error, isFetching, refetch } = useWhyQuery(payment.id)
  const waiting = waitingState(payment.state)
  return (
    <div className="why">
      <p>{payment.why.sentence}</p>
      {waiting === null ? null : <p className="muted small">{t(`why.waiting.${waiting}`)}</p>}
      {data !== undefined ? (
        <WhyDetails why={data} />
      ) : error !== undefined ? (
        <ErrorState failure={error as Failure} onRetry={refetch} retrying={isFetching} />
      ) : (
        <WhySkeleton />
      )}
    </div>
  )
}

const INPUTS = ['first', 'second', 'third', 'fourth']

function WhySkeleton() {
  const { t } = useTranslation('ui')
  return (
    <div className="why-details" role="status" aria-label={t('loading')}>
      <div className="why-part">
        <Skeleton width={70} height={13} />
        <Skeleton width="80%" height={16} />
      </div>
      <div className="why-part">
        <Skeleton width={110} height={13} />
        <div className="why-inputs">
          {INPUTS.map((input) => (
            <div key={input}>
              <Skeleton width={90} height={13} />
              <Skeleton width={110} height={16} />
            </div>
          ))}
        </div>
      </div>
      <div className="why-part">
        <Skeleton width={140} height={13} />
        <Skeleton width="100%" height={36} />
      </div>
      <div className="why-part">
        <Skeleton width={60} height={13} />
        <Skeleton width="60%" height={36} />
      </div>
    </div>
  )
}
