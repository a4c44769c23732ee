import type { PaymentState } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isSome } from '../../../ui/amount.ts'
import { IconArrowDownLeft, IconClock, IconEye } from '../../../ui/icons.ts'
import { useFormats } from '../../../ui/useFormats.ts'
import { WAITING_TONES, waitingState } from '../words.ts'

interface PaidAmountProps {
  amount: string
  state: PaymentState
  /** What was above the day's cap. */
  flushed?: string
}

/** An amount that has arrived carries a plus; one that waits carries a mark and its word, not only a colour. */
export function PaidAmount({ amount, state, flushed = '0.00' }: PaidAmountProps) {
  const { t } = useTranslation('earnings')
  const formats = useFormats()
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
