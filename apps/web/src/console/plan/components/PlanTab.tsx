import type { PlanVersion } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formats } from '../../../ui/format.ts'
import { IconPlus } from '../../../ui/icons.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { EmptyState, Skeleton } from '../../../ui/States.tsx'
import { placeLink, usePlace } from '../../shared/place.ts'
import { usePlans } from '../api.ts'
import { firstDayOf, nextDay } from '../planRates.ts'
import { PlanEditor } from './PlanEditor.tsx'
import { PlanSections, VersionsTable } from './PlanView.tsx'
import './plan.css'

export function PlanTab() {
  const { t } = useTranslation('console/plan')
  const place = usePlace()
  const { plans, current, today } = usePlans()
  return (
    <Loaded query={plans} hold={<PlanSkeleton />} card>
      {(versions) => {
        if (current === undefined) return <EmptyState text={t('first')} />
        if (place.new !== '1') return <PlanInForce versions={versions} current={current} />
        if (today === undefined) return <PlanSkeleton />
        return (
          <PlanEditor
            key={current.version}
            current={current}
            upcoming={upcomingOf(versions, current)}
            firstDay={nextDay(today)}
            onLeave={() => place.show('plan')}
          />
        )
      }}
    </Loaded>
  )
}

/** The version that is next in line; versions come newest first. */
function upcomingOf(versions: PlanVersion[], current: PlanVersion): PlanVersion | undefined {
  const later = versions.filter(({ starts_at }) => starts_at > current.starts_at)
  return later.sort((left, right) => left.starts_at.localeCompare(right.starts_at))[0]
}

function PlanInForce({ versions, current }: { versions: PlanVersion[]; current: PlanVersion }) {
  const { t } = useTranslation('console/plan')
  const since = firstDayOf(current)
  const upcoming = upcomingOf(versions, current)
  const day = upcoming === undefined ? null : firstDayOf(upcoming)
  return (
    <>
      <div className="plan-head">
        <div>
          <h2>{t('version', { version: current.version })}</h2>
          <p className="muted small">
            {since === null ? t('sinceEver') : t('since', { day: formats.day(since) })}
          </p>
        </div>
        <Link className="button button-secondary" to={placeLink('plan', { new: '1' })}>
          <IconPlus size={17} stroke={1.7} aria-hidden="true" />
          {t('new')}
        </Link>
      </div>
      {upcoming === undefined || day === null ? null : (
        <Notice>{t('upcoming', { version: upcoming.version, day: formats.day(day) })}</Notice>
      )}
      <PlanSections document={current.document} />
      <section className="card">
        <h2 className="table-title">{t('versions')}</h2>
        <VersionsTable versions={versions} />
      </section>
    </>
  )
}

function PlanSkeleton() {
  return (
    <>
      <div className="plan-head" aria-busy="true">
        <Skeleton width={180} height={40} />
      </div>
      <div className="plan-sections">
        {['a', 'b', 'c', 'd'].map((key) => (
          <div key={key} className="card card-pad">
            <Skeleton width={120} height={18} />
            <Skeleton width="100%" height={170} />
          </div>
        ))}
      </div>
    </>
  )
}
