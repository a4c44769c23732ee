import type { Dashboard } from '@aval/contract'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { BarChart } from '../../../ui/BarChart.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import {
  IconArrowBackUp,
  IconArrowDownLeft,
  IconArrowUpRight,
  IconBinaryTree,
  type IconProps,
  IconTrendingUp,
  IconUserPlus,
  IconWallet,
} from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import { Name } from '../../../ui/Name.tsx'
import { ReferralLink } from '../../../ui/ReferralLink.tsx'

interface MoreCardsProps {
  data: Dashboard
  refCode: string | undefined
}

/** What comes below the first screen of a phone: the last days, what happened lately, the link and who came by it. */
export function MoreCards({ data, refCode }: MoreCardsProps) {
  const { t } = useTranslation(['dashboard', 'ui'])
  return (
    <>
      <section className="card card-pad dashboard-chart">
        <div className="card-head">
          <h2>{t('dashboard:chart.title')}</h2>
          <span className="muted">{t('dashboard:chart.unit')}</span>
        </div>
        <ProfitChart labels={data.chart_data.labels} series={data.chart_data.series} />
      </section>
      <RecentCard recent={data.recent} />
      <section className="card card-pad dashboard-link">
        <div className="stack-12">
          <h2>{t('ui:referralLink')}</h2>
          <ReferralLink refCode={refCode} qr />
        </div>
        <dl className="counters">
          <Fact small name={t('dashboard:users.direct')}>
            {formats.count(data.direct_users)}
          </Fact>
          <Fact small name={t('dashboard:users.indirect')}>
            {formats.count(data.indirect_users)}
          </Fact>
        </dl>
      </section>
    </>
  )
}

function ProfitChart({ labels, series }: { labels: string[]; series: number[] }) {
  const { t } = useTranslation('dashboard')
  const days = labels.map((label, index) => ({ label: formats.shortDay(label), value: series[index] ?? 0 }))
  return (
    <BarChart
      label={t('chart.title')}
      kind={t('chart.role')}
      bars={days.map((day) => [Math.max(0, day.value)])}
      part={(bar) => ({ className: 'chart-bar', 'data-last': bar === days.length - 1, rx: 3 })}
      height={94}
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
  passive: { Icon: IconArrowDownLeft, to: '/payments?tab=passive#my-payments' },
  direct: { Icon: IconUserPlus, to: '/payments#my-payments' },
  master: { Icon: IconUserPlus, to: '/payments#my-payments' },
  binary: { Icon: IconBinaryTree, to: '/payments?tab=binary#my-payments' },
  investment: { Icon: IconTrendingUp, to: '/investment-history' },
  deposit: { Icon: IconWallet, to: '/investment-history' },
  reversed: { Icon: IconArrowBackUp, to: '/investment-history' },
  reversal: { Icon: IconArrowBackUp, to: '/payments#my-payments' },
  withdrawal: { Icon: IconArrowUpRight, to: '/withdrawals' },
}

function RecentCard({ recent }: { recent: RecentEvent[] }) {
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
        <span>{t(`recent.${event.kind}`)}</span>
        <span className="cut muted small">
          <span>{formats.shortStamp(event.date)}</span>
          {event.from === null ? null : (
            <>
              <span>{' · '}</span>
              <Name text={event.from} />
            </>
          )}
        </span>
      </span>
      <strong className="nowrap">{shownAmount(event)}</strong>
    </Link>
  )
}
