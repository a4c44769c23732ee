import { useTranslation } from 'react-i18next'
import { Skeleton, SlowNote } from '../../../ui/States.tsx'

const CARDS = ['daily', 'investment', 'total']
const KINDS = ['passive', 'direct', 'binary']
const LINES = ['first', 'second', 'third']

/** The page's shape while its figures are on their way. */
export function DashboardSkeleton() {
  const { t } = useTranslation('ui')
  return (
    <div className="page-stack" role="status" aria-label={t('loading')}>
      <div className="stats">
        {CARDS.map((card) => (
          <div key={card} className="card stat">
            <div className="card-head">
              <Skeleton width={96} height={14} />
            </div>
            <div className="figure">
              <Skeleton width={180} height={26} />
            </div>
            <div className="stat-fact">
              {card === 'total' ? <SplitSkeleton /> : <Skeleton width={210} height={13} />}
            </div>
          </div>
        ))}
      </div>
      <MoreSkeleton />
      <SlowNote />
    </div>
  )
}

function SplitSkeleton() {
  return (
    <div className="stat-split">
      {KINDS.map((kind) => (
        <div key={kind}>
          <Skeleton width={48} height={16} />
          <Skeleton width={66} height={18} />
        </div>
      ))}
    </div>
  )
}

/** The cards that a phone shows further down. */
export function MoreSkeleton() {
  return (
    <div className="dashboard-grid">
      <div className="card card-pad dashboard-chart">
        <div className="card-head">
          <Skeleton width={190} height={15} />
        </div>
        <div className="chart-hold">
          <Skeleton width="100%" height={168} />
        </div>
      </div>
      <div className="card card-pad dashboard-progress">
        <div className="card-head">
          <Skeleton width={170} height={15} />
        </div>
        <Skeleton width="100%" height={8} />
        <Skeleton width={110} height={13} />
        <div className="counters">
          <Skeleton width={90} height={40} />
          <Skeleton width={90} height={40} />
        </div>
      </div>
      <div className="card card-pad dashboard-link">
        <Skeleton width={140} height={15} />
        <Skeleton width="100%" height={40} />
      </div>
      <div className="card dashboard-recent">
        <div className="card-head">
          <Skeleton width={80} height={15} />
        </div>
        {LINES.map((line) => (
          <Skeleton key={line} width="auto" height={34} />
        ))}
      </div>
    </div>
  )
}
