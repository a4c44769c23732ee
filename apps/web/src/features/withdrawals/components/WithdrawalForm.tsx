import type { Withdrawal } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { useWithdrawalForm } from '../useWithdrawalForm.ts'
import { AmountSection } from './AmountSection.tsx'
import { ConfirmSection } from './ConfirmSection.tsx'
import { EmailUnproven, KeyWaits, WithdrawalDelays } from './Delays.tsx'
import { ReviewSection } from './ReviewSection.tsx'

/** Three sections that open one after another; where a passkey moves the money, its own window is the third. */
export function WithdrawalForm({ onSent }: { onSent: (sent: Withdrawal) => void }) {
  const { t } = useTranslation('withdrawals')
  const whole = useWithdrawalForm(onSent)
  const { terms, submit, isPasskeyOnly } = whole
  return (
    <section className="card withdrawal-form" aria-label={t('form.label')}>
      <div className="stack-12 withdrawal-delays">
        {isPasskeyOnly ? <KeyWaits /> : null}
        {isPasskeyOnly ? <EmailUnproven /> : null}
        {terms.data === undefined ? null : <WithdrawalDelays terms={terms.data} />}
      </div>
      <form noValidate onSubmit={submit}>
        <AmountSection whole={whole} />
        <ReviewSection whole={whole} />
        {isPasskeyOnly ? null : <ConfirmSection whole={whole} />}
      </form>
    </section>
  )
}
