import type { PlanVersion } from '@aval/contract'
import { useRef } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { AttemptKey } from '../../../api/idempotency.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { useConfirm } from '../../shared/codes.ts'
import { useCreatePlanMutation } from '../api.ts'
import { planDiff } from '../planDiff.ts'
import { PlanDiff } from './PlanDiff.tsx'

export interface Proposal {
  startsOn: string
  document: Record<string, unknown>
}

interface ReviewDialogProps {
  current: PlanVersion
  proposal: Proposal
  onRefused: (failure: Failure) => void
  onClose: () => void
  onCreated: () => void
}

/** What a new version changes, before it is made. A refusal belongs to the form. */
export function ReviewDialog({ current, proposal, onRefused, onClose, onCreated }: ReviewDialogProps) {
  const { t } = useTranslation('console/plan')
  const formats = useFormats()
  const [send, { isLoading }] = useCreatePlanMutation()
  const confirm = useConfirm()
  const attempt = useRef(new AttemptKey())
  const changes = planDiff(current.document, proposal.document)
  const isSame = changes.length === 0

  const close = () => {
    if (!isLoading) onClose()
  }
  const create = async () => {
    const answer = await confirm({
      what: t('confirm', { day: formats.day(proposal.startsOn) }),
      send: (otp) => send({ ...proposal, otp, idempotencyKey: attempt.current.for(proposal) }),
    })
    if (answer === null) return
    const refused = answer.error as Failure | undefined
    attempt.current.settle(refused ?? null)
    if (refused !== undefined) return onRefused(refused)
    if (answer.data !== undefined) toast.success(answer.data.message)
    onCreated()
  }
  return (
    <Dialog
      title={t('edit.reviewTitle', { day: formats.day(proposal.startsOn) })}
      width={640}
      onClose={close}
    >
      <div className="decision">
        {isSame ? (
          <p>{t('edit.reviewNone', { version: current.version })}</p>
        ) : (
          <>
            <p className="muted">{t('edit.reviewText')}</p>
            <PlanDiff changes={changes} />
          </>
        )}
        <div className="dialog-actions">
          <Button onClick={close} disabled={isLoading}>
            {t('edit.back')}
          </Button>
          {isSame ? null : (
            <Button kind="primary" busy={isLoading} onClick={create}>
              {t('edit.confirm')}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}
