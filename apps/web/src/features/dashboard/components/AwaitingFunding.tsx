import { useTranslation } from 'react-i18next'
import { IconClock } from '../../../ui/icons.ts'
import { useFormats } from '../../../ui/useFormats.ts'

/** Payments that were computed and wait until the company has filled their pool. */
export function AwaitingFunding({ amount }: { amount: number }) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  if (amount <= 0) return null
  return (
    <p className="notice notice-wait" role="status">
      <IconClock size={18} stroke={1.7} aria-hidden="true" />
      <span>{t('awaiting', { amount: formats.money(amount) })}</span>
    </p>
  )
}
