import type { CurrentUser } from '@aval/contract'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { useCurrentUserQuery } from '../../../api/user.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { forgetInvoice, keepInvoice, keptInvoice, type OpenInvoice } from '../openInvoice.ts'
import { AmountStep } from './AmountStep.tsx'
import './invest.css'
import { PayStep } from './PayStep.tsx'

interface InvestDialogProps {
  /** Undefined while it is not known who invests. */
  user: CurrentUser | undefined
  onClose: () => void
}

export function InvestDialog({ user, onClose }: InvestDialogProps) {
  return user === undefined ? <Waiting onClose={onClose} /> : <Steps user={user} onClose={onClose} />
}

/** The member is on the way, or could not be had. */
function Waiting({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('investments')
  const { error, isFetching, refetch } = useCurrentUserQuery()
  return (
    <Dialog title={t('dialog.title')} width={460} onClose={onClose}>
      {error === undefined || isFetching ? (
        <Skeleton width="100%" height={260} />
      ) : (
        <ErrorState failure={error as Failure} onRetry={refetch} />
      )}
    </Dialog>
  )
}

/** Two steps: how much, then where to send it. An invoice left open is taken up again at the second. */
function Steps({ user, onClose }: { user: CurrentUser; onClose: () => void }) {
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
    <Dialog title={t('dialog.title')} width={invoice === null ? 460 : 680} onClose={onClose}>
      {invoice === null ? (
        <AmountStep user={user} onInvoice={open} onPaid={onClose} />
      ) : (
        <PayStep key={invoice.txnId} invoice={invoice} onStartOver={startOver} onVerified={onClose} />
      )}
    </Dialog>
  )
}
