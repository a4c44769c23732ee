import type { Dashboard } from '@aval/contract'
import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { BarChart } from '../../../ui/BarChart.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import {
  IconArrowBackUp,
  IconArrowDownLeft,
  IconArrowUpRight,
  IconBinaryTree,
  IconLock,
  type IconProps,
  IconTrendingUp,
  IconUserPlus,
  IconWallet,
} from '../../../ui/icons.ts'
import { Money } from '../../../ui/Money.tsx'
import { Name } from '../../../ui/Name.tsx'

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
        <h2 className="muted stat-label">{label}</h2>
        {mark}
      </div>
      <p className="figure" data-figure={figure}>
        <Money amount={amount} />
      </p>
      <div className="stat-fact muted small">{fact}</div>
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
        mark={
          data.withdrawable_date === null ? null : (
            <IconLock size={18} stroke={1.5} color="var(--faint)" aria-hidden="true" />
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
        <Fact key={kind} name={t(`total.${kind}`)}>
          {formats.money(profit[kind])}
        </Fact>
      ))}
    </dl>
  )
}

export function ProfitChart({ labels, series }: { labels: string[]; series: number[] }) {
  const { t } = useTranslation('dashboard')
  const days = labels.map((label, index) => ({ label: formats.shortDay(label), value: series[index] ?? 0 }))
  return (
    <BarChart
      label={t('chart.title')}
      kind={t('chart.role')}
      bars={days.map((day) => [Math.max(0, day.value)])}
      part={(bar) => ({ className: 'chart-bar', 'data-last': bar === days.length - 1, rx: 3 })}
      height={168}
      share={0.68}
      least={0}
      leastEmpty={2}
      empty={t('chart.empty')}
      tip={(bar) => (
        <>
          <span>{days[bar]?.label}</span> <strong>{formats.money(days[bar]?.value ?? 0)}</strong>
        </>
      )}
      axis={
        <div className="chart-axis faint tiny" aria-hidden="true">
          <span>{days[0]?.label}</span>
          <span>{days[Math.floor(days.length / 2)]?.label}</span>
          <span>{days.at(-1)?.label}</span>
        </div>
      }
      table={
        <table>
          <caption>{t('chart.title')}</caption>
          <tbody>
            {days.map((day) => (
              <tr key={day.label}>
                <th scope="row">{day.label}</th>
                <td>{formats.money(day.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      }
    />
  )
}

type RecentEvent = Dashboard['recent'][number]

const SHOWN = 3

const EVENTS: Record<RecentEvent['kind'], { Icon: ComponentType<IconProps>; to: string }> = {
  passive: { Icon: IconArrowDownLeft, to: '/payments?tab=passive' },
  direct: { Icon: IconUserPlus, to: '/payments' },
  master: { Icon: IconUserPlus, to: '/payments' },
  binary: { Icon: IconBinaryTree, to: '/payments?tab=binary' },
  investment: { Icon: IconTrendingUp, to: '/investment-history' },
  deposit: { Icon: IconWallet, to: '/investment-history' },
  reversed: { Icon: IconArrowBackUp, to: '/investment-history' },
  reversal: { Icon: IconArrowBackUp, to: '/payments' },
  withdrawal: { Icon: IconArrowUpRight, to: '/withdrawals' },
}

export function RecentCard({ recent }: { recent: RecentEvent[] }) {
  const { t } = useTranslation('dashboard')
  return (
    <section className="card dashboard-recent">
      <div className="card-head">
        <h2>{t('recent.title')}</h2>
        {recent.length === 0 ? null : (
          <Link to="/payments" className="small">
            {t('recent.all')}
          </Link>
        )}
      </div>
      {recent.length === 0 ? (
        <p className="centred muted recent-empty">{t('recent.empty')}</p>
      ) : (
        <ul>
          {recent.slice(0, SHOWN).map((event) => (
            <li key={`${event.kind} ${event.date} ${event.from ?? ''} ${event.amount}`}>
              <RecentLine event={event} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** An investment stays the member's own, also where it is reversed; a reversal of what it paid takes back, and a withdrawal leaves. */
function shownAmount({ kind, amount }: RecentEvent): string {
  if (kind === 'investment' || kind === 'reversed') return formats.money(amount)
  const leaves = kind === 'reversal' || kind === 'withdrawal'
  return formats.signed(leaves ? `-${amount.replace('-', '')}` : amount)
}

function RecentLine({ event }: { event: RecentEvent }) {
  const { t } = useTranslation('dashboard')
  const { Icon, to } = EVENTS[event.kind]
  return (
    <Link to={to} className="row-12 recent-line">
      <span className="centred recent-icon" aria-hidden="true">
        <Icon size={18} stroke={1.6} />
      </span>
      <span className="recent-text">
        <span className="cut">{t(`recent.${event.kind}`)}</span>
        <span className="cut muted small">
          {formats.shortStamp(event.date)}
          {event.from === null ? null : (
            <>
              {' · '}
              <Name text={event.from} />
            </>
          )}
        </span>
      </span>
      <strong className="nowrap">{shownAmount(event)}</strong>
    </Link>
  )
}
