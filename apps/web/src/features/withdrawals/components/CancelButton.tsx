import type { Withdrawal } from '@aval/contract'
import { useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { useFormats } from '../../../ui/useFormats.ts'
import { useCancelWithdrawalMutation } from '../api.ts'

/** Takes a request back while nobody has approved it. */
export function CancelButton({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  const formats = useFormats()
  const sayFailure = useFailureText()
  const [asking, setAsking] = useState(false)
  const [cancel, { isLoading }] = useCancelWithdrawalMutation()
  if (!withdrawal.can_cancel) return null

  const confirm = async () => {
    const answer = await cancel(withdrawal.id)
    setAsking(false)
    if (answer.error === undefined) toast.success(t('cancel.done'))
    else toast.error(sayFailure(answer.error as Failure))
  }
  return (
    <div>
      <Button size="small" onClick={() => setAsking(true)}>
        {t('cancel.button')}
      </Button>
      {asking ? (
        <Dialog title={t('cancel.title')} onClose={() => setAsking(false)} width={420}>
          <p>{t('cancel.text', { amount: formats.money(withdrawal.amount) })}</p>
          <div className="withdrawal-choice">
            <Button onClick={() => setAsking(false)}>{t('cancel.keep')}</Button>
            <Button kind="danger" busy={isLoading} onClick={confirm}>
              {t('cancel.button')}
            </Button>
          </div>
        </Dialog>
      ) : null}
    </div>
  )
}
