import type { CurrentUser } from '@aval/contract'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/Dialog.tsx'
import { forgetInvoice, keepInvoice, keptInvoice, type OpenInvoice } from '../openInvoice.ts'
import { AmountStep } from './AmountStep.tsx'
import './invest.css'
import { PayStep } from './PayStep.tsx'

/** Two steps: how much, then where to send it. An invoice left open is taken up again at the second. */
export function InvestDialog({ user, onClose }: { user: CurrentUser; onClose: () => void }) {
  const { t } = useTranslation('investments')
  const [invoice, setInvoice] = useState<OpenInvoice | null>(() => keptInvoice(user.id, Date.now()))
  const open = (next: OpenInvoice) => {
    keepInvoice(next)
    setInvoice(next)
  }
  const startOver = useCallback(() => {
    forgetInvoice()
    setInvoice(null)
  }, [])
  return (
    <Dialog title={t('dialog.title')} width={invoice === null ? 460 : 640} onClose={onClose}>
      {invoice === null ? (
        <AmountStep user={user} onInvoice={open} onPaid={onClose} />
      ) : (
        <PayStep key={invoice.txnId} invoice={invoice} onStartOver={startOver} onVerified={onClose} />
      )}
    </Dialog>
  )
}
