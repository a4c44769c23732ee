import type { BinaryPayment, BinaryPoints, DirectPayment, NotPaid, PassivePayment } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Column, type ListPlace, type ListState, PagedTable } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import {
  IconArrowBackUp,
  IconBinaryTree,
  IconCheck,
  IconCircleCheck,
  IconClock,
  IconCoins,
  IconUserPlus,
} from '../../../ui/icons.ts'
import { Name } from '../../../ui/Name.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import {
  useBinaryPaymentsQuery,
  useBinaryPointsQuery,
  useDirectPaymentsQuery,
  useNotPaidQuery,
  usePassivePaymentsQuery,
} from '../api.ts'
import type { Tab } from '../tabs.ts'
import { POINTS_TONES, REMEDIES } from '../words.ts'
import { Leg, useCells } from './cells.tsx'
import { Why } from './Why.tsx'

export function DirectList(place: ListPlace) {
  const { t } = useTranslation('earnings')
  const list = useDirectPaymentsQuery(place.page)
  const cells = useCells()
  const columns: Column<DirectPayment>[] = [
    cells.date(),
    cells.user(),
    cells.money(t('column.investment'), (row) => row.investment_amount),
    {
      key: 'level',
      header: t('column.level'),
      figure: true,
      cell: (row) => (
        <>
          {row.kind === 'master' ? <span className="badge master-badge">{t('master')}</span> : null}
          {formats.count(row.level)}
        </>
      ),
    },
    cells.paid(),
  ]
  const detail = (row: DirectPayment) => <Why payment={row} />
  return <PaymentTable {...place} tab="direct" list={list} columns={columns} detail={detail} />
}

export function PassiveList(place: ListPlace) {
  const { t } = useTranslation('earnings')
  const list = usePassivePaymentsQuery(place.page)
  const cells = useCells()
  const columns: Column<PassivePayment>[] = [
    cells.date(),
    cells.money(t('column.investmentAmount'), (row) => row.current_investment_amount),
    cells.paid(),
  ]
  const detail = (row: PassivePayment) => <Why payment={row} />
  return <PaymentTable {...place} tab="passive" list={list} columns={columns} detail={detail} />
}

export function BinaryList(place: ListPlace) {
  const { t } = useTranslation('earnings')
  const list = useBinaryPaymentsQuery(place.page)
  const cells = useCells()
  const columns: Column<BinaryPayment>[] = [
    cells.date(),
    cells.points(t('column.left'), (row) => row.left_points),
    cells.points(t('column.right'), (row) => row.right_points),
    cells.points(t('column.matched'), (row) => row.matched_points),
    {
      key: 'percentage',
      header: t('column.percentage'),
      figure: true,
      cell: (row) => formats.percent(row.percentage),
    },
    cells.paid(),
  ]
  const detail = (row: BinaryPayment) => <Why payment={row} />
  return <PaymentTable {...place} tab="binary" list={list} columns={columns} detail={detail} />
}

export function PointsList(place: ListPlace) {
  const { t } = useTranslation('earnings')
  const list = useBinaryPointsQuery(place.page)
  const cells = useCells()
  const columns: Column<BinaryPoints>[] = [
    cells.date(),
    cells.user(),
    { key: 'leg', header: t('column.leg'), cell: (row) => <Leg leg={row.leg} /> },
    cells.points(t('column.points'), (row) => row.points),
    cells.money(t('column.investment'), (row) => row.investment_amount),
    { key: 'state', header: t('column.state'), cell: (row) => <PointsState state={row.state} /> },
  ]
  return <PaymentTable {...place} tab="points" list={list} columns={columns} />
}

function PointsState({ state }: { state: BinaryPoints['state'] }) {
  const { t } = useTranslation('earnings')
  const mark = { size: 13, stroke: 1.9, 'aria-hidden': true } as const
  const marks = {
    open: <IconClock {...mark} />,
    counted: <IconCheck {...mark} />,
    reversed: <IconArrowBackUp {...mark} />,
  }
  return (
    <span className={`badge ${POINTS_TONES[state]}`}>
      {marks[state]}
      {t(`points.state.${state}`)}
    </span>
  )
}

interface PaymentTableProps<Row> extends ListPlace {
  tab: Tab
  list: ListState<Row>
  columns: Column<Row>[]
  detail?: (row: Row) => ReactNode
}

/** What the five lists have in common: everything but their columns and what a row opens to. */
function PaymentTable<Row extends { id: string | number }>(props: PaymentTableProps<Row>) {
  const { tab, ...table } = props
  const { t } = useTranslation('earnings')
  const mark = { size: 26, stroke: 1.4, 'aria-hidden': true } as const
  const marks: Record<Tab, ReactNode> = {
    direct: <IconUserPlus {...mark} />,
    passive: <IconCoins {...mark} />,
    binary: <IconBinaryTree {...mark} />,
    points: <IconBinaryTree {...mark} />,
    'not-paid': <IconCircleCheck {...mark} />,
  }
  return (
    <PagedTable
      {...table}
      caption={t(`tab.${tab}`)}
      rowKey={(row) => row.id}
      empty={<EmptyState icon={marks[tab]} text={t(`empty.${tab}`)} />}
    />
  )
}

/** What was not paid, and why. Nothing of it is owed, so nothing of it looks like money on its way. */
export function NotPaidList(place: ListPlace) {
  const { t } = useTranslation('earnings')
  const list = useNotPaidQuery(place.page)
  const cells = useCells()
  const columns: Column<NotPaid>[] = [
    cells.date(),
    { key: 'kind', header: t('column.kind'), cell: (row) => t(`kind.${row.kind}`) },
    {
      key: 'reason',
      header: t('column.reason'),
      cell: (row) => <span className="badge">{t(`reason.${row.reason}`)}</span>,
    },
    { key: 'from', header: t('column.from'), cell: (row) => <From row={row} /> },
    {
      key: 'amount',
      header: t('column.amount'),
      figure: true,
      cell: (row) => <span className="muted">{formats.money(row.amount)}</span>,
    },
  ]
  return (
    <>
      <p className="list-text">{t('notPaid.text')}</p>
      <PaymentTable
        {...place}
        tab="not-paid"
        list={list}
        columns={columns}
        detail={(row) => (
          <div className="why">
            <p>{row.sentence}</p>
            <p className="muted small">{t(`remedy.${REMEDIES[row.reason]}`)}</p>
          </div>
        )}
      />
    </>
  )
}

function From({ row }: { row: NotPaid }) {
  const { t } = useTranslation('earnings')
  const level = row.level === null ? null : t('level', { level: formats.count(row.level) })
  if (row.user_username === null) return level ?? '–'
  return (
    <span className="two-lines">
      <span>
        <Name text={row.user_username} />
      </span>
      <span>{level}</span>
    </span>
  )
}
