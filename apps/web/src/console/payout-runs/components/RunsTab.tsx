import { useEffect, useState } from 'react'
import { placeLink, usePlace } from '../../shared/place.ts'
import { RunView } from './RunView.tsx'
import './runs.css'
import type { PayoutRun } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { isSome } from '../../../ui/amount.ts'
import { type Column, PagedTable } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { IconAlertTriangle } from '../../../ui/icons.ts'
import { Name } from '../../../ui/Name.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { quiet, useLive } from '../../shared/useLive.ts'
import { useRunsQuery } from '../api.ts'
import { isUnderWay, progressOf } from '../runStages.ts'
import { Reasons, RunProgress, StageBadge, useRunName } from './RunParts.tsx'

/** What was decided is carried out by a job a moment later; until then nothing says that a run is under way. */
const SOON = 10_000

/** The list of runs, or the one whose number the address names. */
export function RunsTab() {
  const place = usePlace()
  const [decided, setDecided] = useState(0)
  const [watching, setWatching] = useState(false)
  useEffect(() => {
    if (decided === 0) return
    setWatching(true)
    const timer = setTimeout(() => setWatching(false), SOON)
    return () => clearTimeout(timer)
  }, [decided])

  const run = place.run
  const isOpen = place.state === 'open'
  if (run !== null && /^[1-9]\d{0,8}$/.test(run)) {
    return (
      <RunView
        key={run}
        id={Number(run)}
        watching={watching}
        onDecided={(decision) => {
          setDecided(decided + 1)
          // The discarded computation is of no more interest; the one that follows is.
          if (decision === 'cancel') place.show('runs')
        }}
      />
    )
  }
  return (
    <RunsList
      page={place.page}
      open={isOpen}
      watching={watching}
      onPage={(page) => place.show('runs', { state: isOpen ? 'open' : null, page })}
      onOpen={(open) => place.show('runs', { state: open ? 'open' : null })}
    />
  )
}

interface RunsListProps {
  page: number
  onPage: (page: number) => void
  open: boolean
  onOpen: (open: boolean) => void
  /** Something was decided a moment ago, and news is to be expected. */
  watching: boolean
}

function RunsList({ page, onPage, open, onOpen, watching }: RunsListProps) {
  const { t } = useTranslation(['console/payout-runs', 'console/shared'])
  const query = useRunsQuery({ page, open }, { refetchOnMountOrArgChange: true })
  const list = quiet(query)
  const columns = useColumns()
  const nameOf = useRunName()
  useLive(watching || query.currentData?.results.some(isUnderWay) === true, query.refetch)
  return (
    <section className="card">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would look like a form */}
      <div className="chips" role="group" aria-label={t('filter')}>
        {[false, true].map((choice) => (
          <button
            key={String(choice)}
            type="button"
            className="chip"
            aria-pressed={choice === open}
            onClick={() => onOpen(choice)}
          >
            {t(choice ? 'open' : 'all')}
          </button>
        ))}
      </div>
      {list.isStale ? <p className="stale muted small">{t('console/shared:stale')}</p> : null}
      <div className="linked-rows">
        <PagedTable
          list={list}
          caption={t('title')}
          columns={columns}
          rowKey={(run) => run.id}
          note={(run) => noteOf(run, nameOf(run).period)}
          page={page}
          onPage={onPage}
          empty={<EmptyState text={t(open ? 'noneOpen' : 'empty')} />}
        />
      </div>
    </section>
  )
}

/** How far it is, or why it waits: what an operator looks for, in plain sight. */
function noteOf(run: PayoutRun, name: string) {
  if (run.state === 'held' && run.reasons.length > 0) return <Reasons reasons={run.reasons} />
  return progressOf(run) === null ? null : <RunProgress run={run} name={name} />
}

/** Before it is sealed there is no sum to speak of. */
const isCounted = ({ state }: PayoutRun) => state !== 'computing'

function useColumns(): Column<PayoutRun>[] {
  const { t } = useTranslation(['console/payout-runs', 'console/shared'])
  const nameOf = useRunName()
  return [
    {
      key: 'period',
      header: t('period'),
      cell: (run) => {
        const { kind, period } = nameOf(run)
        return (
          <span className="two-lines">
            <Link to={placeLink('runs', { run: String(run.id) })} className="row-link">
              <Name text={period} />
            </Link>
            <span>{kind}</span>
          </span>
        )
      },
    },
    { key: 'stage', header: t('stage'), cell: (run) => <StageBadge run={run} /> },
    {
      key: 'items',
      header: t('items'),
      figure: true,
      cell: (run) => (isCounted(run) ? formats.count(run.items) : '–'),
    },
    {
      key: 'total',
      header: t('total'),
      figure: true,
      cell: (run) => (isCounted(run) ? <Total run={run} /> : '–'),
    },
  ]
}

/** The computed sum, what is paid of it where that is less, and what its pool lacks. */
function Total({ run }: { run: PayoutRun }) {
  const { t } = useTranslation(['console/payout-runs', 'console/shared'])
  const isWhole = run.payable === run.total || run.state === 'cancelled'
  return (
    <span className="run-total">
      <strong>{formats.money(run.total)}</strong>
      {isWhole ? null : (
        <span className="muted small">{t('pays', { amount: formats.money(run.payable) })}</span>
      )}
      {isSome(run.missing) ? (
        <span className="muted small">{t('missing', { amount: formats.money(run.missing) })}</span>
      ) : null}
    </span>
  )
}

/** Says that a run waits for a decision; nothing while none does, and while that is not known. */
export function HeldRunsNotice() {
  const { t } = useTranslation('console/payout-runs')
  const { data } = useRunsQuery({ page: 1, open: true })
  if (data?.results.some(({ state }) => state === 'held') !== true) return null
  return (
    <p className="notice notice-wait">
      <IconAlertTriangle size={18} stroke={1.6} aria-hidden="true" />
      <span>
        {t('attention')} <Link to={placeLink('runs', { state: 'open' })}>{t('see')}</Link>
      </span>
    </p>
  )
}
