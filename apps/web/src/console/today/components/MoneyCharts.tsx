import type { OperatorToday } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { formats } from '../../../ui/format.ts'
import { Link } from '../../../ui/Link.tsx'
import { placeLink, usePlace } from '../../shared/place.ts'
import { periodOf, sumOf } from '../days.ts'
import { DayBars } from './DayBars.tsx'
import { How } from './How.tsx'
import { PeriodChips } from './PeriodChips.tsx'

const WAYS = ['in', 'out'] as const

/** What members paid in, and what was paid out to them, by day. */
export function FlowCard({ data }: { data: OperatorToday }) {
  const { t } = useTranslation('console/today')
  const days = data.flow.slice(-periodOf(usePlace().days))
  const period = { from: days[0]?.day ?? data.day, to: data.day }
  const links = { in: placeLink('deposits', period), out: placeLink('withdrawals', { state: 'closed' }) }
  return (
    <section className="card card-pad">
      <div className="card-head">
        <h2 className="overview-label">{t('flow.title')}</h2>
        <PeriodChips />
      </div>
      {WAYS.map((way) => (
        <div key={way}>
          <p className="row-8 row-apart">
            <Link to={links[way]}>{t(`flow.${way}`)}</Link>
            <strong>{formats.money(sumOf(days.map((day) => day[way])))}</strong>
          </p>
          <DayBars
            title={t(`flow.${way}`)}
            bars={days.map((day) => ({
              day: day.day,
              value: Number(day[way]),
              shown: formats.money(day[way]),
            }))}
            empty={t(`flow.${way}None`)}
            height={72}
          />
        </div>
      ))}
      <How asOf={data.as_of.days}>{t('flow.how')}</How>
    </section>
  )
}

/** What of the principal members can take out, week by week. */
export function UnlocksCard({ data }: { data: OperatorToday }) {
  const { t } = useTranslation('console/today')
  const { unlocks, unlocked, unlocks_later: later } = data
  return (
    <section className="card card-pad">
      <h2 className="overview-label">{t('unlocks.title')}</h2>
      <p className="figure" translate="no">
        <span>{formats.money(unlocked.amount)}</span>{' '}
        <span className="muted small">{t('unlocks.now', { count: unlocked.members })}</span>
      </p>
      <DayBars
        title={t('unlocks.title')}
        bars={unlocks.map(({ week, amount, members }) => ({
          day: week,
          value: Number(amount),
          shown: `${formats.money(amount)} · ${t('unlocks.members', { count: members })}`,
        }))}
        empty={t('unlocks.none')}
      />
      <p className="row-8 row-apart">
        <span className="muted">{t('unlocks.later')}</span>
        <strong>{formats.money(later.amount)}</strong>
      </p>
      <How asOf={data.as_of.unlocks}>{t('unlocks.how')}</How>
    </section>
  )
}
