import type { Dashboard } from '@aval/contract'
import { type ReactNode, Suspense, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import { lazyPart } from '../../../ui/lazyPart.ts'
import { Money } from '../../../ui/Money.tsx'

const LockedParts = lazyPart(async () => ({
  default: (await import('../../../ui/LockedParts.tsx')).LockedParts,
}))

interface StatCardProps {
  figure: 'daily' | 'investment' | 'total'
  label: string
  amount: number
  mark?: ReactNode
  fact: ReactNode
  children?: ReactNode
}

function StatCard({ figure, label, amount, mark, fact, children }: StatCardProps) {
  return (
    <section className="card stat" aria-label={label}>
      <div className="card-head">
        <h2 className="muted stat-label">{label}</h2>
        {mark}
      </div>
      <p className="figure" data-figure={figure}>
        <Money amount={amount} />
      </p>
      {children}
      <div className="stat-fact muted small">{fact}</div>
    </section>
  )
}

export function StatCards({ data }: { data: Dashboard }) {
  const { t } = useTranslation('dashboard')
  const invested = data.investment_amount > 0
  return (
    <div className="stats">
      <StatCard
        figure="daily"
        label={t('daily.label')}
        amount={data.daily_payment}
        mark={
          data.daily_percentage > 0 ? (
            <span className="badge badge-ok">{formats.percent(data.daily_percentage)}</span>
          ) : null
        }
        fact={
          data.daily_payment_day === null
            ? t(invested ? 'daily.rests' : 'daily.none')
            : t('daily.estimate', { day: formats.day(data.daily_payment_day) })
        }
      />
      <StatCard
        figure="investment"
        label={t('investment.label')}
        amount={data.investment_amount}
        fact={<Term data={data} />}
      >
        <Progress percent={data.investment_progress} />
      </StatCard>
      <StatCard
        figure="total"
        label={t('total.label')}
        amount={data.total_profit}
        mark={
          data.days_profit > 0 ? (
            <span className="badge badge-accent">{t('total.days', { count: data.days_profit })}</span>
          ) : null
        }
        fact={data.total_profit > 0 ? <Split profit={data.profit_by_kind} /> : t('total.none')}
      />
    </div>
  )
}

/** What the profit is made of. Binary stands there once there is any. */
function Split({ profit }: { profit: Dashboard['profit_by_kind'] }) {
  const { t } = useTranslation('dashboard')
  const kinds = (['passive', 'direct', 'binary'] as const).filter(
    (kind) => kind !== 'binary' || profit.binary !== 0,
  )
  return (
    <dl className="stat-split">
      {kinds.map((kind) => (
        <Fact key={kind} name={t(`total.${kind}`)}>
          {formats.money(profit[kind])}
        </Fact>
      ))}
    </dl>
  )
}

/** How far the term is, and from when on the money can be withdrawn. */
function Term({ data }: { data: Dashboard }) {
  const { t } = useTranslation('dashboard')
  const { locked, withdrawable_date: from } = data
  const unlocks =
    from === null || locked.count === 0 ? null : t('investment.unlocks', { date: formats.date(from) })
  const days = { elapsed: formats.count(data.elapsed_days), count: data.term_days }
  // Of several, each has days of its own.
  if (locked.count > 1)
    return (
      <Suspense fallback={<span>{unlocks}</span>}>
        <LockedParts locked={locked}>{unlocks}</LockedParts>
      </Suspense>
    )
  return (
    <>
      <p>{t(data.investment_amount > 0 ? 'progress.days' : 'progress.none', days)}</p>
      <p>{unlocks}</p>
    </>
  )
}

/** How much of the investment's term is over. */
function Progress({ percent }: { percent: number }) {
  const { t } = useTranslation('dashboard')
  const id = useId()
  const written = formats.percent(Math.floor(percent * 10) / 10)
  return (
    <div className="row-8 one-line stat-progress">
      <span id={id} className="visually-hidden">
        {t('progress.title')}
      </span>
      <div
        className="bar"
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={written}
      >
        <span style={{ width: `${percent}%` }} />
      </div>
      <span className="muted small" aria-hidden="true">
        {written}
      </span>
    </div>
  )
}
