import { useTranslation } from 'react-i18next'
import { Loaded, SkeletonCard } from '../../../ui/States.tsx'
import { useAbilities } from '../../shared/abilities.ts'
import { quiet, usePolling } from '../../shared/useLive.ts'
import { useTodayQuery, useWaitingQuery } from '../api.ts'
import { GrowthCard } from './GrowthCard.tsx'
import { FlowCard, UnlocksCard } from './MoneyCharts.tsx'
import { CustodyCard, PayoutsCard, PoolsCard } from './Standing.tsx'
import { WaitingCard } from './WaitingCard.tsx'
import './today.css'

const EVERY = 60_000

/** What needs somebody now; and below, how the company stands, for who may see its money. */
export function TodayPage() {
  const { t } = useTranslation('console/shared')
  const { may } = useAbilities()
  const waiting = quiet(useWaitingQuery(undefined, usePolling(EVERY)))
  return (
    <>
      <Loaded
        query={waiting}
        hold={
          <SkeletonCard
            bars={[
              [180, 18],
              ['100%', 44],
              ['80%', 44],
            ]}
          />
        }
        card
      >
        {(data) => <WaitingCard waiting={data} />}
      </Loaded>
      {waiting.isStale ? <p className="stale muted small">{t('stale')}</p> : null}
      {may('treasury.read') ? <Standing /> : null}
    </>
  )
}

const HOLD = [
  [140, 14],
  [200, 30],
  ['100%', 150],
] as const

function Standing() {
  const query = quiet(useTodayQuery(undefined, usePolling(EVERY)))
  const hold = (
    <div className="overview">
      <SkeletonCard bars={HOLD} />
      <SkeletonCard bars={HOLD} />
    </div>
  )
  return (
    <Loaded query={query} hold={hold} card>
      {(data) => (
        <div className="overview today-cards">
          <CustodyCard data={data} />
          <PoolsCard data={data} />
          <FlowCard data={data} />
          <UnlocksCard data={data} />
          <PayoutsCard data={data} />
          <GrowthCard data={data} />
        </div>
      )}
    </Loaded>
  )
}
