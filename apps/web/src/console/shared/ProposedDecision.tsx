import type { OpenDecision } from '@aval/contract'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/Button.tsx'
import { formats } from '../../ui/format.ts'
import { ApprovalsLink } from './ApprovalsLink.tsx'
import { useAbilities } from './abilities.ts'
import { useWithdrawDecisionMutation } from './approvals.ts'
import { useDecision } from './confirm.ts'
import { FailureNotice } from './DecisionForm.tsx'

/** @param what happens once it is approved */
export function ProposedDecision({ decision, what }: { decision: OpenDecision; what: string }) {
  const { t } = useTranslation('console/shared')
  const [send] = useWithdrawDecisionMutation()
  const taking = useDecision(send)
  const { may } = useAbilities()
  const takeBack = async () => {
    const answer = await taking.decide({ id: decision.id }, { what: t('decision.confirm'), danger: true })
    if (answer?.data !== undefined) toast.success(answer.data.message)
  }
  const { proposed_by: name, proposed_at } = decision
  return (
    <div className="proposed stack-8">
      <p className="row-8">
        <span className="badge badge-wait">{t('decision.waits')}</span>
        <span>{t('decision.proposed', { what, name, at: formats.dateTime(proposed_at) })}</span>
      </p>
      <FailureNotice failure={taking.failure} />
      <div className="row-8">
        <ApprovalsLink className="button button-primary" />
        {may('decisions.withdraw') ? (
          <Button onClick={() => void takeBack()} busy={taking.busy}>
            {t('decision.takeBack')}
          </Button>
        ) : null}
      </div>
    </div>
  )
}
