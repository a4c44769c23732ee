import type { Dashboard } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formats } from '../../../ui/format.ts'
import { IconLock } from '../../../ui/icons.ts'
import { Money } from '../../../ui/Money.tsx'

interface StatCardProps {
  figure: 'daily' | 'investment' | 'total'
  label: string
  amount: number
  mark: ReactNode
  fact: ReactNode
}

function StatCard({ figure, label, amount, mark, fact }: StatCardProps) {
  return (
    <section className="card stat" aria-label={label}>
      <div className="card-head">
        <h2 className="stat-label">{label}</h2>
        {mark}
      </div>
      <p className="figure" data-figure={figure}>
        <Money amount={amount} />
      </p>
      <div className="stat-fact">{fact}</div>
    </section>
  )
}

export function StatCards({ data }: { data: Dashboard }) {
  const { t } = useTranslation('dashboard')
  const invested = data.investment_amount > 0
  const unlock =
    data.withdrawable_date === null
      ? t('investment.none')
      : t('investment.unlocks', { date: formats.longDate(data.withdrawable_date) })
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
        fact={t(invested ? 'daily.estimate' : 'daily.none')}
      />
      <StatCard
        figure="investment"
        label={t('investment.label')}
        amount={data.investment_amount}
        mark={
          data.withdrawable_date === null ? null : (
            <IconLock size={18} stroke={1.5} className="stat-lock" aria-hidden="true" />
          )
        }
        fact={unlock}
      />
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
        <div key={kind}>
          <dt>{t(`total.${kind}`)}</dt>
          <dd>{formats.money(profit[kind])}</dd>
        </div>
      ))}
    </dl>
  )
}
