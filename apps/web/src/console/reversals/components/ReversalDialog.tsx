import type { Reversal } from '@aval/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { IconCheck } from '../../../ui/icons.ts'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { type OperatorInvestment, useReversalQuery } from '../api.ts'
import { ReversalForm } from './ReversalForm.tsx'
import { ReversalParts } from './ReversalParts.tsx'

interface ReversalDialogProps {
  investment: OperatorInvestment
  onClose: () => void
}

/** A reversal from its preview to its result. */
export function ReversalDialog({ investment, onClose }: ReversalDialogProps) {
  const { t } = useTranslation('console/reversals')
  const formats = useFormats()
  const [done, setDone] = useState<Reversal | null>(null)
  const [busy, setBusy] = useState(false)
  const close = () => {
    if (!busy) onClose()
  }
  const name = done === null ? 'reversal.title' : 'reversal.done'
  return (
    <Dialog title={t(name, { id: investment.id })} width={720} onClose={close}>
      <div className="decision">
        <p className="muted">
          {t('reversal.of', {
            amount: formats.money(investment.amount),
            member: investment.member,
            date: formats.dateTime(investment.date),
          })}
        </p>
        {done === null ? (
          <Preview investment={investment} onBusy={setBusy} onDone={setDone} onClose={close} />
        ) : (
          <Result reversal={done} onClose={onClose} />
        )}
      </div>
    </Dialog>
  )
}

interface PreviewProps {
  investment: OperatorInvestment
  onBusy: (busy: boolean) => void
  onDone: (reversal: Reversal) => void
  onClose: () => void
}

function Preview({ investment, ...callbacks }: PreviewProps) {
  const { data, error, isFetching, refetch } = useReversalQuery(investment.id)
  if (data !== undefined) {
    return (
      <>
        <p>{data.message}</p>
        <ReversalParts parts={data.parts} />
        <ReversalForm investment={investment} {...callbacks} />
      </>
    )
  }
  if (error !== undefined && !isFetching)
    return <ErrorState failure={error as Failure} onRetry={refetch} retrying={isFetching} />
  return (
    <div className="decision" aria-busy="true">
      <Skeleton width="80%" height={18} />
      <Skeleton width="100%" height={160} />
      <Skeleton width="100%" height={70} />
    </div>
  )
}

/** What was really taken back: balances may have changed since the preview. */
function Result({ reversal, onClose }: { reversal: Reversal; onClose: () => void }) {
  const { t } = useTranslation('console/reversals')
  return (
    <>
      <p className="notice notice-ok" role="status">
        <IconCheck size={18} stroke={1.8} aria-hidden="true" />
        <span>{reversal.message}</span>
      </p>
      <ReversalParts parts={reversal.parts} />
      <div className="dialog-actions">
        {/* The button that was pressed is gone. */}
        <Button kind="primary" autoFocus onClick={onClose}>
          {t('reversal.close')}
        </Button>
      </div>
    </>
  )
}
