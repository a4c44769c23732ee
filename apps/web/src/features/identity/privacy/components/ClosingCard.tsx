import type { AccountClosing, CurrentUser } from '@aval/contract'
import { plainTyped } from '@aval/contract/typed'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { signOut } from '../../../../api/browserSession.ts'
import type { Failure } from '../../../../api/failure.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { IconX } from '../../../../ui/icons.ts'
import { ErrorState, Skeleton } from '../../../../ui/States.tsx'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { useRefusedField } from '../../codeFields.tsx'
import { FormDialog } from '../../FormDialog.tsx'
import { ProofFields } from '../../passkeys/components/ProofFields.tsx'
import { useProof } from '../../passkeys/useProof.ts'
import { SecurityCard } from '../../SecurityCard.tsx'
import { useAccountClosingQuery, useCloseAccountMutation } from '../api.ts'
import './privacy.css'

/** Closing the account, for good. */
export function ClosingCard({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('identity/privacy')
  const [asked, setAsked] = useState(false)
  const close = () => setAsked(false)
  return (
    <SecurityCard id="security-closing" icon={IconX} title={t('closing.title')}>
      <p className="muted security-form">{t('closing.text')}</p>
      <div className="row-12 privacy-actions">
        <Button onClick={() => setAsked(true)}>{t('closing.open')}</Button>
      </div>
      {asked ? <Closing user={user} onClose={close} /> : null}
    </SecurityCard>
  )
}

interface ClosingProps {
  user: CurrentUser
  onClose: () => void
}

/** What is left is looked up first: who cannot close the account reads why before typing anything. */
function Closing({ user, onClose }: ClosingProps) {
  const { t } = useTranslation('identity/privacy')
  const { data, error, refetch } = useAccountClosingQuery(undefined, { refetchOnMountOrArgChange: true })
  if (data !== undefined && data.refused === null && data.left.length === 0)
    return <Confirm user={user} closing={data} onClose={onClose} />
  return (
    <Dialog
      title={t(data === undefined ? 'closing.title' : 'closing.leftTitle')}
      width={480}
      onClose={onClose}
    >
      <div className="stack-16">
        {data === undefined && error === undefined ? <Skeleton width="100%" height={72} /> : null}
        {error === undefined ? null : (
          <ErrorState failure={error as Failure} onRetry={() => void refetch()} />
        )}
        {data === undefined ? null : <Reasons closing={data} />}
        <div className="row-16 row-end">
          <Button onClick={onClose}>{t('closing.understood')}</Button>
        </div>
      </div>
    </Dialog>
  )
}

function Reasons({ closing: { refused, left } }: { closing: AccountClosing }) {
  const { t } = useTranslation('identity/privacy')
  if (refused !== null) return <p className="muted">{t(`closing.refused.${refused}`)}</p>
  return (
    <div>
      <p className="muted">{t('closing.leftText')}</p>
      <ul className="privacy-left">
        {left.map(({ what, sentence }) => (
          <li key={what}>{sentence}</li>
        ))}
      </ul>
    </div>
  )
}

const same = (one: string, other: string) => plainTyped(one).toLowerCase() === other.toLowerCase()

function Confirm({ user, closing, onClose }: ClosingProps & { closing: AccountClosing }) {
  const { t } = useTranslation('identity/privacy')
  const sayFailure = useFailureText()
  const proof = useProof(user.two_factor)
  const [username, setUsername] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const { field, error, refuse, clear } = useRefusedField()
  const [send, { isLoading, isSuccess }] = useCloseAccountMutation()
  const submit = async () => {
    if (isLoading || isSuccess) return
    if (!same(username, user.username)) return refuse(t('closing.typeMissing', { username: user.username }))
    const typed = proof.read()
    if (typed === null) return
    setProblem(null)
    const answer = await send({ ...typed, username })
    if (answer.error === undefined) return signOut(`/auth/closed#${closing.years_kept}`)
    const failure = answer.error as Failure
    if (!proof.refused(failure)) setProblem(sayFailure(failure))
  }
  return (
    <FormDialog
      title={t('closing.title')}
      width={520}
      problem={{ kind: 'bad', text: problem }}
      action={t('closing.confirm')}
      danger
      busy={isLoading || isSuccess}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <ul className="privacy-left muted">
        <li>{t('closing.ends')}</li>
        <li>{t('closing.seen')}</li>
        <li>{t('closing.kept', { count: closing.years_kept })}</li>
        <li>{t('closing.again')}</li>
      </ul>
      <Field
        ref={field}
        data-autofocus
        label={t('closing.type', { username: user.username })}
        name="username"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={username}
        error={error}
        onChange={(event) => {
          setUsername(event.currentTarget.value)
          clear()
        }}
      />
      <ProofFields proof={proof} />
    </FormDialog>
  )
}
