import type { RunItems as ItemsPage, PayoutRun, RunItem, RunItemView } from '@aval/contract'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Failure } from '../../../api/failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { type Column, column, DataTable, figureColumn, TwoLines } from '../../../ui/DataTable.tsx'
import { Field } from '../../../ui/Field.tsx'
import { formats } from '../../../ui/format.ts'
import { Name } from '../../../ui/Name.tsx'
import { EmptyState, ErrorState } from '../../../ui/States.tsx'
import { ExportButton } from '../../shared/export/ExportButton.tsx'
import { MemberName } from '../../shared/MemberName.tsx'
import { runLink, usePlace } from '../../shared/place.ts'
import { quiet } from '../../shared/useLive.ts'
import { itemsPath, useRunItemsQuery } from '../api.ts'
import { differenceOf, viewOf, viewsOf } from '../runItems.ts'
import { ItemWhy } from './ItemWhy.tsx'

/** Every item that a sealed run pays, before it is released and after: in order, the largest, or beside the run before. */
export function RunItems({ run }: { run: PayoutRun }) {
  const { t } = useTranslation('console/payout-runs')
  const navigate = useNavigate()
  const place = usePlace()
  const view = viewOf(run, place.view)
  const { member } = place
  const query = useRunItemsQuery({ id: run.id, view, member, after: place.after ?? '' })
  const show = (next: { view?: RunItemView; member?: string; after?: string | null }) =>
    void navigate(runLink(run.id, { view, member, ...next }), { preventScrollReset: true })
  return (
    <section className="card" aria-labelledby="run-items">
      <div className="table-title row-8 row-apart">
        <h2 id="run-items">{t('read.title')}</h2>
        <ExportButton path={itemsPath({ id: run.id, view, member }, 'export/')} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would look like a form */}
      <div className="chips row-8" role="group" aria-label={t('read.views')}>
        {viewsOf(run).map((each) => (
          <button
            key={each}
            type="button"
            className="chip small"
            aria-pressed={each === view}
            onClick={() => show({ view: each, member: '', after: null })}
          >
            {t(`read.view.${each}`)}
          </button>
        ))}
      </div>
      {view === 'items' || view === 'missed' ? (
        <MemberSearch
          key={member}
          member={member}
          onSearch={(typed) => show({ member: typed, after: null })}
        />
      ) : (
        <p className="run-note muted small">{t(`read.note.${view}`)}</p>
      )}
      <ItemsTable
        run={run}
        view={view}
        // Rows of another view under these columns would be read as something else.
        query={{ ...quiet(query), data: query.currentData }}
        isSearch={member !== ''}
        isFirst={place.after === null}
        onAfter={(after) => show({ after })}
      />
    </section>
  )
}

function MemberSearch({ member, onSearch }: { member: string; onSearch: (typed: string) => void }) {
  const { t } = useTranslation('console/payout-runs')
  const form = useForm({ defaultValues: { member } })
  return (
    <search className="run-search">
      <form
        className="search-form"
        noValidate
        onSubmit={form.handleSubmit((values) => onSearch(values.member.trim()))}
      >
        <Field
          label={t('read.search')}
          type="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          {...form.register('member')}
        />
        <Button type="submit">{t('read.find')}</Button>
      </form>
    </search>
  )
}

interface ItemsTableProps {
  run: PayoutRun
  view: RunItemView
  query: ReturnType<typeof quiet<ItemsPage>>
  isSearch: boolean
  isFirst: boolean
  onAfter: (after: string | null) => void
}

function ItemsTable({ run, view, query, isSearch, isFirst, onAfter }: ItemsTableProps) {
  const { t } = useTranslation('console/payout-runs')
  const columns = useColumns(run, view)
  const { data } = query
  if (query.error !== undefined)
    return <ErrorState failure={query.error as Failure} onRetry={query.refetch} retrying={query.isFetching} />
  if (data !== undefined && !data.ready) return <EmptyState text={t('read.soon')} />
  if (data !== undefined && data.results.length === 0)
    return <EmptyState text={t(isSearch ? 'read.none' : `read.empty.${view}`)} />
  const isPaid = view !== 'gone' && view !== 'missed'
  return (
    <>
      <DataTable
        caption={t(`read.view.${view}`)}
        columns={columns}
        rows={data?.results}
        rowKey={(row) => `${row.member_id}-${row.leg}`}
        refreshing={query.isFetching && data !== undefined}
        {...(isPaid ? { detail: (row: RunItem) => <ItemWhy item={row} /> } : {})}
      />
      {isFirst && data?.next == null ? null : (
        <nav className="run-pages row-8 row-end" aria-label={t('read.pages')}>
          <Button size="small" disabled={isFirst} onClick={() => onAfter(null)}>
            {t('read.first')}
          </Button>
          <Button size="small" disabled={data?.next == null} onClick={() => onAfter(data?.next ?? null)}>
            {t('read.next')}
          </Button>
        </nav>
      )}
    </>
  )
}

function useColumns(run: PayoutRun, view: RunItemView): Column<RunItem>[] {
  const { t } = useTranslation('console/payout-runs')
  const isMissing = view === 'gone' || view === 'missed'
  const member = column<RunItem>(t('read.member'), (row) => (
    <TwoLines
      first={<MemberName id={row.member_id} username={row.username} />}
      second={<Whence row={row} />}
    />
  ))
  const amount = figureColumn<RunItem>(t(view === 'gone' ? 'read.before' : 'read.amount'), (row) => (
    <TwoLines first={<strong>{formats.exact(row.amount)}</strong>} second={<Share row={row} run={run} />} />
  ))
  if (isMissing)
    return [
      member,
      column(t('read.reason'), (row) => (row.reason === null ? '–' : t(`read.why.${row.reason}`))),
      amount,
    ]
  const basis = figureColumn<RunItem>(t(run.kind === 'binary' ? 'read.matched' : 'read.basis'), (row) => (
    <TwoLines
      first={row.basis === null ? '–' : formats.exact(row.basis)}
      second={row.percentage === null ? '' : formats.exactPercent(row.percentage)}
    />
  ))
  const before = figureColumn<RunItem>(t('read.before'), (row) => (
    <TwoLines
      first={row.before === null ? t('read.new') : formats.exact(row.before)}
      second={row.before === null ? '' : differenceOf(row.amount, row.before, formats)}
    />
  ))
  return run.kind === 'direct' ? [member, basis, amount] : [member, basis, before, amount]
}

/** Of what an item comes: a level and who invested, or the points of both legs. */
function Whence({ row }: { row: RunItem }) {
  const { t } = useTranslation('console/payout-runs')
  if (row.level !== null)
    return (
      <>
        <span>{t(row.kind === 'master' ? 'read.masterLevel' : 'read.level', { level: row.level })}</span>
        {row.from_username === null ? null : (
          <>
            <span>{' · '}</span>
            <Name text={row.from_username} />
          </>
        )}
      </>
    )
  if (row.left_points === null || row.right_points === null) return null
  const legs = { left: formats.points(row.left_points), right: formats.points(row.right_points) }
  return <span>{t('read.legs', legs)}</span>
}

/** What of it is paid, or would be with what the pool has now. */
function Share({ row, run }: { row: RunItem; run: PayoutRun }) {
  const { t } = useTranslation('console/payout-runs')
  if (row.share === null) return null
  const amount = formats.exact(row.share)
  return <span>{t(run.state === 'held' ? 'read.wouldPay' : 'read.pays', { amount })}</span>
}
