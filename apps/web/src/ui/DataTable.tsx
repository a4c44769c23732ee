// biome-ignore-all lint/a11y/noRedundantRoles: a table whose rows are laid out as blocks loses its roles in some browsers
import type { Page } from '@aval/contract'
import { Fragment, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../api/failure.ts'
import { Button } from './Button.tsx'
import { IconChevronDown } from './icons.ts'
import { Pagination } from './Pagination.tsx'
import { EmptyState, ErrorState, type QueryState, Skeleton, SlowNote } from './States.tsx'
import './table.css'

export interface Column<Row> {
  /** No two of a table are the same. */
  header: string
  cell: (row: Row) => ReactNode
  /** Figures are aligned at the right. */
  figure?: boolean
}

interface DataTableProps<Row> {
  caption: string
  columns: Column<Row>[]
  /** Undefined while the first page is on its way. */
  rows: Row[] | undefined
  rowKey: (row: Row) => string | number
  /** What a row opens to. */
  detail?: ((row: Row) => ReactNode) | undefined
  /** A note under a row, over its whole width; null for none. */
  note?: (row: Row) => ReactNode
  refreshing?: boolean
  /** The row that a link led to: opened, marked, and brought into view. */
  led?: string | number | undefined
}

export function column<Row>(header: string, cell: Column<Row>['cell']): Column<Row> {
  return { header, cell }
}

export function figureColumn<Row>(header: string, cell: Column<Row>['cell']): Column<Row> {
  return { header, cell, figure: true }
}

/** A cell of two lines, the second quieter. */
export function TwoLines({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <span className="two-lines">
      <span>{first}</span>
      <span className="muted small">{second}</span>
    </span>
  )
}

const SKELETON_ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** A table that becomes a list of cards on a phone. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, detail, note, refreshing, led } = props
  const { t } = useTranslation('ui')
  return (
    <div className="table-box" aria-busy={rows === undefined || refreshing === true}>
      <table className="table" role="table">
        <caption className="visually-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.header}
                role="columnheader"
                scope="col"
                className="muted small"
                data-figure-column={column.figure}
              >
                {column.header}
              </th>
            ))}
            {detail === undefined ? null : (
              <th role="columnheader" scope="col" className="table-toggle">
                <span className="visually-hidden">{t('details')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup" data-refreshing={refreshing}>
          {rows === undefined
            ? SKELETON_ROWS.map((key) => (
                <SkeletonRow key={key} columns={columns} toggle={detail !== undefined} />
              ))
            : rows.map((row) => (
                <TableRow
                  key={rowKey(row) === led ? 'led' : rowKey(row)}
                  row={row}
                  columns={columns}
                  note={note?.(row) ?? null}
                  detail={detail}
                  isLed={rowKey(row) === led}
                />
              ))}
        </tbody>
      </table>
    </div>
  )
}

function SkeletonRow<Row>({ columns, toggle }: { columns: Column<Row>[]; toggle: boolean }) {
  return (
    <tr role="row">
      {columns.map((column) => (
        <td key={column.header} data-label={column.header} data-figure-column={column.figure}>
          <Skeleton width={column.figure ? 74 : 120} height={14} />
        </td>
      ))}
      {toggle ? <td className="table-toggle" /> : null}
    </tr>
  )
}

const intoView = (line: Element | null) => line?.scrollIntoView({ block: 'center' })

interface TableRowProps<Row> extends Pick<DataTableProps<Row>, 'columns' | 'detail'> {
  row: Row
  note: ReactNode
  isLed: boolean
}

function TableRow<Row>({ row, columns, note, detail, isLed }: TableRowProps<Row>) {
  const { t } = useTranslation('ui')
  const [open, setOpen] = useState(isLed)
  const toggle = () => setOpen(!open)
  return (
    <Fragment>
      {/* The pointer may press anywhere on the row; the keyboard has the button in it. */}
      <tr
        ref={isLed ? intoView : undefined}
        role="row"
        data-led={isLed || undefined}
        data-open={detail === undefined ? undefined : open}
        data-noted={note === null ? undefined : true}
        onClick={detail === undefined ? undefined : toggle}
      >
        {columns.map((column) => (
          <td key={column.header} role="cell" data-label={column.header} data-figure-column={column.figure}>
            <div className="table-value" translate={column.figure ? 'no' : undefined}>
              {column.cell(row)}
            </div>
          </td>
        ))}
        {detail === undefined ? null : (
          <td role="cell" className="table-toggle">
            <button
              type="button"
              className="icon-button"
              aria-expanded={open}
              aria-label={t('details')}
              onClick={(event) => {
                event.stopPropagation()
                toggle()
              }}
            >
              <IconChevronDown size={18} stroke={1.6} />
            </button>
          </td>
        )}
      </tr>
      {note === null ? null : (
        <tr role="row" className="table-detail">
          <td role="cell" colSpan={columns.length + (detail === undefined ? 0 : 1)}>
            {note}
          </td>
        </tr>
      )}
      {open && detail !== undefined ? (
        <tr role="row" className="table-detail">
          <td role="cell" colSpan={columns.length + 1}>
            {detail(row)}
          </td>
        </tr>
      ) : null}
    </Fragment>
  )
}

export interface ListState<Row> extends QueryState<Page<Row>> {
  /** Of the page that is asked for; `data` may still be the page before. */
  currentData?: Page<Row> | undefined
}

/** Which page of a list is shown, and how it changes. */
export interface ListPlace {
  page: number
  onPage: (page: number) => void
}

export interface PagedTableProps<Row> extends ListPlace, Omit<DataTableProps<Row>, 'rows' | 'refreshing'> {
  list: ListState<Row>
  /** Shown instead of a table without rows. */
  empty: ReactNode
}

/** A list in all its states: on its way, empty, failed, one page, many pages, and refreshing under what was shown. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { list, page, onPage, empty, ...table } = props
  const { t } = useTranslation('ui')
  const top = useRef<HTMLDivElement>(null)
  const failure = list.error as Failure | undefined
  // Asked again, what is there stays as it is, unless its last row has gone: only another page is something to wait for, or to miss.
  const isGone = failure?.status === 404
  const isAwaited = list.currentData === undefined || isGone
  if (failure !== undefined && isAwaited && !list.isFetching) {
    if (!isGone || page === 1) return <ErrorState failure={failure} onRetry={list.refetch} />
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
      <DataTable
        {...table}
        rows={data?.results}
        refreshing={data !== undefined && isAwaited && list.isFetching}
      />
      {data === undefined ? <SlowNote /> : null}
      {data === undefined ? null : (
        <Pagination of={table.caption} page={page} total={data.total_pages} onPage={turn} />
      )}
    </div>
  )
}
