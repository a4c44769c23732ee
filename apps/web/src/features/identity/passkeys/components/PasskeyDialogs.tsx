import { useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { useRefusedField } from '../../codeFields.tsx'
import { FormDialog } from '../../FormDialog.tsx'
import { type PasskeyItem, useRemovePasskeyMutation, useRenamePasskeyMutation } from '../api.ts'
import { useNewPasskey } from '../useNewPasskey.ts'
import { useProof } from '../useProof.ts'
import { ProofFields } from './ProofFields.tsx'

const LONGEST_NAME = 60

interface DialogProps {
  /** What the change does to money; empty for nothing. */
  cooling: string
  /** Whether two-factor is on. */
  withCode: boolean
  onClose: () => void
  /** It was done: the row may be gone. */
  onDone: () => void
}

export function AddPasskey({ cooling, withCode, onClose, onDone }: DialogProps) {
  const { t } = useTranslation('identity/security')
  const proof = useProof(withCode)
  const [name, setName] = useState('')
  const { busy, problem, submit } = useNewPasskey(proof, onDone)
  return (
    <FormDialog
      title={t('passkeys.add')}
      text={`${t('passkeys.addText')} ${cooling}`.trim()}
      problem={{ kind: 'wait', text: problem }}
      action={t('passkeys.make')}
      busy={busy}
      onSubmit={() => void submit(name.trim())}
      onClose={onClose}
    >
      <ProofFields proof={proof} />
      <Field
        label={t('passkeys.name')}
        name="name"
        autoComplete="off"
        optional
        maxLength={LONGEST_NAME}
        hint={t('passkeys.nameHint')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

interface OfOneProps {
  passkey: PasskeyItem
}

export function RenamePasskey({ passkey, onClose }: OfOneProps & Pick<DialogProps, 'onClose'>) {
  const { t } = useTranslation('identity/security')
  const sayFailure = useFailureText()
  const [name, setName] = useState(passkey.name)
  const [rename, { isLoading }] = useRenamePasskeyMutation()
  const { field, error, refuse, clear } = useRefusedField()
  const onSubmit = async () => {
    if (isLoading) return
    if (name.trim() === '') return refuse(t('passkeys.nameMissing'))
    const answer = await rename({ id: passkey.id, name: name.trim() })
    if (answer.error === undefined) {
      toast.success(answer.data.message)
      return onClose()
    }
    const failure = answer.error as Failure
    if (failure.status === 400) return refuse(sayFailure(failure))
    toast.error(sayFailure(failure))
  }
  return (
    <FormDialog
      title={t('passkeys.rename')}
      action={t('passkeys.save')}
      busy={isLoading}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <Field
        ref={field}
        data-autofocus
        label={t('passkeys.name')}
        name="name"
        autoComplete="off"
        maxLength={LONGEST_NAME}
        value={name}
        error={error}
        onChange={(event) => {
          setName(event.currentTarget.value)
          clear()
        }}
      />
    </FormDialog>
  )
}

/** What moves the money cannot be removed: it says what comes first. */
export function KeepPasskey({ passkey, onClose }: OfOneProps & Pick<DialogProps, 'onClose'>) {
  const { t } = useTranslation('identity/security')
  return (
    <Dialog title={t('passkeys.removeNamed', { name: passkey.name })} onClose={onClose} width={440}>
      <div className="stack-16">
        <p className="muted">{t('passkeys.keep')}</p>
        <div className="row-16 row-end security-choice">
          <Button onClick={onClose}>{t('passkeys.understood')}</Button>
        </div>
      </div>
    </Dialog>
  )
}

export function RemovePasskey({ passkey, cooling, withCode, onClose, onDone }: DialogProps & OfOneProps) {
  const { t } = useTranslation('identity/security')
  const sayFailure = useFailureText()
  const proof = useProof(withCode)
  const [remove, { isLoading }] = useRemovePasskeyMutation()
  const [problem, setProblem] = useState<string | null>(null)
  const onSubmit = async () => {
    const typed = isLoading ? null : proof.read()
    if (typed === null) return
    setProblem(null)
    const answer = await remove({ ...typed, id: passkey.id })
    if (answer.error === undefined) {
      toast.success(answer.data.message)
      return onDone()
    }
    const failure = answer.error as Failure
    if (!proof.refused(failure)) setProblem(sayFailure(failure))
  }
  return (
    <FormDialog
      title={t('passkeys.removeNamed', { name: passkey.name })}
      text={`${t('passkeys.removeText')} ${cooling}`.trim()}
      problem={{ kind: 'bad', text: problem }}
      action={t('passkeys.remove')}
      danger
      busy={isLoading}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <ProofFields proof={proof} />
    </FormDialog>
  )
}
