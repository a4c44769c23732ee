import type { PlanVersion } from '@aval/contract'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { useFormats } from '../../../ui/useFormats.ts'
import { useDecision } from '../../shared/confirm.ts'
import { DecisionDialog } from '../../shared/DecisionForm.tsx'
import { type PlanProposal, useCreatePlanMutation } from '../api.ts'
import { planDiff } from '../planDiff.ts'
import { PlanDiff } from './PlanDiff.tsx'

interface ReviewDialogProps {
  current: PlanVersion
  proposal: PlanProposal
  onRefused: (failure: Failure) => void
  onClose: () => void
  onCreated: () => void
}

/** What a new version changes, before it is made. A refusal belongs to the form. */
export function ReviewDialog({ current, proposal, onRefused, onClose, onCreated }: ReviewDialogProps) {
  const { t } = useTranslation('console/plan')
  const formats = useFormats()
  const [send] = useCreatePlanMutation()
  const decided = useDecision(send)
  const changes = planDiff(current.document, proposal.document)
  const isSame = changes.length === 0
  const day = formats.day(proposal.startsOn)

  const create = async () => {
    const answer = await decided.decide(proposal, { what: t('confirm', { day }) })
    if (answer === null) return
    if (answer.data === undefined) return onRefused(answer.error as Failure)
    toast.success(answer.data.message)
    onCreated()
  }
  return (
    <DecisionDialog
      title={t('edit.reviewTitle', { day })}
      width={640}
      decision={decided}
      submit={isSame ? null : t('edit.confirm')}
      back={t('edit.back')}
      onSubmit={() => void create()}
      onClose={onClose}
    >
      {isSame ? (
        <p>{t('edit.reviewNone', { version: current.version })}</p>
      ) : (
        <>
          <p className="muted">{t('edit.reviewText')}</p>
          <PlanDiff changes={changes} />
        </>
      )}
    </DecisionDialog>
  )
}
