import type { OperatorRole } from '@aval/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReasonDialog } from '../../shared/DecisionForm.tsx'
import { type OperatorAccount, useChangeOperatorRoleMutation } from '../api.ts'
import { RoleChoice } from './RoleChoice.tsx'

const LONGEST = 200

/** Another role for an operator, with what it brings and takes. */
export function RoleDialog({ operator, onClose }: { operator: OperatorAccount; onClose: () => void }) {
  const { t } = useTranslation(['console/operators', 'console/shared'])
  const { id: member, username, role: from } = operator
  const [role, setRole] = useState<OperatorRole>(from)
  const [send] = useChangeOperatorRoleMutation()
  const named = t(`console/shared:role.${role}`)
  return (
    <ReasonDialog
      title={t('changeRole.title', { username })}
      width={560}
      send={send}
      what={t('changeRole.confirm', { username, role: named })}
      bodyOf={(reason) => ({ member, from, role, reason })}
      reason={{
        label: t('reason'),
        hint: t('reasonHint'),
        longest: LONGEST,
        missing: t('reasonMissing'),
      }}
      submit={t('changeRole.submit')}
      impossible={role === from}
      onDecided={onClose}
      onClose={onClose}
    >
      <RoleChoice value={role} before={from} onChoose={setRole} />
      <p className="muted small">{t('mailed')}</p>
    </ReasonDialog>
  )
}
