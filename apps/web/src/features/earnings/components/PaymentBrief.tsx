import type { BinaryPoints, NotPaid, Payment, PaymentKind } from '@aval/contract'
import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formats } from '../../../ui/format.ts'
import type { IconProps } from '../../../ui/icons.ts'
import { Name } from '../../../ui/Name.tsx'
import { pointsState, waitingState } from '../earnings.ts'
import { type Paid, PaidFigure, POINTS_ICONS, WAITING_ICONS } from './PaymentParts.tsx'

interface BriefProps {
  what: ReactNode
  figure: ReactNode
  kind: string
  date: string
  /** What else there is to say, at the right of the second line. */
  mark: ReactNode
}

/** A row as phones have it: what and how much, and below it, quieter, of which kind, when, and where it stands. */
function Brief({ what, figure, kind, date, mark }: BriefProps) {
  return (
    <span className="brief">
      <span>
        <span className="brief-what">{what}</span>
        <span className="brief-end" translate="no">
          {figure}
        </span>
      </span>
      <span className="muted small">
        <span className="brief-what">
          <span>{`${kind} · `}</span>
          <time dateTime={date}>{formats.date(date)}</time>
        </span>
        <span className="brief-end">{mark}</span>
      </span>
    </span>
  )
}

function Mark({ Icon, text }: { Icon: ComponentType<IconProps>; text: string }) {
  return (
    <>
      <Icon size={14} stroke={1.8} aria-hidden="true" /> <span>{text}</span>
    </>
  )
}

/** Where a payment stands, unless it has arrived and stays: then how far away its person is. */
function useMark() {
  const { t } = useTranslation('earnings')
  return ({ state, status = 'paid', taken_back = '0.00' }: Paid, level: number | null): ReactNode => {
    const waiting = waitingState(state)
    if (waiting !== null) return <Mark Icon={WAITING_ICONS[waiting]} text={t(`state.${waiting}`)} />
    if (status === 'reversed') return <Mark Icon={POINTS_ICONS.reversed} text={t('reversed')} />
    if (status === 'partly_reversed')
      return (
        <Mark Icon={POINTS_ICONS.reversed} text={t('takenBack', { amount: formats.money(taken_back) })} />
      )
    return level === null ? null : t('level', { level: formats.count(level) })
  }
}

export type BriefPayment = Paid & {
  kind: PaymentKind
  date: string
  /** What its percentage was taken of. */
  basis: string
} & Partial<Pick<Payment, 'user_username' | 'level'>>

export function PaymentBrief({ row }: { row: BriefPayment }) {
  const { t } = useTranslation('earnings')
  const markOf = useMark()
  const { kind, date, basis, user_username: person = null, level = null } = row
  const what =
    kind === 'passive'
      ? t('brief.passive', { amount: formats.money(basis) })
      : kind === 'binary'
        ? t('brief.binary', { points: formats.points(basis) })
        : null
  return (
    <Brief
      what={what ?? <Name text={person ?? ''} />}
      figure={<PaidFigure {...row} />}
      kind={t(`kind.${kind}`)}
      date={date}
      mark={markOf(row, level)}
    />
  )
}

export function PointsBrief({ row }: { row: BinaryPoints }) {
  const { t } = useTranslation('earnings')
  const state = pointsState(row.state)
  return (
    <Brief
      what={<Name text={row.user_username} />}
      figure={<strong>{t('binary.points', { points: formats.points(row.points) })}</strong>}
      kind={t(`leg.${row.leg}`)}
      date={row.date}
      mark={<Mark Icon={POINTS_ICONS[state]} text={t(`points.state.${state}`)} />}
    />
  )
}

export function NotPaidBrief({ row }: { row: NotPaid }) {
  const { t } = useTranslation('earnings')
  const level = row.level === null ? null : t('level', { level: formats.count(row.level) })
  return (
    <Brief
      what={t(`reason.${row.reason}`, { defaultValue: row.reason })}
      figure={<span className="muted">{formats.money(row.amount)}</span>}
      kind={t(`kind.${row.kind}`, { defaultValue: row.kind })}
      date={row.date}
      mark={row.user_username === null ? level : <Name text={row.user_username} />}
    />
  )
}
