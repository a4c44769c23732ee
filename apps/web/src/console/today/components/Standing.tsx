import type { OperatorToday } from '@aval/contract'
import { parseMicro } from '@aval/money'
import { useTranslation } from 'react-i18next'
import { isSome } from '../../../ui/amount.ts'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import { Link } from '../../../ui/Link.tsx'
import { Money } from '../../../ui/Money.tsx'
import { placeLink } from '../../shared/place.ts'
import { LOW_POOL_DAYS } from '../days.ts'
import { How } from './How.tsx'

/** What the company holds against what it owes. */
export function CustodyCard({ data }: { data: OperatorToday }) {
  const { t } = useTranslation('console/today')
  const { custody, capital } = data
  if (custody === null)
    return (
      <section className="card card-pad">
        <h2 className="overview-label">{t('custody.title')}</h2>
        <p className="muted">{t('custody.never')}</p>
      </section>
    )
  const covered = custody.coverage === null || custody.coverage >= 100
  return (
    <section className="card card-pad">
      <div className="card-head">
        <h2 className="overview-label">{t('custody.title')}</h2>
        {custody.coverage === null ? null : (
          <span className={`badge ${covered ? 'badge-ok' : 'badge-bad'}`}>
            {t('custody.coverage', { percent: formats.percent(custody.coverage) })}
          </span>
        )}
      </div>
      <p className="figure">
        <Money amount={custody.total} />
      </p>
      <Share part={custody.owed} whole={custody.total} label={t('custody.owedOf')} />
      <dl className="figures">
        <Fact name={t('custody.owed')}>{formats.money(custody.owed)}</Fact>
        {(['principal', 'balances', 'held', 'pending', 'due'] as const).map((name) => (
          <Fact key={name} name={<span className="indent">{t(`custody.${name}`)}</span>} small>
            {formats.money(custody[name])}
          </Fact>
        ))}
        <Fact name={<Link to={placeLink('treasury')}>{t('custody.capital')}</Link>}>
          {formats.money(capital)}
        </Fact>
      </dl>
      <div className="row-8 row-apart">
        <How asOf={custody.checked_at}>{t('custody.how')}</How>
        <Link to={placeLink('reserves')} className="small nowrap">
          {t('custody.more')}
        </Link>
      </div>
    </section>
  )
}

/** A line, filled as far as a part reaches. */
function Share({ part, whole, label }: { part: string; whole: string; label: string }) {
  const [of, all] = [parseMicro(part) ?? 0n, parseMicro(whole) ?? 0n]
  const percent = all === 0n ? 0 : Math.min(100, Number((of * 10_000n) / all) / 100)
  return (
    <div className="share" role="img" aria-label={`${label}: ${formats.percent(percent)}`}>
      <span style={{ inlineSize: `${percent}%` }} />
    </div>
  )
}

/** Each pool, and how long it lasts. */
export function PoolsCard({ data }: { data: OperatorToday }) {
  const { t } = useTranslation('console/today')
  return (
    <section className="card card-pad">
      <h2 className="overview-label">{t('pools.title')}</h2>
      <ul className="stack-14 pool-list">
        {data.pools.map(({ pool, amount, days, until, rate, awaiting, low }) => (
          <li key={pool}>
            <Link to={placeLink('treasury', { pool })} className="pool-line">
              <span className="row-8 row-apart">
                <strong>{t(`pools.${pool}`)}</strong>
                <span className={`badge ${low ? 'badge-wait' : 'badge-ok'}`}>
                  {days === null ? t('pools.unused') : t('pools.days', { count: days })}
                </span>
              </span>
              <span className="figure">
                <Money amount={amount} />
              </span>
              <span className="muted small">
                {`${
                  days === null
                    ? t('pools.never')
                    : t('pools.until', { rate: formats.money(rate), day: formats.day(until ?? data.day) })
                }${isSome(awaiting) ? ` ${t('pools.awaiting', { amount: formats.money(awaiting) })}` : ''}`}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <How asOf={data.as_of.days}>{t('pools.how', { count: LOW_POOL_DAYS })}</How>
    </section>
  )
}

const SOURCES = ['passive', 'direct', 'master', 'binary'] as const

/** What members were paid in a month, by source. */
export function PayoutsCard({ data }: { data: OperatorToday }) {
  const { t } = useTranslation('console/today')
  const { payouts } = data
  const total = parseMicro(payouts.total) ?? 0n
  return (
    <section className="card card-pad">
      <div className="card-head">
        <h2 className="overview-label">{t('payouts.title')}</h2>
        <Link to={placeLink('runs')} className="small nowrap">
          {t('payouts.more')}
        </Link>
      </div>
      <p className="figure">
        <Money amount={payouts.total} />
      </p>
      <ul className="stack-8 sources">
        {SOURCES.map((source) => {
          const amount = parseMicro(payouts[source]) ?? 0n
          const percent = total === 0n ? 0 : Number((amount * 10_000n) / total) / 100
          return (
            <li key={source}>
              <span className="source-line">
                <span>{t(`payouts.${source}`)}</span>
                <span className="muted small">{formats.percent(percent)}</span>
                <strong>{formats.money(payouts[source])}</strong>
              </span>
              <Share part={payouts[source]} whole={payouts.total} label={t(`payouts.${source}`)} />
            </li>
          )
        })}
      </ul>
      <How asOf={data.as_of.days}>{t('payouts.how')}</How>
    </section>
  )
}
