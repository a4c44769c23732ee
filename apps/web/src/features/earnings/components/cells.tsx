import type { PaymentState } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../../ui/DataTable.tsx'
import { Name } from '../../../ui/Name.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { PaidAmount } from './PaidAmount.tsx'

interface Dated {
  date: string
}

interface Referred {
  user_username: string
  user_email: string
}

interface Paid {
  amount: string
  state: PaymentState
  flushed?: string
}

/** Columns that several of the lists have. */
export function useCells() {
  const { t } = useTranslation('earnings')
  const formats = useFormats()
  return {
    date: <Row extends Dated>(): Column<Row> => ({
      key: 'date',
      header: t('column.date'),
      cell: (row) => (
        <span className="stamp">
          <span>{formats.date(row.date)}</span> <span className="muted">{formats.time(row.date)}</span>
        </span>
      ),
    }),
    user: <Row extends Referred>(): Column<Row> => ({
      key: 'user',
      header: t('column.user'),
      cell: (row) => (
        <span className="two-lines">
          <span>
            <Name text={row.user_username} />
          </span>
          <span>
            <Name text={row.user_email} />
          </span>
        </span>
      ),
    }),
    money: <Row,>(header: string, amountOf: (row: Row) => string): Column<Row> => ({
      key: header,
      header,
      figure: true,
      cell: (row) => formats.money(amountOf(row)),
    }),
    points: <Row,>(header: string, pointsOf: (row: Row) => string): Column<Row> => ({
      key: header,
      header,
      figure: true,
      cell: (row) => formats.points(pointsOf(row)),
    }),
    paid: <Row extends Paid>(): Column<Row> => ({
      key: 'amount',
      header: t('column.amount'),
      figure: true,
      cell: ({ amount, state, flushed }) => (
        <PaidAmount amount={amount} state={state} {...(flushed === undefined ? {} : { flushed })} />
      ),
    }),
  }
}
