import type { InvoiceStatus } from '@aval/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { formats } from '../../../ui/format.ts'
import { useEndInvoice } from './useEndInvoice.ts'

/** Cancels an invoice; asks first where something came for it. */
export function CancelInvoice({
  status,
  label,
  onCancelled,
}: {
  status: InvoiceStatus
  label: string
  onCancelled: () => void
}) {
  const { t } = useTranslation('investments')
  const [asking, setAsking] = useState(false)
  const { end, busy } = useEndInvoice(status.txn_id, () => {
    setAsking(false)
    onCancelled()
  })
  const cancel = () => void end('cancel')
  const isUntouched = Number(status.received) === 0 && status.state === 'waiting'
  return (
    <>
      <Button kind="quiet" busy={busy && !asking} onClick={isUntouched ? cancel : () => setAsking(true)}>
        {label}
      </Button>
      {asking ? (
        <ConfirmDialog
          title={t('cancel.title')}
          text={t('cancel.text', { amount: formats.exact(status.received) })}
          confirm={t('cancel.confirm')}
          cancel={t('cancel.keep')}
          busy={busy}
          onConfirm={cancel}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
