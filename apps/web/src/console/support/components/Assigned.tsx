import type { SupportThread } from '@aval/contract'
import { useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { formats } from '../../../ui/format.ts'
import { useOperatorSelfQuery } from '../../shared/abilities.ts'
import { FailureNotice } from '../../shared/DecisionForm.tsx'
import { useElevated } from '../../shared/useElevated.ts'
import { useAssignThreadMutation, useSupportAssigneesQuery } from '../api.ts'

/** Who has the conversation; takes it, from whom it says, and hands it over. */
export function Assigned({ thread }: { thread: SupportThread }) {
  const { t } = useTranslation('console/support')
  const { data: self } = useOperatorSelfQuery()
  const [failure, setFailure] = useState<Failure | null>(null)
  const [assign, { isLoading }] = useAssignThreadMutation()
  const elevated = useElevated()
  const { assigned, member_id: member } = thread
  const has = assigned?.operator ?? null
  const own = self?.username ?? null
  const give = async (operator: string | null) => {
    const outcome = await elevated(() => assign({ member, operator, from: has }))
    setFailure((outcome.error as Failure | undefined) ?? null)
    if (outcome.data !== undefined) toast.success(outcome.data.message)
  }
  if (thread.state === 'closed') return null
  const canAct = self?.abilities.includes('support.answer') === true
  return (
    <div className="thread-assigned">
      <div className="row-8 row-apart">
        <p className="small" role="status">
          {assigned === null
            ? t('assign.nobody')
            : t(has === own ? 'assign.own' : 'assign.other', {
                operator: has,
                time: formats.shortStamp(assigned.since),
              })}
        </p>
        {canAct ? (
          <div className="row-8 row-end">
            <Button size="small" busy={isLoading} onClick={() => void give(has === own ? null : own)}>
              {has === own
                ? t('assign.letGo')
                : has === null
                  ? t('assign.take')
                  : t('assign.takeFrom', { operator: has })}
            </Button>
            <HandOver except={[has, own]} onGive={(operator) => void give(operator)} />
          </div>
        ) : null}
      </div>
      <FailureNotice failure={failure} />
    </div>
  )
}

interface HandOverProps {
  except: readonly (string | null)[]
  onGive: (operator: string) => void
}

function HandOver({ except, onGive }: HandOverProps) {
  const { t } = useTranslation('console/support')
  const { data } = useSupportAssigneesQuery()
  const others = data?.results.filter(({ operator }) => !except.includes(operator)) ?? []
  if (others.length === 0) return null
  return (
    <select
      className="thread-template small"
      aria-label={t('assign.to')}
      value=""
      onChange={(event) => onGive(event.target.value)}
    >
      <option value="" disabled>
        {t('assign.to')}
      </option>
      {others.map(({ operator, conversations }) => (
        <option key={operator} value={operator}>
          {t('assign.option', { operator, count: conversations })}
        </option>
      ))}
    </select>
  )
}
