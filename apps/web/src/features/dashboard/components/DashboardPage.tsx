import type { CurrentUser, Dashboard } from '@aval/contract'
import { memo, type ReactNode, Suspense, useDeferredValue, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { formats } from '../../../ui/format.ts'
import { IconHistory, IconPlus, IconShieldCheck } from '../../../ui/icons.ts'
import { lazyPart } from '../../../ui/lazyPart.ts'
import { Name } from '../../../ui/Name.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { Loaded, Skeleton, SlowNote } from '../../../ui/States.tsx'
import { useDue } from '../../../ui/useDue.ts'
import { useDashboardQuery } from '../api.ts'
import { isNewcomer } from '../firstSteps.ts'
import { greetingAt } from '../greeting.ts'
import { StatCards } from './DashboardCards.tsx'
import { Holdings, StepsLeft } from './Holdings.tsx'
import './dashboard.css'

const FirstSteps = lazyPart(async () => ({ default: (await import('./FirstSteps.tsx')).FirstSteps }))
const MoreCards = lazyPart(async () => ({ default: (await import('./MoreCards.tsx')).MoreCards }))

interface DashboardPageProps {
  user: CurrentUser | undefined
  onInvest: () => void
  /** What proves the promise; the promise itself is shown where there is no proof yet. */
  proof: (otherwise: ReactNode) => ReactNode
  /** What has to be said before anything else; usually nothing. */
  notice: ReactNode
  /** What the member has not finished paying, where there is something. */
  pending: ReactNode
}

export function DashboardPage({ user, onInvest, proof, notice, pending }: DashboardPageProps) {
  const { t } = useTranslation('dashboard')
  const query = useDashboardQuery()
  // React draws at once what a store says, and in one go; deferred, a phone may draw it in parts.
  const data = useDeferredValue(query.data)
  // What was begun comes first: then the button stands below it.
  const isPaying = (data?.pending_investments ?? 0) > 0
  const invest = (
    <Button
      kind={isPaying ? 'secondary' : 'primary'}
      icon={<IconPlus size={18} stroke={1.9} />}
      onClick={onInvest}
    >
      {t('invest')}
    </Button>
  )
  const greeting = t(`greeting.${greetingAt(new Date().getHours())}`)
  return (
    <div className="page-stack">
      <PageHead
        title={t('title')}
        heading={
          user === undefined ? (
            greeting
          ) : (
            <>
              <span>{`${greeting}, `}</span>
              <Name text={user.username} />
            </>
          )
        }
        text={
          <span className="promise">
            <IconShieldCheck size={17} stroke={1.6} aria-hidden="true" />
            {proof(<span>{t('promise')}</span>)}
          </span>
        }
        action={isPaying ? null : invest}
      />
      {notice}
      {isPaying ? pending : null}
      {isPaying ? <div>{invest}</div> : null}
      <Loaded query={{ ...query, data }} hold={<DashboardSkeleton />} card>
        {(figures) => <Content data={figures} user={user} onInvest={onInvest} />}
      </Loaded>
    </div>
  )
}

interface ContentProps extends Pick<DashboardPageProps, 'user' | 'onInvest'> {
  data: Dashboard
}

const Content = memo(function Content({ data, user, onInvest }: ContentProps) {
  const { t } = useTranslation('dashboard')
  const isNew = isNewcomer(data)
  return (
    <>
      {data.frozen ? (
        <Notice kind="wait" icon={IconHistory} role="status">
          {t('frozen', { reason: data.frozen })}
        </Notice>
      ) : null}
      {(['awaiting_funding', 'in_review'] as const).map((state) =>
        data[state] ? (
          <Notice key={state} kind="wait" icon={IconHistory} role="status">
            {t(`pending.${state}`, { amount: formats.money(data[state]) })}
          </Notice>
        ) : null,
      )}
      {user !== undefined && isNew ? (
        <Suspense fallback={<div className="card steps-hold" />}>
          <FirstSteps user={user} data={data} onInvest={onInvest} />
        </Suspense>
      ) : (
        <Holdings user={user} data={data} />
      )}
      <StatCards data={data} />
      {isNew ? null : <StepsLeft user={user} data={data} className="card" />}
      <Below data={data} refCode={user?.ref_code} isPlaced={user !== undefined} />
    </>
  )
})

interface BelowProps {
  data: Dashboard
  refCode: string | undefined
  isPlaced: boolean
}

/** What most phones show only after scrolling is fetched then, or once the page is at rest. Its place is held until it is here. */
function Below({ isPlaced, ...props }: BelowProps) {
  const place = useRef<HTMLDivElement>(null)
  const isDue = useDue(place, isPlaced)
  return (
    <div ref={place} className="dashboard-grid">
      {isDue ? (
        <Suspense fallback={<MoreSkeleton />}>
          <MoreCards {...props} />
        </Suspense>
      ) : (
        <MoreSkeleton />
      )}
    </div>
  )
}

const CARDS = ['daily', 'investment', 'total']

/** A name and a figure that are on their way. */
function HeldFigure() {
  return (
    <>
      <div className="card-head">
        <Skeleton width={110} height={14} />
      </div>
      <div className="figure">
        <Skeleton width={160} height={26} />
      </div>
    </>
  )
}

function DashboardSkeleton() {
  const { t } = useTranslation('ui')
  return (
    <div className="page-stack" role="status" aria-label={t('loading')}>
      <div className="card holdings">
        {CARDS.slice(1).map((card) => (
          <div key={card} className="holding" data-holding="total">
            <HeldFigure />
          </div>
        ))}
      </div>
      <div className="stats">
        {CARDS.map((card) => (
          <div key={card} className="card stat">
            <HeldFigure />
            <div className="stat-fact">
              <Skeleton width={210} height={36} />
            </div>
          </div>
        ))}
      </div>
      <div className="dashboard-grid">
        <MoreSkeleton />
      </div>
      <SlowNote />
    </div>
  )
}

function MoreSkeleton() {
  return (
    <>
      <div className="card card-pad dashboard-chart">
        <Skeleton width="50%" height={24} />
        <div className="chart-hold">
          <Skeleton width="100%" height={94} />
        </div>
      </div>
      <div className="card dashboard-recent">
        {CARDS.map((line) => (
          <Skeleton key={line} width="auto" height={34} />
        ))}
      </div>
      <div className="card card-pad dashboard-link">
        <Skeleton width="100%" height={66} />
      </div>
    </>
  )
}
