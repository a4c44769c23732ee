import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { type Column, column, DataTable, TwoLines } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { EmptyState, ErrorState } from '../../../ui/States.tsx'
import { ExportButton } from '../../shared/export/ExportButton.tsx'
import { type AuditEntry, useAuditTrailInfiniteQuery } from '../api.ts'
import { searchOf, useFilters } from '../filters.ts'
import { sentenceOf } from '../sentence.ts'
import { EntryDetail } from './EntryDetail.tsx'
import { FilterForm } from './FilterForm.tsx'
import { VerifyCard } from './VerifyCard.tsx'
import './audit.css'

/** Who did what, newest first; and whether all of it is as it was recorded. */
export function AuditPage() {
  const { t } = useTranslation('console/audit')
  const [filters, setFilters] = useFilters()
  const search = searchOf(filters)
  return (
    <>
      <VerifyCard />
      <section className="card audit-list">
        <div className="audit-head stack-14">
          <FilterForm
            key={search}
            filters={filters}
            onFilter={(next) => void setFilters(next)}
            tools={<ExportButton path={`operator/audit/export/?${search}`} ability="audit.read" />}
          />
        </div>
        <Entries key={search} search={search} title={t('title')} />
      </section>
    </>
  )
}

function Entries({ search, title }: { search: string; title: string }) {
  const { t } = useTranslation('console/audit')
  const query = useAuditTrailInfiniteQuery(search)
  const columns = useColumns()
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = query
  if (data === undefined && error !== undefined)
    return <ErrorState failure={error as Failure} retrying={isFetching} onRetry={refetch} />
  const rows = data?.pages.flatMap(({ results }) => results)
  if (rows?.length === 0) return <EmptyState text={t(search === '' ? 'empty' : 'none')} />
  return (
    <>
      <DataTable
        caption={title}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.id}
        detail={(row) => <EntryDetail entry={row} />}
      />
      {error !== undefined && data !== undefined ? (
        <ErrorState failure={error as Failure} retrying={isFetching} onRetry={() => void fetchNextPage()} />
      ) : hasNextPage ? (
        <div className="audit-more">
          <LoadMore busy={isFetchingNextPage} onLoad={() => void fetchNextPage()} />
        </div>
      ) : null}
    </>
  )
}

function useColumns(): Column<AuditEntry>[] {
  const { t } = useTranslation('console/audit')
  return [
    column(t('what'), (row) => <TwoLines first={sentenceOf(t, row)} second={row.refusal ?? reasonOf(row)} />),
    column(t('outcome'), (row) => (
      <span className={row.outcome === 'done' ? 'muted' : 'badge badge-bad'}>
        {t(`outcomes.${row.outcome}`)}
      </span>
    )),
    column(t('when'), (row) => formats.dateTime(row.at)),
  ]
}

/** Why it was done, where somebody said so. */
function reasonOf({ details }: AuditEntry): string {
  const said = details['reason'] ?? details['note'] ?? details['how']
  return typeof said === 'string' ? said : ''
}
