import type { PayoutRun } from '@aval/contract'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { isSome } from '../../../ui/amount.ts'
import { type Column, column, figureColumn, TwoLines } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { Link } from '../../../ui/Link.tsx'
import { Name } from '../../../ui/Name.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { ExportButton } from '../../shared/export/ExportButton.tsx'
import { FilteredTable } from '../../shared/FilteredTable.tsx'
import { runLink, usePlace } from '../../shared/place.ts'
import { quiet, useLive } from '../../shared/useLive.ts'
import { useRunsQuery } from '../api.ts'
import { isUnderWay, progressOf } from '../runStages.ts'
import { RunCalendar } from './RunCalendar.tsx'
import { Reasons, RunProgress, StageBadge, useRunName } from './RunParts.tsx'
import { RunView } from './RunView.tsx'
import './runs.css'

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

  const { pathname } = useLocation()
  // Links of before a run had an address of its own name it in the query.
  const run = /\/runs\/(\d+)$/.exec(pathname)?.[1] ?? place.run
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
    <div className="runs-place">
      <RunsList watching={watching} />
      <RunCalendar />
    </div>
  )
}

/** @param watching something was decided a moment ago, and news is to be expected */
function RunsList({ watching }: { watching: boolean }) {
  const place = usePlace()
  const page = place.page
  const open = place.state === 'open'
  const { t } = useTranslation('console/payout-runs')
  const query = useRunsQuery({ page, open }, { refetchOnMountOrArgChange: true })
  const nameOf = useRunName()
  const columns: Column<PayoutRun>[] = [
    column(t('period'), (run) => {
      const { kind, period } = nameOf(run)
      const link = (
        <Link to={runLink(run.id)} className="row-link">
          <Name text={period} />
        </Link>
      )
      return <TwoLines first={link} second={kind} />
    }),
    column(t('stage'), (run) => <StageBadge run={run} />),
    figureColumn(t('items'), (run) => (isCounted(run) ? formats.count(run.items) : '–')),
    figureColumn(t('total'), (run) => (isCounted(run) ? <Total run={run} /> : '–')),
  ]
  useLive(watching || query.currentData?.results.some(isUnderWay) === true, query.refetch)
  return (
    <section className="card linked-rows">
      <FilteredTable
        filter={t('filter')}
        choices={[false, true]}
        current={open}
        textOf={(choice) => t(choice ? 'open' : 'all')}
        onShow={(onlyOpen, next) =>
          place.show('runs', {
            state: onlyOpen ? 'open' : null,
            page: next,
            month: place.month,
            day: place.day,
          })
        }
        list={quiet(query)}
        tools={
          <ExportButton path={`operator/runs/export/${open ? '?state=open' : ''}`} ability="runs.read" />
        }
        caption={t('title')}
        columns={columns}
        rowKey={(run) => run.id}
        note={(run) => noteOf(run, nameOf(run).period)}
        page={page}
        empty={<EmptyState text={t(open ? 'noneOpen' : 'empty')} />}
      />
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

/** The computed sum, what is paid of it where that is less, and what its pool lacks. */
function Total({ run }: { run: PayoutRun }) {
  const { t } = useTranslation('console/payout-runs')
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
