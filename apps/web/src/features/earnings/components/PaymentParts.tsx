import type { PaymentState, PaymentStatus } from '@aval/contract'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { isSome } from '../../../ui/amount.ts'
import { formats } from '../../../ui/format.ts'
import {
  IconArrowBackUp,
  IconArrowDownLeft,
  IconCheck,
  IconClock,
  IconCornerDownLeft,
  IconCornerDownRight,
  IconEye,
  type IconProps,
} from '../../../ui/icons.ts'
import { POINTS_TONES, WAITING_TONES, waitingState } from '../earnings.ts'

export const POINTS_ICONS = { open: IconClock, counted: IconCheck, reversed: IconArrowBackUp }
export const WAITING_ICONS = { posting: IconArrowDownLeft, awaiting_funding: IconClock, in_review: IconEye }

interface IconBadgeProps {
  Icon: ComponentType<IconProps>
  tone: string
  text: string
}

/** A state: by its icon and its word, not only by a colour. */
export function IconBadge({ Icon, tone, text }: IconBadgeProps) {
  return (
    <span className={`badge ${tone}`}>
      <Icon size={13} stroke={1.9} aria-hidden="true" />
      <span>{text}</span>
    </span>
  )
}

export interface Paid {
  amount: string
  state: PaymentState
  status?: PaymentStatus
  /** Of a payment that was reversed in part. */
  taken_back?: string
  /** What was above the day's cap. */
  flushed?: string
}

/** The figure alone: one that has arrived carries a plus. */
export function PaidFigure({ amount, state, status = 'paid' }: Paid) {
  if (waitingState(state) === null && status !== 'reversed' && status !== 'pending')
    return <strong>{formats.signed(amount)}</strong>
  return <span className="muted">{formats.money(amount)}</span>
}

/** An amount that has arrived carries a plus; one that waits or was taken back carries a mark and its word, not only a colour. */
export function PaidAmount({ amount, state, status = 'paid', taken_back = '0.00', flushed = '0.00' }: Paid) {
  const { t } = useTranslation('earnings')
  const waiting = waitingState(state)
  return (
    <span className="paid-amount">
      <PaidFigure amount={amount} state={state} status={status} />
      {waiting === null ? null : (
        <IconBadge Icon={WAITING_ICONS[waiting]} tone={WAITING_TONES[waiting]} text={t(`state.${waiting}`)} />
      )}
      {status === 'reversed' || status === 'partly_reversed' ? (
        <IconBadge
          Icon={POINTS_ICONS.reversed}
          tone={POINTS_TONES.reversed}
          text={status === 'reversed' ? t('reversed') : t('takenBack', { amount: formats.money(taken_back) })}
        />
      ) : null}
      {isSome(flushed) ? (
        <span className="muted small">{t('flushed', { amount: formats.money(flushed) })}</span>
      ) : null}
    </span>
  )
}

/** A side of the binary tree: by its word, and by where its branch goes. */
export function Leg({ leg }: { leg: 'L' | 'R' }) {
  const { t } = useTranslation('earnings')
  const Branch = leg === 'L' ? IconCornerDownLeft : IconCornerDownRight
  return (
    <span className="leg">
      <Branch size={16} stroke={1.7} aria-hidden="true" />
      <span>{t(`leg.${leg}`)}</span>
    </span>
  )
}
