import type { BinaryPayment, BinaryPoints, DirectPayment, NotPaid, PassivePayment } from '@aval/contract'
import { useMediaQuery } from '@mantine/hooks'
import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type Column,
  column,
  figureColumn,
  type ListPlace,
  type ListState,
  PagedTable,
  TwoLines,
} from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import {
  IconBinaryTree,
  IconCircleCheck,
  IconCoins,
  type IconProps,
  IconReceipt,
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
import { POINTS_TONES, pointsState, REMEDIES, type Tab } from '../earnings.ts'
import { type BriefPayment, NotPaidBrief, PaymentBrief, PointsBrief } from './PaymentBrief.tsx'
import { IconBadge, Leg, type Paid, PaidAmount, POINTS_ICONS } from './PaymentParts.tsx'
import { Why, type WhyProps } from './Why.tsx'

export const why = (row: WhyProps['payment']) => <Why payment={row} />
export const brief = (row: BriefPayment) => <PaymentBrief row={row} />

export function DirectList(place: ListPlace) {
  const { t } = useTranslation('earnings')
  const list = useDirectPaymentsQuery(place.page)
  const cells = useCells()
  const columns: Column<DirectPayment>[] = [
    cells.date(),
    cells.user(),
    cells.money(t('column.investment'), (row) => row.investment_amount),
    figureColumn(t('column.level'), (row) => (
      <>
        {row.kind === 'master' ? <span className="badge master-badge">{t('master')}</span> : null}
        <span>{formats.count(row.level)}</span>
      </>
    )),
    cells.paid(),
  ]
  return (
    <PaymentTable
      {...place}
      tab="direct"
      list={list}
      columns={columns}
      brief={(row) => brief({ ...row, basis: row.investment_amount })}
      detail={why}
    />
  )
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
  return (
    <PaymentTable
      {...place}
      tab="passive"
      list={list}
      columns={columns}
      brief={(row) => brief({ ...row, kind: 'passive', basis: row.current_investment_amount })}
      detail={why}
    />
  )
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
    figureColumn(t('column.percentage'), (row) => formats.percent(row.percentage)),
    cells.paid(),
  ]
  return (
    <PaymentTable
      {...place}
      tab="binary"
      list={list}
      columns={columns}
      brief={(row) => brief({ ...row, kind: 'binary', basis: row.matched_points })}
      detail={why}
    />
  )
}

export function PointsList(place: ListPlace) {
  const { t } = useTranslation('earnings')
  const list = useBinaryPointsQuery(place.page)
  const cells = useCells()
  const columns: Column<BinaryPoints>[] = [
    cells.date(),
    cells.user(),
    column(t('column.leg'), (row) => <Leg leg={row.leg} />),
    cells.points(t('column.points'), (row) => row.points),
    cells.money(t('column.investment'), (row) => row.investment_amount),
    column(t('column.state'), (row) => {
      const state = pointsState(row.state)
      return (
        <IconBadge Icon={POINTS_ICONS[state]} tone={POINTS_TONES[state]} text={t(`points.state.${state}`)} />
      )
    }),
  ]
  return (
    <PaymentTable
      {...place}
      tab="points"
      list={list}
      columns={columns}
      brief={(row) => <PointsBrief row={row} />}
    />
  )
}

const LIST_ICONS: Record<Tab, ComponentType<IconProps>> = {
  direct: IconUserPlus,
  passive: IconCoins,
  all: IconReceipt,
  binary: IconBinaryTree,
  points: IconBinaryTree,
  'not-paid': IconCircleCheck,
}

interface PaymentTableProps<Row> extends ListPlace {
  tab: Tab
  list: ListState<Row>
  columns: Column<Row>[]
  /** The row in two lines, which it is on a phone. */
  brief: (row: Row) => ReactNode
  detail?: (row: Row) => ReactNode
  /** In the place of what is said where nothing was ever paid. */
  empty?: ReactNode
}

const PHONE = '(max-width: 575px)'

/** What the lists have in common: everything but their columns and what a row opens to. */
export function PaymentTable<Row extends { id: string | number }>(props: PaymentTableProps<Row>) {
  const { tab, columns, brief, empty, ...table } = props
  const { t } = useTranslation('earnings')
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false })
  return (
    <PagedTable
      {...table}
      columns={isPhone ? [column(t('brief.payment'), brief)] : columns}
      caption={t(`tab.${tab}`)}
      rowKey={(row) => row.id}
      empty={empty ?? <EmptyState icon={LIST_ICONS[tab]} text={t(`empty.${tab}`)} />}
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
    column(t('column.kind'), (row) => t(`kind.${row.kind}`, { defaultValue: row.kind })),
    column(t('column.reason'), (row) => (
      <span className="badge">{t(`reason.${row.reason}`, { defaultValue: row.reason })}</span>
    )),
    column(t('column.from'), (row) => <From row={row} />),
    figureColumn(t('column.amount'), (row) => <span className="muted">{formats.money(row.amount)}</span>),
  ]
  return (
    <>
      <p className="muted list-text">{t('notPaid.text')}</p>
      <PaymentTable
        {...place}
        tab="not-paid"
        list={list}
        columns={columns}
        brief={(row) => <NotPaidBrief row={row} />}
        detail={(row) => (
          <div className="panel stack-8 why">
            <p>{row.sentence}</p>
            <p className="muted small">{t(`remedy.${REMEDIES[row.reason] ?? 'company'}`)}</p>
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
  return <TwoLines first={<Name text={row.user_username} />} second={level} />
}

export function useCells() {
  const { t } = useTranslation('earnings')
  return {
    date: <Row extends { date: string }>() =>
      column<Row>(t('column.date'), (row) => (
        <>
          <span className="nowrap">{formats.date(row.date)}</span>{' '}
          <span className="nowrap muted">{formats.time(row.date)}</span>
        </>
      )),
    user: <Row extends { user_username: string; user_email: string }>() =>
      column<Row>(t('column.user'), (row) => (
        <TwoLines first={<Name text={row.user_username} />} second={<Name text={row.user_email} />} />
      )),
    money: <Row,>(header: string, amountOf: (row: Row) => string) =>
      figureColumn<Row>(header, (row) => formats.money(amountOf(row))),
    points: <Row,>(header: string, pointsOf: (row: Row) => string) =>
      figureColumn<Row>(header, (row) => formats.points(pointsOf(row))),
    paid: <Row extends Paid>() => figureColumn<Row>(t('column.amount'), (row) => <PaidAmount {...row} />),
  }
}
