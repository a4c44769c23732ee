import type { PayoutRun } from '@aval/contract'
import { type Ref, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Failure } from '../../../api/failure.ts'
import { IconChevronLeft } from '../../../ui/icons.ts'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { placeLink } from '../../shared/place.ts'
import { quiet, useLive } from '../../shared/useLive.ts'
import { useRunQuery } from '../api.ts'
import { isUnderWay, type RunDecision } from '../runStages.ts'
import { HeldPanel } from './HeldPanel.tsx'
import { RunDecisionDialog } from './RunDecisionDialog.tsx'
import { RunFigures } from './RunFigures.tsx'
import { RunProgress, StageBadge, useRunName } from './RunParts.tsx'

interface RunViewProps {
  id: number
  /** Something was decided a moment ago, and news is to be expected. */
  watching: boolean
  onDecided: (decision: RunDecision) => void
}

/** One run: where it stands, what an operator may do about it, and everything that explains it. */
export function RunView({ id, watching, onDecided }: RunViewProps) {
  const { t } = useTranslation(['console/payout-runs', 'console/shared'])
  const query = useRunQuery(id, { refetchOnMountOrArgChange: true })
  const { data: run, error, isStale } = quiet(query)
  const [deciding, setDeciding] = useState<RunDecision | null>(null)
  const title = useRef<HTMLHeadingElement>(null)
  useLive(watching || (run !== undefined && isUnderWay(run)), query.refetch)

  // The link that led here, or the button that was pressed, is gone: the focus would be nowhere.
  const state = run?.state
  useEffect(() => {
    if (state !== undefined && document.activeElement === document.body)
      title.current?.focus({ preventScroll: true })
  }, [state])

  return (
    <>
      <Link to={placeLink('runs')} className="back-link">
        <IconChevronLeft size={16} stroke={1.8} aria-hidden="true" />
        {t('back')}
      </Link>
      {run !== undefined ? (
        <>
          <section className="card card-pad run-head">
            <RunHead run={run} title={title} isStale={isStale} />
            <HeldPanel run={run} onDecide={setDeciding} />
          </section>
          <RunFigures run={run} />
        </>
      ) : error === undefined ? (
        <RunSkeleton />
      ) : (
        <div className="card">
          <ErrorState failure={error as Failure} onRetry={query.refetch} retrying={query.isFetching} />
        </div>
      )}
      {run !== undefined && deciding !== null ? (
        <RunDecisionDialog
          run={run}
          decision={deciding}
          onClose={() => setDeciding(null)}
          onDecided={() => {
            setDeciding(null)
            onDecided(deciding)
          }}
        />
      ) : null}
    </>
  )
}

interface RunHeadProps {
  run: PayoutRun
  title: Ref<HTMLHeadingElement>
  isStale: boolean
}

function RunHead({ run, title, isStale }: RunHeadProps) {
  const { t } = useTranslation(['console/payout-runs', 'console/shared'])
  const { kind, period } = useRunName()(run)
  return (
    <>
      <div className="run-title">
        <h2 ref={title} tabIndex={-1}>
          {kind} · <span className="run-period">{period}</span>
        </h2>
        <StageBadge run={run} />
      </div>
      <RunProgress run={run} name={period} />
      {isStale ? <p className="muted small">{t('console/shared:stale')}</p> : null}
    </>
  )
}

function RunSkeleton() {
  return (
    <>
      <div className="card card-pad" aria-busy="true">
        <Skeleton width={280} height={28} />
      </div>
      <div className="overview" aria-busy="true">
        {['figures', 'origin'].map((key) => (
          <div key={key} className="card card-pad">
            <Skeleton width={90} height={18} />
            <Skeleton width="100%" height={200} />
          </div>
        ))}
      </div>
    </>
  )
}
