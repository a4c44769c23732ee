import { type FormEvent, useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { Button } from '../../../../ui/Button.tsx'
import { CodeField } from '../../../../ui/CodeField.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { APP_DIGITS, belongsToField } from '../codes.ts'

interface SecondFactorDialogProps {
  title: string
  text: string
  action: string
  danger?: boolean
  /** Whether a recovery code will do. */
  recovery?: boolean
  onSend: (code: string) => Promise<Failure | null>
  onClose: () => void
}

/** The code that is being typed, and sending it; what is refused stays typed. */
function useCode(onSend: SecondFactorDialogProps['onSend']) {
  const { t } = useTranslation('identity/security')
  const sayFailure = useFailureText()
  const [isRecovery, setIsRecovery] = useState(false)
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  const refuse = (problem: string) => {
    setError(problem)
    field.current?.focus()
    field.current?.select()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (isRecovery && code.trim() === '') return refuse(t('code.recoveryMissing'))
    if (!isRecovery && code.length !== APP_DIGITS) return refuse(t('code.missing'))
    setBusy(true)
    const failure = await onSend(code.trim())
    if (failure === null) return
    setBusy(false)
    if (belongsToField(failure)) refuse(sayFailure(failure))
    else toast.error(sayFailure(failure))
  }
  const type = (typed: string) => {
    setCode(typed)
    setError(undefined)
  }
  const turn = () => {
    setIsRecovery(!isRecovery)
    type('')
  }
  return { isRecovery, code, error, busy, field, submit, type, turn }
}

/** Asks for a code before something that only the phone's owner may do. Nothing is sent before the button is pressed. */
export function SecondFactorDialog(props: SecondFactorDialogProps) {
  const { title, text, action, danger = false, recovery = false, onSend, onClose } = props
  const { t } = useTranslation('identity/security')
  const { isRecovery, code, error, busy, field, submit, type, turn } = useCode(onSend)
  return (
    <Dialog title={title} onClose={onClose} width={440}>
      <form className="security-form" noValidate onSubmit={submit}>
        <p className="muted">{text}</p>
        {isRecovery ? (
          <Field
            key="recovery"
            ref={field}
            label={t('code.recovery')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={32}
            placeholder="xxxxx-xxxxx"
            value={code}
            error={error}
            autoFocus
            onChange={(event) => type(event.currentTarget.value)}
          />
        ) : (
          <CodeField
            key="code"
            ref={field}
            data-autofocus
            label={t('code.label')}
            digits={APP_DIGITS}
            value={code}
            error={error}
            onChange={type}
          />
        )}
        {recovery ? (
          <button type="button" className="link-button security-turn" onClick={turn}>
            {t(isRecovery ? 'code.useApp' : 'code.useRecovery')}
          </button>
        ) : null}
        <div className="security-actions security-choice">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={busy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
