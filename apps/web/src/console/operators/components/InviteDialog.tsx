import type { OperatorRole } from '@aval/contract'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { Field } from '../../../ui/Field.tsx'
import { formats } from '../../../ui/format.ts'
import { Name } from '../../../ui/Name.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { ReasonDialog } from '../../shared/DecisionForm.tsx'
import { type OperatorCandidate, useInviteOperatorMutation, useLazyOperatorCandidateQuery } from '../api.ts'
import { RoleChoice } from './RoleChoice.tsx'

const LONGEST = 200

/** Whom to invite, then as what: nothing is sent before it is clear who is meant. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [found, setFound] = useState<OperatorCandidate | null>(null)
  return found === null ? (
    <WhoDialog onFound={setFound} onClose={onClose} />
  ) : (
    <AsWhatDialog candidate={found} onClose={onClose} />
  )
}

function WhoDialog({
  onFound,
  onClose,
}: {
  onFound: (candidate: OperatorCandidate) => void
  onClose: () => void
}) {
  const { t } = useTranslation('console/operators')
  const sayFailure = useFailureText()
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const [find, { isFetching }] = useLazyOperatorCandidateQuery()
  const search = async (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return setError(t('invite.whoMissing'))
    const { data, error: failure } = await find(name.trim())
    if (data === undefined) return setError(sayFailure(failure as Failure))
    if (data.against !== null)
      return setError(t(`invite.against.${data.against}`, { username: data.username }))
    onFound(data)
  }
  return (
    <Dialog title={t('invite.title')} width={520} onClose={onClose}>
      <form className="stack-14" noValidate onSubmit={(event) => void search(event)}>
        <p className="muted">{t('invite.text')}</p>
        <Field
          label={t('invite.who')}
          hint={t('invite.whoHint')}
          value={name}
          error={error}
          maxLength={254}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
          onChange={(event) => {
            setName(event.currentTarget.value)
            setError(undefined)
          }}
        />
        <div className="dialog-actions row-8 row-end">
          <Button onClick={onClose}>{t('back')}</Button>
          <Button type="submit" kind="primary" busy={isFetching}>
            {t('invite.find')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function AsWhatDialog({ candidate, onClose }: { candidate: OperatorCandidate; onClose: () => void }) {
  const { t } = useTranslation(['console/operators', 'console/shared'])
  const [role, setRole] = useState<OperatorRole>('support')
  const [send] = useInviteOperatorMutation()
  const { id: member, username } = candidate
  return (
    <ReasonDialog
      title={t('invite.title')}
      width={560}
      send={send}
      what={t('invite.confirm', { username, role: t(`console/shared:role.${role}`) })}
      bodyOf={(reason) => ({ member, role, reason })}
      reason={{
        label: t('reason'),
        hint: t('reasonHint'),
        longest: LONGEST,
        missing: t('reasonMissing'),
      }}
      submit={t('invite.submit')}
      onDecided={onClose}
      onClose={onClose}
    >
      <dl className="panel facts stack-8">
        <Fact name={t('invite.member')}>
          <Name text={username} />
        </Fact>
        <Fact name={t('invite.name')}>{candidate.name === '' ? '–' : <Name text={candidate.name} />}</Fact>
        <Fact name={t('invite.email')}>
          <Name text={candidate.email} />
        </Fact>
        <Fact name={t('invite.joined')}>{formats.date(candidate.joined_at)}</Fact>
      </dl>
      {candidate.two_factor ? null : <Notice kind="wait">{t('invite.noTwoFactor')}</Notice>}
      <RoleChoice value={role} before={null} onChoose={setRole} />
      <p className="muted small">{t('invite.what')}</p>
    </ReasonDialog>
  )
}
