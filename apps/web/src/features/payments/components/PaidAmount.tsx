import { useTranslation } from 'react-i18next'
import { IconClock } from '../../../ui/icons.ts'
import { useFormats } from '../../../ui/useFormats.ts'
import type { DirectPayment } from '../api.ts'

/** An amount that has arrived carries a plus; one that waits carries a clock and its word, not only a colour. */
export function PaidAmount({ amount, state }: { amount: string; state: DirectPayment['state'] }) {
  const { t } = useTranslation('payments')
  const formats = useFormats()
  if (state === 'paid') return <strong>{formats.signed(amount)}</strong>
  return (
    <span className="waiting-amount">
      <span className="muted">{formats.money(amount)}</span>
      <span className="badge badge-wait">
        <IconClock size={13} stroke={1.9} aria-hidden="true" />
        {t('awaiting')}
      </span>
    </span>
  )
}
