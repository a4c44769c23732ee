import type { Withdrawal } from '@aval/contract'
import { useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useFailureToast } from '../../../ui/useFailureToast.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { useSingleFlight } from '../../../ui/useSingleFlight.ts'
import { useCancelWithdrawalMutation } from '../api.ts'

/** Takes a request back while it has not been approved. */
export function CancelButton({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  const formats = useFormats()
  const sayFailed = useFailureToast()
  const [asking, setAsking] = useState(false)
  const [cancel, { isLoading }] = useCancelWithdrawalMutation()
  const confirm = useSingleFlight(async () => {
    const answer = await cancel(withdrawal.id)
    setAsking(false)
    if (answer.error === undefined) toast.success(t('cancel.done'))
    else sayFailed(answer.error as Failure)
  })
  const close = () => {
    if (!isLoading) setAsking(false)
  }
  if (!withdrawal.can_cancel) return null
  return (
    <div>
      <Button size="small" onClick={() => setAsking(true)}>
        {t('cancel.button')}
      </Button>
      {asking ? (
        <Dialog title={t('cancel.title')} onClose={close} width={420}>
          <p>{t('cancel.text', { amount: formats.money(withdrawal.amount) })}</p>
          <div className="withdrawal-choice">
            <Button onClick={close} disabled={isLoading}>
              {t('cancel.keep')}
            </Button>
            <Button kind="danger" busy={isLoading} onClick={() => void confirm()}>
              {t('cancel.button')}
            </Button>
          </div>
        </Dialog>
      ) : null}
    </div>
  )
}
