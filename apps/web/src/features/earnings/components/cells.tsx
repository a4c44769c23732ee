import type { BinaryPoints, PaymentState } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isSome } from '../../../ui/amount.ts'
import type { Column } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import {
  IconArrowDownLeft,
  IconClock,
  IconCornerDownLeft,
  IconCornerDownRight,
  IconEye,
} from '../../../ui/icons.ts'
import { Name } from '../../../ui/Name.tsx'
import { WAITING_TONES, waitingState } from '../words.ts'

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

interface PaidAmountProps {
  amount: string
  state: PaymentState
  /** What was above the day's cap. */
  flushed?: string
}

/** An amount that has arrived carries a plus; one that waits carries a mark and its word, not only a colour. */
function PaidAmount({ amount, state, flushed = '0.00' }: PaidAmountProps) {
  const { t } = useTranslation('earnings')
  const isPaid = state === 'paid'
  return (
    <span className="paid-amount">
      {isPaid ? (
        <strong>{formats.signed(amount)}</strong>
      ) : (
        <span className="muted">{formats.money(amount)}</span>
      )}
      <StateBadge state={state} />
      {isSome(flushed) ? (
        <span className="muted small">{t('flushed', { amount: formats.money(flushed) })}</span>
      ) : null}
    </span>
  )
}

function StateBadge({ state }: { state: PaymentState }) {
  const { t } = useTranslation('earnings')
  const waiting = waitingState(state)
  if (waiting === null) return null
  const mark = { size: 13, stroke: 1.9, 'aria-hidden': true } as const
  const marks: Record<typeof waiting, ReactNode> = {
    posting: <IconArrowDownLeft {...mark} />,
    awaiting_funding: <IconClock {...mark} />,
    in_review: <IconEye {...mark} />,
  }
  return (
    <span className={`badge ${WAITING_TONES[waiting]}`}>
      {marks[waiting]}
      {t(`state.${waiting}`)}
    </span>
  )
}

/** A side of the binary tree: by its word, and by where its branch goes. */
export function Leg({ leg }: { leg: BinaryPoints['leg'] }) {
  const { t } = useTranslation('earnings')
  const Branch = leg === 'L' ? IconCornerDownLeft : IconCornerDownRight
  return (
    <span className="leg">
      <Branch size={16} stroke={1.7} aria-hidden="true" />
      {t(`leg.${leg}`)}
    </span>
  )
}
