import type { BinaryPayment, BinaryPoints, DirectPayment, PassivePayment } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../../ui/DataTable.tsx'
import { IconArrowBackUp, IconCheck, IconClock } from '../../../ui/icons.ts'
import type { ListPlace } from '../../../ui/PagedTable.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import {
  useBinaryPaymentsQuery,
  useBinaryPointsQuery,
  useDirectPaymentsQuery,
  usePassivePaymentsQuery,
} from '../api.ts'
import { POINTS_TONES } from '../words.ts'
import { useCells } from './cells.tsx'
import { Leg } from './Leg.tsx'
import { PaymentTable } from './PaymentTable.tsx'
import { Why } from './Why.tsx'

export function DirectList(place: ListPlace) {
  const { t } = useTranslation('earnings')
  const formats = useFormats()
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
  const formats = useFormats()
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
