import type { InvoiceStatus } from '@aval/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { formats } from '../../../ui/format.ts'
import { useEndInvoice } from './useEndInvoice.ts'

/** Cancels an invoice; asks first where something came for it, or another amount is to take its place. */
export function CancelInvoice({
  status,
  label,
  asks = 'cancel',
  onCancelled,
}: {
  status: InvoiceStatus
  label: string
  asks?: 'cancel' | 'change'
  onCancelled: () => void
}) {
  const { t } = useTranslation('investments')
  const [asking, setAsking] = useState(false)
  const { end, busy } = useEndInvoice(status.txn_id, () => {
    setAsking(false)
    onCancelled()
  })
  const cancel = () => void end('cancel')
  const isUntouched = asks === 'cancel' && Number(status.received) === 0 && status.state === 'waiting'
  return (
    <>
      <Button kind="quiet" busy={busy && !asking} onClick={isUntouched ? cancel : () => setAsking(true)}>
        {label}
      </Button>
      {asking ? (
        <ConfirmDialog
          title={t(`${asks}.title`)}
          text={t(`${asks}.text`, {
            amount: formats.exact(asks === 'cancel' ? status.received : status.amount),
          })}
          confirm={t(`${asks}.confirm`)}
          cancel={t('cancel.keep')}
          busy={busy}
          onConfirm={cancel}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
