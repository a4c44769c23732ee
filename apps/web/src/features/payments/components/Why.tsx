import { useTranslation } from 'react-i18next'
import { useFormats } from '../../../ui/useFormats.ts'
import type { DirectPayment } from '../api.ts'

interface WhyProps {
  why: DirectPayment['why']
  amount: string
  state: DirectPayment['state']
}

/** Why a payment is what it is: a sentence, and the figures it was computed from. */
export function Why({ why, amount, state }: WhyProps) {
  const { t } = useTranslation('payments')
  const formats = useFormats()
  return (
    <div className="why">
      <p>{why.sentence}</p>
      <dl>
        <div>
          <dt>{t('why.basis')}</dt>
          <dd>{formats.exact(why.basis)} USD</dd>
        </div>
        <div>
          <dt>{t('why.percentage')}</dt>
          <dd>{formats.percent(why.percentage)}</dd>
        </div>
        <div>
          <dt>{t('why.amount')}</dt>
          <dd>{formats.exact(amount)} USD</dd>
        </div>
        <div>
          <dt>{t('why.plan')}</dt>
          <dd>{t('why.version', { version: why.plan_version })}</dd>
        </div>
      </dl>
      <p className="why-arithmetic">{why.arithmetic}</p>
      {state === 'awaiting_funding' ? <p className="muted small">{t('why.awaiting')}</p> : null}
    </div>
  )
}
