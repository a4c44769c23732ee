import type { BinaryStanding } from '@aval/contract'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { IconCheck } from '../../../ui/icons.ts'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { useBinaryStandingQuery } from '../api.ts'
import { shareOfStronger } from '../earnings.ts'
import { Leg } from './cells.tsx'
import './binaryCard.css'

/** A member's two legs, what a match pays, and what still keeps the member from it. */
export function BinaryCard() {
  const { data, error, isFetching, refetch } = useBinaryStandingQuery()
  if (data !== undefined) return <BinarySummary standing={data} />
  return (
    <div className="standing">
      {error === undefined ? (
        <BinarySkeleton />
      ) : (
        <ErrorState failure={error as Failure} onRetry={refetch} retrying={isFetching} />
      )}
    </div>
  )
}

function BinarySkeleton() {
  const { t } = useTranslation('ui')
  return (
    <div className="standing-hold" role="status" aria-label={t('loading')}>
      <Skeleton width={180} height={16} />
      <Skeleton width="100%" height={52} />
      <Skeleton width={240} height={36} />
    </div>
  )
}

function BinarySummary({ standing }: { standing: BinaryStanding }) {
  const { t } = useTranslation('earnings')
  const formats = useFormats()
  const id = useId()
  const day = standing.as_of
  return (
    <section className="standing" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{t('standing.title')}</h2>
        <span className="muted small">
          {day === null ? t('standing.never') : t('standing.asOf', { day: formats.day(day) })}
        </span>
      </div>
      <dl className="legs">
        <LegPoints leg="L" points={standing.left_points} other={standing.right_points} />
        <LegPoints leg="R" points={standing.right_points} other={standing.left_points} />
      </dl>
      <div className="standing-foot">
        <Qualified standing={standing} />
        <dl className="standing-facts">
          <div>
            <dt>{t('standing.percentage')}</dt>
            <dd>{formats.percent(standing.percentage)}</dd>
          </div>
          <div>
            <dt>{t('standing.cap')}</dt>
            <dd>{formats.money(standing.daily_cap)}</dd>
            <dd className="muted small">{t('standing.capNote')}</dd>
          </div>
        </dl>
      </div>
    </section>
  )
}

interface LegPointsProps {
  leg: 'L' | 'R'
  points: string
  other: string
}

/** A leg's points, and a bar that grows from the middle, measured by the stronger leg. */
function LegPoints({ leg, points, other }: LegPointsProps) {
  const { t } = useTranslation('earnings')
  const formats = useFormats()
  return (
    <div className="leg-points" data-leg={leg}>
      <dt>
        <span className="visually-hidden">{t(leg === 'L' ? 'standing.left' : 'standing.right')}</span>
        <span aria-hidden="true">
          <Leg leg={leg} />
        </span>
      </dt>
      <dd>{t('standing.points', { points: formats.points(points) })}</dd>
      <dd className="leg-bar" aria-hidden="true">
        <span style={{ width: `${shareOfStronger(points, other)}%` }} />
      </dd>
    </div>
  )
}

function Qualified({ standing }: { standing: BinaryStanding }) {
  const { t } = useTranslation('earnings')
  if (standing.qualified)
    return (
      <span className="badge badge-ok">
        <IconCheck size={13} stroke={1.9} aria-hidden="true" />
        {t('standing.qualified')}
      </span>
    )
  return (
    <div className="lacking">
      <span className="badge">{t('standing.lackingTitle')}</span>
      <p className="small">{t('standing.lacking')}</p>
      <ul className="small">
        {standing.lacking.map((need) => (
          <li key={need}>{t(`standing.need.${need}`)}</li>
        ))}
      </ul>
    </div>
  )
}
