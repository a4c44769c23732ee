import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { type Column, column, DataTable, TwoLines } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { Name } from '../../../ui/Name.tsx'
import { useAbilities } from '../../shared/abilities.ts'
import { ReasonDialog } from '../../shared/DecisionForm.tsx'
import { type OperatorInvitation, useWithdrawInvitationMutation } from '../api.ts'

const LONGEST = 200

/** Invitations that wait for an answer; nothing where there is none. */
export function InvitationsCard({ invitations }: { invitations: OperatorInvitation[] }) {
  const { t } = useTranslation(['console/operators', 'console/shared'])
  const { may } = useAbilities()
  const [asked, setAsked] = useState<OperatorInvitation | null>(null)
  const [send] = useWithdrawInvitationMutation()
  const close = () => setAsked(null)
  if (invitations.length === 0) return null
  const columns: Column<OperatorInvitation>[] = [
    column(t('who'), (row) => (
      <TwoLines
        first={<Name text={row.member.username} />}
        second={t('invitations.by', { name: row.invited_by, at: formats.shortStamp(row.invited_at) })}
      />
    )),
    column(t('role'), (row) => t(`console/shared:role.${row.role}`)),
    column(t('invitations.state'), (row) =>
      row.accepted ? (
        <span className="badge badge-ok">{t('invitations.accepted')}</span>
      ) : (
        <TwoLines
          first={<span className="badge badge-wait">{t('invitations.waits')}</span>}
          second={t('invitations.until', { at: formats.shortStamp(row.expires_at) })}
        />
      ),
    ),
    column(t('invitations.act'), (row) =>
      may('operators.manage') && !row.accepted ? (
        <Button size="small" onClick={() => setAsked(row)}>
          {t('withdraw.button')}
        </Button>
      ) : null,
    ),
  ]
  return (
    <section className="card">
      <h2 className="table-title">{t('invitations.title')}</h2>
      <DataTable
        caption={t('invitations.title')}
        columns={columns}
        rows={invitations}
        rowKey={(row) => row.id}
      />
      {asked === null ? null : (
        <ReasonDialog
          title={t('withdraw.title', { username: asked.member.username })}
          width={480}
          send={send}
          what={t('withdraw.confirm', { username: asked.member.username })}
          bodyOf={(reason) => ({ id: asked.id, reason })}
          reason={{
            label: t('reason'),
            hint: t('reasonHint'),
            longest: LONGEST,
            missing: t('reasonMissing'),
          }}
          submit={t('withdraw.submit')}
          danger
          onDecided={close}
          onClose={close}
        >
          <p className="muted">{t('withdraw.text')}</p>
        </ReasonDialog>
      )}
    </section>
  )
}
