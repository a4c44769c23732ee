import type { CurrentUser, Dashboard } from '@aval/contract'
import { memo, type ReactNode, useDeferredValue, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import { IconClock, IconPlus, IconShieldCheck } from '../../../ui/icons.ts'
import { Name } from '../../../ui/Name.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { ReferralLink } from '../../../ui/ReferralLink.tsx'
import { Loaded, Skeleton, SlowNote } from '../../../ui/States.tsx'
import { useDashboardQuery } from '../api.ts'
import { greetingAt } from '../greeting.ts'
import { ProfitChart, RecentCard, StatCards } from './DashboardCards.tsx'
import './dashboard.css'

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
              {greeting}, <Name text={user.username} />
            </>
          )
        }
        text={
          <span className="promise">
            <IconShieldCheck size={17} stroke={1.6} aria-hidden="true" />
            {proof(t('promise'))}
          </span>
        }
        action={
          <Button kind="primary" icon={<IconPlus size={18} stroke={1.9} />} onClick={onInvest}>
            {t('invest')}
          </Button>
        }
      />
      {notice}
      <Loaded query={{ ...query, data }} hold={<DashboardSkeleton />} card>
        {(figures) => <Content data={figures} refCode={user?.ref_code} pending={pending} />}
      </Loaded>
    </div>
  )
}

interface ContentProps {
  data: Dashboard
  refCode: string | undefined
  pending: ReactNode
}

const Content = memo(function Content({ data, refCode, pending }: ContentProps) {
  const { t } = useTranslation('dashboard')
  // What a phone shows first is drawn first; the cards below hold their places until then.
  const isWhole = useDeferredValue(true, false)
  return (
    <>
      {data.awaiting_funding > 0 ? (
        <Notice kind="wait" icon={IconClock} stroke={1.7} role="status">
          {t('awaiting', { amount: formats.money(data.awaiting_funding) })}
        </Notice>
      ) : null}
      {data.pending_investments > 0 ? pending : null}
      <StatCards data={data} />
      {isWhole ? <MoreCards data={data} refCode={refCode} /> : <MoreSkeleton />}
    </>
  )
})

function MoreCards({ data, refCode }: Omit<ContentProps, 'pending'>) {
  const { t } = useTranslation(['dashboard', 'ui'])
  return (
    <div className="dashboard-grid">
      <section className="card card-pad dashboard-chart">
        <div className="card-head">
          <h2>{t('dashboard:chart.title')}</h2>
          <span className="muted">{t('dashboard:chart.unit')}</span>
        </div>
        <ProfitChart labels={data.chart_data.labels} series={data.chart_data.series} />
      </section>
      <ProgressCard data={data} />
      <section className="card card-pad stack-12 dashboard-link">
        <h2>{t('ui:referralLink')}</h2>
        <ReferralLink refCode={refCode} qr />
      </section>
      <RecentCard recent={data.recent} />
    </div>
  )
}

function ProgressCard({ data }: { data: Dashboard }) {
  const { t } = useTranslation('dashboard')
  const id = useId()
  const invested = data.investment_amount > 0
  const percent = formats.percent(Math.floor(data.investment_progress * 10) / 10)
  return (
    <section className="card card-pad stack-8 dashboard-progress">
      <div className="card-head">
        <h2 id={id}>{t('progress.title')}</h2>
        <strong className="muted">{percent}</strong>
      </div>
      <div
        className="bar progress"
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={data.investment_progress}
        aria-valuetext={percent}
      >
        <span style={{ width: `${data.investment_progress}%` }} />
      </div>
      <p className="muted small">
        {invested
          ? t('progress.days', { elapsed: formats.count(data.elapsed_days), count: data.term_days })
          : t('progress.none', { count: data.term_days })}
      </p>
      <dl className="counters">
        <Fact small name={t('users.direct')}>
          {formats.count(data.direct_users)}
        </Fact>
        <Fact small name={t('users.indirect')}>
          {formats.count(data.indirect_users)}
        </Fact>
      </dl>
    </section>
  )
}

const CARDS = ['daily', 'investment', 'total']
const KINDS = ['passive', 'direct', 'binary']
const LINES = ['first', 'second', 'third']

function DashboardSkeleton() {
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
            <div className="stat-fact muted small">
              {card === 'total' ? (
                <div className="stat-split">
                  {KINDS.map((kind) => (
                    <div key={kind}>
                      <Skeleton width={48} height={16} />
                      <Skeleton width={66} height={18} />
                    </div>
                  ))}
                </div>
              ) : (
                <Skeleton width={210} height={13} />
              )}
            </div>
          </div>
        ))}
      </div>
      <MoreSkeleton />
      <SlowNote />
    </div>
  )
}

function MoreSkeleton() {
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
      <div className="card card-pad stack-8 dashboard-progress">
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
      <div className="card card-pad stack-12 dashboard-link">
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
