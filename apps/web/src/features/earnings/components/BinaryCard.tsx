import type { BinaryStanding } from '@aval/contract'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import { IconCheck } from '../../../ui/icons.ts'
import { Loaded, Skeleton } from '../../../ui/States.tsx'
import { useBinaryStandingQuery } from '../api.ts'
import { shareOfStronger } from '../earnings.ts'
import { IconBadge, Leg } from './PaymentParts.tsx'
import './binaryCard.css'

export function BinaryCard() {
  const query = useBinaryStandingQuery()
  if (query.data !== undefined) return <BinarySummary summary={query.data} />
  return (
    <div className="stack-12 binary-summary">
      <Loaded query={query} hold={<BinarySkeleton />} />
    </div>
  )
}

function BinarySkeleton() {
  const { t } = useTranslation('ui')
  return (
    <div className="stack-14" role="status" aria-label={t('loading')}>
      <Skeleton width={180} height={16} />
      <Skeleton width="100%" height={52} />
      <Skeleton width={240} height={36} />
    </div>
  )
}

function BinarySummary({ summary }: { summary: BinaryStanding }) {
  const { t } = useTranslation('earnings')
  const id = useId()
  const day = summary.as_of
  return (
    <section className="stack-12 binary-summary" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{t('binary.title')}</h2>
        <span className="muted small">
          {day === null ? t('binary.never') : t('binary.asOf', { day: formats.day(day) })}
        </span>
      </div>
      <dl className="legs">
        <LegPoints leg="L" points={summary.left_points} other={summary.right_points} />
        <LegPoints leg="R" points={summary.right_points} other={summary.left_points} />
      </dl>
      <div className="row-12 row-apart binary-summary-foot">
        <Qualified summary={summary} />
        <dl className="binary-summary-facts">
          <Fact small name={t('binary.percentage')}>
            {formats.percent(summary.percentage)}
          </Fact>
          <div>
            <dt className="muted small">{t('binary.cap')}</dt>
            <dd>{formats.money(summary.daily_cap)}</dd>
            <dd className="muted small">{t('binary.capNote')}</dd>
          </div>
        </dl>
      </div>
      <p className="muted small">{t('binary.reversal')}</p>
    </section>
  )
}

/** A leg's points, and a bar that grows from the middle, measured by the stronger leg. */
function LegPoints({ leg, points, other }: { leg: 'L' | 'R'; points: string; other: string }) {
  const { t } = useTranslation('earnings')
  return (
    <div className="leg-points" data-leg={leg}>
      <dt className="muted small">
        <span className="visually-hidden">{t(leg === 'L' ? 'binary.left' : 'binary.right')}</span>
        <span aria-hidden="true">
          <Leg leg={leg} />
        </span>
      </dt>
      <dd>{t('binary.points', { points: formats.points(points) })}</dd>
      <dd className="bar" aria-hidden="true">
        <span style={{ width: `${shareOfStronger(points, other)}%` }} />
      </dd>
    </div>
  )
}

function Qualified({ summary }: { summary: BinaryStanding }) {
  const { t } = useTranslation('earnings')
  if (summary.qualified) return <IconBadge Icon={IconCheck} tone="badge-ok" text={t('binary.qualified')} />
  return (
    <div className="stack-6 lacking">
      <span className="badge">{t('binary.lackingTitle')}</span>
      <p className="small">{t('binary.lacking')}</p>
      <ul className="small">
        {summary.lacking.map((need) => (
          <li key={need}>{t(`binary.need.${need}`)}</li>
        ))}
      </ul>
    </div>
  )
}
