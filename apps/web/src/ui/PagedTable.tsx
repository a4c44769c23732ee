import type { Page } from '@aval/contract'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../api/failure.ts'
import { Button } from './Button.tsx'
import { type Column, DataTable } from './DataTable.tsx'
import { Pagination } from './Pagination.tsx'
import { EmptyState, ErrorState, SlowNote } from './States.tsx'

/** What a list query of the client answers, as far as showing it goes. */
export interface ListState<Row> {
  data?: Page<Row> | undefined
  error?: unknown
  isFetching: boolean
  refetch: () => unknown
}

/** Which page of a list is shown, and how it changes. */
export interface ListPlace {
  page: number
  onPage: (page: number) => void
}

interface PagedTableProps<Row> extends ListPlace {
  list: ListState<Row>
  caption: string
  columns: Column<Row>[]
  rowKey: (row: Row) => string | number
  detail?: (row: Row) => ReactNode
  note?: (row: Row) => ReactNode
  /** Shown instead of a table without rows. */
  empty: ReactNode
}

/** A list in all its states: on its way, empty, failed, one page, many pages, and refreshing under what was shown. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { list, page, onPage, empty, ...table } = props
  const { t } = useTranslation('ui')
  const top = useRef<HTMLDivElement>(null)
  const failure = list.error as Failure | undefined
  if (failure !== undefined && !list.isFetching) {
    const isPast = failure.status === 404 && page > 1
    if (!isPast) return <ErrorState failure={failure} onRetry={list.refetch} />
    const first = <Button onClick={() => onPage(1)}>{t('pagination.first')}</Button>
    return <EmptyState text={t('pagination.past')} action={first} />
  }
  const { data } = list
  if (data !== undefined && data.results.length === 0) return <>{empty}</>
  // The next page is read from its first row, not from where its buttons were pressed.
  const turn = (next: number) => {
    onPage(next)
    if ((top.current?.getBoundingClientRect().top ?? 0) < 0) top.current?.scrollIntoView()
  }
  return (
    <div ref={top} className="paged">
      <DataTable {...table} rows={data?.results} refreshing={data !== undefined && list.isFetching} />
      {data === undefined ? <SlowNote /> : null}
      {data === undefined ? null : <Pagination page={page} total={data.total_pages} onPage={turn} />}
    </div>
  )
}
