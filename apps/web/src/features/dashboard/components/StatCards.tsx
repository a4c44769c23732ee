import type { Dashboard } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconLock } from '../../../ui/icons.ts'
import { Money } from '../../../ui/Money.tsx'
import { useFormats } from '../../../ui/useFormats.ts'

interface StatCardProps {
  figure: 'daily' | 'investment' | 'total'
  label: string
  amount: number
  mark: ReactNode
  fact: string
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
      <p className="stat-fact">{fact}</p>
    </section>
  )
}

export function StatCards({ data }: { data: Dashboard }) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  const invested = data.investment_amount > 0
  const split = t('total.split', {
    passive: formats.money(data.profit_by_kind.passive),
    direct: formats.money(data.profit_by_kind.direct),
  })
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
        fact={data.total_profit > 0 ? split : t('total.none')}
      />
    </div>
  )
}
