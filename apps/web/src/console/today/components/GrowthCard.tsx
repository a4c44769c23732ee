import type { OperatorToday } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { formats } from '../../../ui/format.ts'
import { Link } from '../../../ui/Link.tsx'
import { placeLink, usePlace } from '../../shared/place.ts'
import { byWeek, periodOf } from '../days.ts'
import { DayBars } from './DayBars.tsx'
import { How } from './How.tsx'

const WHO = ['members', 'investors'] as const

/** Who joined and who invested for the first time: by day in a month, by week in three. */
export function GrowthCard({ data }: { data: OperatorToday }) {
  const { t } = useTranslation('console/today')
  const period = periodOf(usePlace().days)
  const days = data.growth.days.slice(-period)
  const groups = period === 30 ? days.map((day) => [day]) : byWeek(days)
  const sum = (rows: typeof days, who: (typeof WHO)[number]) => rows.reduce((all, row) => all + row[who], 0)
  return (
    <section className="card card-pad">
      <div className="card-head">
        <h2 className="overview-label">{t('growth.title')}</h2>
        <Link to={placeLink('members')} className="small nowrap">
          {t('growth.more')}
        </Link>
      </div>
      {WHO.map((who) => (
        <div key={who}>
          <p className="row-8 row-apart">
            <span>{t(`growth.${who}`)}</span>
            <span>
              <strong>{`+${formats.count(sum(days, who))}`}</strong>{' '}
              <span className="muted small">
                {t('growth.total', { count: data.growth[who], shown: formats.count(data.growth[who]) })}
              </span>
            </span>
          </p>
          <DayBars
            title={t(`growth.${who}`)}
            bars={groups.map((group) => ({
              day: group[0]?.day ?? data.day,
              value: sum(group, who),
              shown: formats.count(sum(group, who)),
            }))}
            scale={formats.count}
            empty={t('growth.none')}
            height={72}
          />
        </div>
      ))}
      <How asOf={data.as_of.growth}>{t(period === 30 ? 'growth.how' : 'growth.howWeeks')}</How>
    </section>
  )
}
